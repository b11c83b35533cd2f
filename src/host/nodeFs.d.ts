/** The part of Node that an export writes with, where there is Node. The rest of the extension is typed without. */
declare module 'node:fs/promises' {
  export interface FileHandle {
    appendFile(data: Uint8Array): Promise<void>;
    close(): Promise<void>;
  }
  /** `wx` makes a new file and fails if there is one. */
  export function open(path: string, flags: 'wx'): Promise<FileHandle>;
}

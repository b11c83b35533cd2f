export interface EntryKinds {
  isFile(): boolean;
  isDirectory(): boolean;
}

interface ReadStats extends EntryKinds {
  readonly size: number;
  readonly mtimeMs: number;
}

/** The part of `node:fs/promises` that projects are read with. */
export interface NodeFileReader {
  readdir(
    path: string,
    options: { readonly withFileTypes: true },
  ): Promise<readonly (EntryKinds & { readonly name: string })[]>;
  /** What changes directly in a folder, from the time that the first is asked for; throws when `signal` aborts. */
  watch(
    folder: string,
    options: { readonly persistent: false; readonly signal: AbortSignal },
  ): AsyncIterable<{ readonly eventType: 'rename' | 'change'; readonly filename: string | null }>;
  /** Of a symbolic link itself. */
  lstat(path: string): Promise<ReadStats>;
  open(
    path: string,
    flags: 'r',
  ): Promise<{ stat(): Promise<ReadStats>; readFile(): Promise<Uint8Array>; close(): Promise<void> }>;
}

/**
 * The one place that reaches for Node; undefined where there is none. What the editor offers instead writes no file as
 * it comes, and answers each question by way of its window.
 */
export async function loadNodeFiles() {
  // biome-ignore lint/style/noRestrictedImports: see above
  return import('node:fs/promises').catch(() => undefined);
}

/** The part of Node's `process` that is used, where there is Node. */
interface Processes {
  readonly pid: number;
  readonly platform: string;
  /** The program that this runs on. */
  readonly execPath: string;
  /** With signal 0: whether there is such a process, by not throwing. */
  kill(pid: number, signal: 0): void;
}
const { process } = globalThis as { readonly process?: Partial<Processes> };

/** The id of the process that this runs in; undefined where there are none to ask about. */
export function getProcessId(): number | undefined {
  return process?.pid;
}

/** The program that runs this extension, which runs others as Node does; undefined where there is none. */
export function getExecutablePath(): string | undefined {
  return process?.execPath;
}

/** Whether this runs on Linux; false where there are no processes. */
export function isLinux(): boolean {
  return process?.platform === 'linux';
}

/** Whether the process with this id lives; undefined where that cannot be known. */
export function isProcessAlive(pid: number | undefined): boolean | undefined {
  if (pid === undefined || !process?.kill) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== 'ESRCH';
  }
}

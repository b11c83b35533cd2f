export interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
}

interface ReadStats extends Kinds {
  readonly size: number;
  readonly mtimeMs: number;
}

/** The part of `node:fs/promises` that projects are read with. */
export interface NodeReading {
  readdir(
    path: string,
    options: { readonly withFileTypes: true },
  ): Promise<readonly (Kinds & { readonly name: string })[]>;
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
export async function nodeFiles() {
  // biome-ignore lint/style/noRestrictedImports: see above
  return import('node:fs/promises').catch(() => undefined);
}

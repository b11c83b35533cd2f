import type { NodeFileReader } from '../../core/index.ts';

/**
 * The only place that imports Node; undefined where there is none. The editor's API cannot append to files, and
 * handles each request through the window.
 */
export async function loadNodeFiles() {
  // biome-ignore lint/style/noRestrictedImports: see above
  return import('node:fs/promises').catch(() => undefined);
}

/** What projects are watched with. */
export type NodeFiles = Pick<NodeFileReader, 'lstat'> & NodeFileWatcher;

/** The part of `node:fs/promises` that watches. */
export interface NodeFileWatcher {
  /** Changes of direct entries of a folder, from the first `next()` on; throws when `signal` aborts. */
  watch(
    folder: string,
    options: { readonly persistent: false; readonly signal: AbortSignal },
  ): AsyncIterable<{ readonly eventType: 'rename' | 'change'; readonly filename: string | null }>;
}

/** The part of Node's `process` that is used. */
interface NodeProcess {
  readonly pid: number;
  readonly platform: string;
  readonly execPath: string;
  /** With signal 0: throws unless the process exists. */
  kill(pid: number, signal: 0): void;
}
const { process } = globalThis as { readonly process?: Partial<NodeProcess> };

/** The ID of this process; undefined without Node. */
export function getProcessId(): number | undefined {
  return process?.pid;
}

/** The executable that runs this extension, which can run other programs as Node does; undefined without Node. */
export function getExecutablePath(): string | undefined {
  return process?.execPath;
}

/** False without Node. */
export function isLinux(): boolean {
  return process?.platform === 'linux';
}

/** Undefined where it cannot be determined. */
export function isProcessAlive(pid: number | undefined): boolean | undefined {
  if (pid === undefined || !process?.kill) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== 'ESRCH';
  }
}

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
export function ownProcess(): number | undefined {
  return process?.pid;
}

/** The program that runs this extension, which runs others as Node does; undefined where there is none. */
export function ownProgram(): string | undefined {
  return process?.execPath;
}

/** Whether this runs on Linux; false where there are no processes. */
export function isOnLinux(): boolean {
  return process?.platform === 'linux';
}

/** Whether the process with this id lives; undefined where that cannot be known. */
export function isAlive(pid: number | undefined): boolean | undefined {
  if (pid === undefined || !process?.kill) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== 'ESRCH';
  }
}

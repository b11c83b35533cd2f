import type { Readable } from 'node:stream';
import type { FetchLike, HttpDeps } from '../core/index.ts';
import type { Output } from './output.ts';
import type { Env, OutputStream } from './terminal.ts';

/** What a program takes from its process. */
export interface ProgramInputs {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Env;
  /** Cancels the run, or ends it with the `AppError` that is its reason. */
  readonly signal: AbortSignal;
  /** Of Chainside. */
  readonly version: string;
  /** By default undici, through the proxy of `env`. */
  readonly fetch?: FetchLike;
}

/** What the commands of one run share. */
export interface CliContext extends Omit<ProgramInputs, 'fetch' | 'stderr'> {
  readonly output: Output;
  readonly http: HttpDeps;
  /** The folders that relative paths of files to check start from. @throws AppError `badInput` if there is none. */
  readonly startFolders: () => readonly string[];
}

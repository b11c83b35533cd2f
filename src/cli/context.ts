import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type FetchLike, type HttpDeps, isRecord } from '../core/index.ts';
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
  /** The folders that relative paths of query files start from. @throws AppError `badInput` if there are no folders. */
  readonly startFolders: () => readonly string[];
}

/** Reads the inputs of a program from its process. */
export async function readProcessInputs(signal: AbortSignal): Promise<ProgramInputs> {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signal, version: await readOwnVersion(process.argv[1] ?? '') };
}

/** Reads the version of Chainside from the `package.json` above the running program. */
async function readOwnVersion(program: string): Promise<string> {
  // npm starts it by a link.
  let folder = dirname(await realpath(program));
  // The program runs from `dist`, `src/cli`, or the folder of its package.
  for (let level = 0; level < 3; level++) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    const manifest: unknown = JSON.parse(text);
    if (isRecord(manifest) && manifest.name === 'chainside') return String(manifest.version);
    folder = dirname(folder);
  }
  return 'unknown';
}

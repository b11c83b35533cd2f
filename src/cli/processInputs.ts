import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '../core/index.ts';
import type { ProgramInputs } from './context.ts';

/** What a program takes from the process that runs it. */
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

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '../../core/index.ts';

/** The version of Chainside, as the manifest above the program that runs has it. */
export async function ownVersion(): Promise<string> {
  let folder = dirname(process.argv[1] ?? '');
  // The program is in `dist`, or in `src/headless`.
  for (let level = 0; level < 3; level++) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    const manifest: unknown = JSON.parse(text);
    if (isRecord(manifest) && manifest.name === 'chainside') return String(manifest.version);
    folder = dirname(folder);
  }
  return 'unknown';
}

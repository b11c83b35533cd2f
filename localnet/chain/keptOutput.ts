import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod/mini';
import { type Sources, solcSettings } from './solidity.ts';

const cacheFolder = fileURLToPath(new URL('../../.cache/localnet/', import.meta.url));
const nodeRequire = createRequire(import.meta.url);

/**
 * What is compiled of these sources, made once for each content of them and kept as JSON in `.cache`: the compiler takes
 * longer to start than a node.
 *
 * @param outputs what is asked of the compiler for each contract.
 */
export async function keptOutput<T>(
  { sources, outputs }: { readonly sources: Sources; readonly outputs: readonly string[] },
  schema: z.ZodMiniType<T>,
  compile: () => Promise<T>,
): Promise<T> {
  const file = join(cacheFolder, `contracts-${contentHash(sources, outputs)}.json`);
  const kept = await readKept(file, schema);
  if (kept !== undefined) return kept;

  const made = await compile();
  await mkdir(cacheFolder, { recursive: true });
  // Several starts may compile at once: each writes its own file and the last rename wins.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(made));
  await rename(unfinished, file);
  return made;
}

function contentHash(sources: Sources, outputs: readonly string[]): string {
  const versions = ['solc', '@openzeppelin/contracts'].map(
    (name) => nodeRequire(`${name}/package.json`).version,
  );
  return createHash('sha256')
    .update(JSON.stringify([sources, solcSettings, outputs, versions]))
    .digest('hex')
    .slice(0, 16);
}

async function readKept<T>(file: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { compileSolidity, readSources, type Sources, solcSettings } from './solidity.ts';

/** Creation bytecode by contract name. */
export type Bytecodes = Readonly<Record<string, `0x${string}`>>;

/** What the compiler makes of a contract. */
export type Artifact = {
  readonly source: string;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
};
export type Artifacts = Readonly<Record<string, Artifact>>;

const contractsFolder = fileURLToPath(new URL('../contracts/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../.cache/localnet/', import.meta.url));
const nodeRequire = createRequire(import.meta.url);

const OUTPUTS = ['abi', 'evm.bytecode.object'];

const artifactsSchema = z.record(
  z.string(),
  z.object({
    source: z.string(),
    abi: z.array(z.unknown()),
    bytecode: z.templateLiteral(['0x', z.string()]),
  }),
);

/** Bytecode of every contract of a folder in `localnet/contracts`, or of those in that itself. */
export async function compileContracts(folder = '.'): Promise<Bytecodes> {
  const artifacts = await compileFolder(folder);
  return Object.fromEntries(Object.entries(artifacts).map(([name, { bytecode }]) => [name, bytecode]));
}

/** Every contract of a folder in `localnet/contracts`, compiled once per content of the sources. */
export async function compileFolder(folder: string): Promise<Artifacts> {
  const sources = await readSources(join(contractsFolder, folder));
  const file = join(cacheFolder, `contracts-${contentHash(sources)}.json`);
  const cached = await readCached(file);
  if (cached) return cached;

  const { contracts } = await compileSolidity(sources, OUTPUTS);
  const artifacts = Object.fromEntries(
    contracts.map(({ name, source, abi, bytecode }) => [name, { source, abi, bytecode }]),
  );
  await mkdir(cacheFolder, { recursive: true });
  // Several starts may compile at once: each writes its own file and the last rename wins.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(artifacts));
  await rename(unfinished, file);
  return artifacts;
}

function contentHash(sources: Sources): string {
  const versions = ['solc', '@openzeppelin/contracts'].map(
    (name) => nodeRequire(`${name}/package.json`).version,
  );
  return createHash('sha256')
    .update(JSON.stringify([sources, solcSettings, OUTPUTS, versions]))
    .digest('hex')
    .slice(0, 16);
}

async function readCached(file: string): Promise<Artifacts | undefined> {
  try {
    return artifactsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

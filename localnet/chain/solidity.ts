import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

/** Texts of source files by their paths. */
export type Sources = Readonly<Record<string, { readonly content: string }>>;

const cacheFolder = fileURLToPath(new URL('../../.cache/solc/', import.meta.url));
const nodeRequire = createRequire(import.meta.url);

export const solcVersion: string = nodeRequire('solc/package.json').version;

/** Fixed, so that neither a newer compiler nor a newer node changes the bytecode under us. */
export const solcSettings = { evmVersion: 'prague', optimizer: { enabled: true, runs: 200 } };

const contractSchema = z.object({
  abi: z.array(z.unknown()),
  storageLayout: z.optional(z.unknown()),
  metadata: z.optional(z.string()),
  evm: z.object({ bytecode: z.object({ object: z.string() }) }),
});
const errorsSchema = z.array(z.object({ severity: z.string(), formattedMessage: z.string() }));
const outputSchema = z.object({
  contracts: z.optional(z.record(z.string(), z.record(z.string(), contractSchema))),
});

/** What the compiler says of one contract. */
type Output = z.infer<typeof contractSchema> & {
  readonly name: string;
  /** The path of the file that it is written in. */
  readonly source: string;
  readonly bytecode: `0x${string}`;
};

/** The Solidity files of a folder, without those in folders below it. */
export async function readSources(folder: string): Promise<Sources> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sol')).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name, { content: contents[i] ?? '' }]));
}

/**
 * Compiles sources; what they import comes from the packages of this project. Throws the errors of the compiler.
 *
 * @param outputs of each contract, as the compiler calls them.
 * @returns the contracts that are written in `sources`.
 */
export async function compileSolidity(
  sources: Sources,
  outputs: readonly string[],
): Promise<{ readonly contracts: readonly Output[] }> {
  const outputSelection = Object.fromEntries(
    Object.keys(sources).map((source) => [source, { '*': outputs }]),
  );
  const output = outputSchema.parse(compileJson({ sources, settings: { ...solcSettings, outputSelection } }));
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([source, byName]) =>
    Object.entries(byName).map(([name, contract]): Output => {
      return { ...contract, name, source, bytecode: `0x${contract.evm.bytecode.object}` };
    }),
  );
  return { contracts };
}

/** The output of solc for standard JSON. Throws its errors. */
export function compileJson<T>(input: { readonly sources: Sources; readonly settings: object }): T {
  const output = JSON.parse(runSolc(JSON.stringify({ language: 'Solidity', ...input })));
  const errors = errorsSchema.parse(output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  return output;
}

/** Runs solc on standard JSON once per input: `.cache/solc` has the outputs. Its start alone takes longer than a node's. */
export function runSolc(input: string): string {
  const packages = nodeRequire('@openzeppelin/contracts/package.json').version;
  const hash = createHash('sha256').update(JSON.stringify([solcVersion, packages, input]));
  const file = join(cacheFolder, `${hash.digest('hex')}.json`);
  if (existsSync(file)) return readFileSync(file, 'utf8');

  const output: string = nodeRequire('solc').compile(input, { import: readImport });
  mkdirSync(cacheFolder, { recursive: true });
  // Several processes may compile at once: each writes its own file and the last rename wins.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, output);
  renameSync(unfinished, file);
  return output;
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readPackageSource(path).content };
  } catch (error) {
    return { error: String(error) };
  }
}

/** A source that the packages of this project bring along. */
export function readPackageSource(path: string): Sources[string] {
  return { content: readFileSync(nodeRequire.resolve(path), 'utf8') };
}

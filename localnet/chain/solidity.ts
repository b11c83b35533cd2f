import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Texts of source files by their paths. */
export type Sources = Readonly<Record<string, { readonly content: string }>>;

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
const outputSchema = z.object({
  errors: z.optional(z.array(z.object({ severity: z.string(), formattedMessage: z.string() }))),
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
 * Compiles sources; what they import comes from the packages of this project. Throws what the compiler finds wrong.
 *
 * @param outputs of each contract, as the compiler calls them.
 * @returns the contracts that are written in `written`, and all files that were read, with those that are imported.
 */
export async function compileSolidity(
  written: Sources,
  outputs: readonly string[],
): Promise<{ readonly contracts: readonly Output[]; readonly sources: Sources }> {
  // Loaded only when needed: the compiler is 9 MB of WebAssembly.
  const { default: solc } = await import('solc');
  const sources: Record<string, { readonly content: string }> = { ...written };
  const findImport = (path: string) => {
    const found = readImport(path);
    if ('contents' in found) sources[path] = { content: found.contents };
    return found;
  };
  const settings = { ...solcSettings, outputSelection: { '*': { '*': outputs } } };
  const input = JSON.stringify({ language: 'Solidity', sources: written, settings });
  const output = outputSchema.parse(JSON.parse(solc.compile(input, { import: findImport })));
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));

  const own = Object.entries(output.contracts ?? {}).filter(([source]) => source in written);
  const contracts = own.flatMap(([source, byName]) =>
    Object.entries(byName).map(([name, contract]): Output => {
      return { ...contract, name, source, bytecode: `0x${contract.evm.bytecode.object}` };
    }),
  );
  return { contracts, sources };
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(nodeRequire.resolve(path), 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}

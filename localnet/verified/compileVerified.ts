import { fileURLToPath } from 'node:url';
import type { Hex } from 'ox';
import * as z from 'zod/mini';
import { keptOutput } from '../chain/keptOutput.ts';
import { compileSolidity, readSources, solcSettings, solcVersion } from '../chain/solidity.ts';

/** What a compiler gives of one contract, as those who verify sources have it. */
export type CompiledContract = {
  readonly name: string;
  /** `Harbor.sol:Harbor`. */
  readonly fullyQualifiedName: string;
  readonly abi: readonly unknown[];
  readonly storageLayout: unknown;
  readonly bytecode: Hex.Hex;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly compilerVersion: string;
  readonly settings: unknown;
};

const contractsFolder = fileURLToPath(new URL('contracts/', import.meta.url));
const OUTPUTS = ['abi', 'storageLayout', 'metadata', 'evm.bytecode.object'];
const metadataSchema = z.object({ sources: z.record(z.string(), z.unknown()) });
const compiledSchema = z.array(
  z.object({
    name: z.string(),
    fullyQualifiedName: z.string(),
    abi: z.array(z.unknown()),
    storageLayout: z.unknown(),
    bytecode: z.templateLiteral(['0x', z.string()]),
    sources: z.record(z.string(), z.object({ content: z.string() })),
    compilerVersion: z.string(),
    settings: z.unknown(),
  }),
);

/** Every contract of a folder, by default `localnet/verified/contracts`, by its name, each with the sources that are in it. */
export async function compileVerified(
  folder = contractsFolder,
): Promise<ReadonlyMap<string, CompiledContract>> {
  const written = await readSources(folder);
  const compiled = await keptOutput({ sources: written, outputs: OUTPUTS }, compiledSchema, async () => {
    const { contracts, sources } = await compileSolidity(written, OUTPUTS);
    return contracts.map(({ name, source, abi, storageLayout, metadata, bytecode }) => {
      const paths = Object.keys(metadataSchema.parse(JSON.parse(metadata ?? '')).sources);
      return {
        ...{ name, fullyQualifiedName: `${source}:${name}`, abi, storageLayout, bytecode },
        settings: { ...solcSettings, outputSelection: { '*': { '*': OUTPUTS } } },
        sources: Object.fromEntries(paths.flatMap((path) => (sources[path] ? [[path, sources[path]]] : []))),
        compilerVersion: solcVersion,
      };
    });
  });
  return new Map(compiled.map((contract): [string, CompiledContract] => [contract.name, contract]));
}

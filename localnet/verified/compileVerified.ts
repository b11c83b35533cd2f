import { fileURLToPath } from 'node:url';
import type { Hex } from 'ox';
import * as z from 'zod/mini';
import {
  compileSolidity,
  readPackageSource,
  readSources,
  solcSettings,
  solcVersion,
} from '../chain/solidity.ts';

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
/** Every contract of a folder, by default `localnet/verified/contracts`, by its name, each with the sources that are in it. */
export async function compileVerified(
  folder = contractsFolder,
): Promise<ReadonlyMap<string, CompiledContract>> {
  const written = await readSources(folder);
  const { contracts } = await compileSolidity(written, OUTPUTS);
  const settings = { ...solcSettings, outputSelection: { '*': { '*': OUTPUTS } } };
  return new Map(
    contracts.map(({ name, source, abi, storageLayout, metadata, bytecode }): [string, CompiledContract] => {
      const paths = Object.keys(metadataSchema.parse(JSON.parse(metadata ?? '')).sources);
      const sources = Object.fromEntries(
        paths.map((path) => [path, written[path] ?? readPackageSource(path)]),
      );
      const fullyQualifiedName = `${source}:${name}`;
      const compiled = { name, fullyQualifiedName, abi, storageLayout, bytecode, settings, sources };
      return [name, { ...compiled, compilerVersion: solcVersion }];
    }),
  );
}

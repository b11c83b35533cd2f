import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSolidity, readSources } from './solidity.ts';

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

/** Bytecode of every contract of a folder in `localnet/contracts`, or of those in that itself. */
export async function compileContracts(folder = '.'): Promise<Bytecodes> {
  const artifacts = await compileFolder(folder);
  return Object.fromEntries(Object.entries(artifacts).map(([name, { bytecode }]) => [name, bytecode]));
}

/** Every contract of a folder in `localnet/contracts`. */
export async function compileFolder(folder: string): Promise<Artifacts> {
  const sources = await readSources(join(contractsFolder, folder));
  const { contracts } = await compileSolidity(sources, ['abi', 'evm.bytecode.object']);
  return Object.fromEntries(
    contracts.map(({ name, source, abi, bytecode }) => [name, { source, abi, bytecode }]),
  );
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { keptOutput } from './keptOutput.ts';
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
  return keptOutput({ sources, outputs: OUTPUTS }, artifactsSchema, async () => {
    const { contracts } = await compileSolidity(sources, OUTPUTS);
    return Object.fromEntries(
      contracts.map(({ name, source, abi, bytecode }) => [name, { source, abi, bytecode }]),
    );
  });
}

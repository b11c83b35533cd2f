import { compileJson } from '../../localnet/chain/solidity.ts';
import type { IndexedContract } from '../../src/core/index.ts';

export interface CodeOutput {
  readonly object: string;
  readonly sourceMap: string;
  /** By file and library. */
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly { readonly start: number }[]>>>
  >;
  readonly immutableReferences: Readonly<Record<string, readonly { readonly start: number }[]>>;
}

/** One contract as solc compiled it. */
export interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly metadata: string;
  readonly storageLayout: unknown;
  readonly evm: { readonly bytecode: CodeOutput; readonly deployedBytecode: CodeOutput };
}

export interface Compiled {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
  readonly sources: Readonly<Record<string, { readonly id: number; readonly ast: unknown }>>;
}

/** Compiles sources by path. */
export function compile(sources: Readonly<Record<string, string>>, settings: object = {}): Compiled {
  const outputs = ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'];
  return compileJson<Compiled>({
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      ...{ optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun', ...settings },
      outputSelection: { '*': { '*': outputs, '': ['ast'] } },
    },
  });
}

/** The files that Foundry writes for compiled sources, by path. */
export function toFoundryFiles(
  sources: Readonly<Record<string, string>>,
  { contracts, sources: ids }: Compiled,
): Readonly<Record<string, string>> {
  const files: Record<string, string> = { ...sources };
  const paths = Object.fromEntries(Object.entries(ids).map(([path, { id }]) => [id, path]));
  files['out/build-info/ab12.json'] = JSON.stringify({ id: 'ab12', source_id_to_path: paths });
  for (const [path, byName] of Object.entries(contracts)) {
    for (const [name, contract] of Object.entries(byName))
      files[getArtifactPath(path, name)] = JSON.stringify(toFoundryArtifact(contract, ids[path]?.id));
  }
  return files;
}

export const getArtifactPath = (source: string, name: string) =>
  `out/${source.slice(source.lastIndexOf('/') + 1)}/${name}.json`;

export function toFoundryArtifact({ abi, metadata, evm }: CompiledContract, id: number | undefined): object {
  const code = ({ object, ...rest }: CodeOutput) => ({ object: `0x${object}`, ...rest });
  return {
    ...{ abi, bytecode: code(evm.bytecode), deployedBytecode: code(evm.deployedBytecode) },
    ...{ rawMetadata: metadata, metadata: JSON.parse(metadata), id },
  };
}

/** The contracts of compiled sources, as an index has them. */
export function listContracts(
  { contracts }: Compiled,
  abis: Readonly<Record<string, readonly string[]>> = {},
): readonly IndexedContract[] {
  return Object.entries(contracts).flatMap(([source, byName]) =>
    Object.keys(byName).map((name) => ({
      ...{ name, source, project: '', line: undefined, isOwn: true },
      ...{ artifact: getArtifactPath(source, name), abi: abis[name] ?? [], itemLines: [] },
    })),
  );
}

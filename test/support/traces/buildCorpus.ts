import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compileJson, readSources, type Sources } from '../../../localnet/chain/solidity.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';

/** How the corpus is compiled. */
export const builds = {
  plain: { optimizer: { enabled: false } },
  noHash: { optimizer: { enabled: false }, metadata: { bytecodeHash: 'none' } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  viaIr: { optimizer: { enabled: true, runs: 200 }, viaIR: true },
} as const;
export type BuildName = keyof typeof builds;

/** Who writes the artifacts. */
export const layouts = ['foundry', 'hardhat2', 'hardhat3'] as const;
export type LayoutName = (typeof layouts)[number];

interface LinkReferences {
  readonly [file: string]: { readonly [library: string]: readonly { readonly start: number }[] };
}
interface CodeOutput {
  readonly object: string;
  readonly sourceMap: string;
  readonly linkReferences: LinkReferences;
  readonly immutableReferences?: Readonly<Record<string, unknown>>;
}
interface ContractOutput {
  readonly abi: readonly unknown[];
  readonly metadata: string;
  readonly evm: { readonly bytecode: CodeOutput; readonly deployedBytecode: CodeOutput };
}
interface Output {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, ContractOutput>>>>;
  readonly sources: Readonly<Record<string, { readonly id: number }>>;
}

export interface Corpus {
  readonly input: {
    readonly sources: Sources;
    readonly settings: object;
  };
  readonly output: Output;
  /** Creation code by contract, unlinked. */
  readonly bytecodes: Readonly<Record<string, CodeOutput>>;
}

/** The line of each failure, by the name in the comment at its end: `// @name`. */
export type TrueLines = ReadonlyMap<string, { readonly file: string; readonly line: number }>;

/** Compiles the sources of the corpus. */
export async function compileCorpus(build: BuildName): Promise<Corpus> {
  const read = await readSources(fromRoot('test', 'support', 'traces', 'src'));
  const sources = Object.fromEntries(
    Object.entries(read).map(([name, { content }]) => {
      const isOfWindows = name === 'Kinds.sol';
      return [`src/${name}`, { content: isOfWindows ? content.replaceAll('\n', '\r\n') : content }] as const;
    }),
  );
  return compileSources(sources, build);
}

export function compileSources(sources: Sources, build: BuildName): Corpus {
  const outputs = ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'];
  const outputSelection = { '*': { '*': outputs, '': ['ast'] } };
  const input = { sources, settings: { evmVersion: 'prague', ...builds[build], outputSelection } };
  const output = compileJson<Output>(input);
  const bytecodes = Object.values(output.contracts).flatMap((byName) =>
    Object.entries(byName).map(([name, { evm }]) => [name, evm.bytecode] as const),
  );
  return { input, output, bytecodes: Object.fromEntries(bytecodes) };
}

export function findTrueLines({ input }: Corpus): TrueLines {
  const found = Object.entries(input.sources).flatMap(([file, { content }]) =>
    content
      .split('\n')
      .flatMap((text, index) =>
        [...text.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, { file, line: index + 1 }] as const),
      ),
  );
  return new Map(found);
}

/** Writes a project with sources and artifacts, as the tool does. */
export async function writeProject(folder: string, corpus: Corpus, layout: LayoutName): Promise<void> {
  const { input, output } = corpus;
  const write = async (path: string, content: string | object) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const [file, { content }] of Object.entries(input.sources)) await write(file, content);
  if (layout === 'foundry') await write('foundry.toml', '[profile.default]\n');
  else await write('hardhat.config.js', 'module.exports = {};\n');
  for (const [file, byName] of Object.entries(output.contracts)) {
    const base = file.slice(file.lastIndexOf('/') + 1);
    for (const [name, contract] of Object.entries(byName)) {
      if (layout === 'foundry') {
        await write(`out/${base}/${name}.json`, toFoundryArtifact(contract, output.sources[file]?.id));
        continue;
      }
      const artifact = toHardhatArtifact(contract, { file, name, layout });
      await write(`artifacts/${file}/${name}.json`, artifact);
      if (layout === 'hardhat2') {
        const buildInfo = '../../build-info/ab12.json';
        await write(`artifacts/${file}/${name}.dbg.json`, { _format: 'hh-sol-dbg-1', buildInfo });
      }
    }
  }
  const solc = { solcVersion: '0.8.30', solcLongVersion: '0.8.30+commit.0' };
  if (layout === 'foundry') {
    const ids = Object.entries(output.sources).map(([path, { id }]) => [id, path]);
    const info = { id: 'ab12', source_id_to_path: Object.fromEntries(ids), language: 'Solidity' };
    await write('out/build-info/ab12.json', info);
  } else if (layout === 'hardhat2') {
    await write('artifacts/build-info/ab12.json', {
      _format: 'hh-sol-build-info-1',
      id: 'ab12',
      ...solc,
      input,
      output,
    });
  } else {
    const projectSources = Object.fromEntries(
      Object.entries(input.sources).map(([file, source]) => [`project/${file}`, source]),
    );
    const rename = <T>(record: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(record).map(([file, value]) => [`project/${file}`, value]));
    await write('artifacts/build-info/ab12.json', {
      ...{ _format: 'hh3-sol-build-info-1', id: 'ab12', ...solc },
      userSourceNameMap: Object.fromEntries(
        Object.keys(input.sources).map((file) => [file, `project/${file}`]),
      ),
      input: { ...input, sources: projectSources },
    });
    await write('artifacts/build-info/ab12.output.json', {
      ...{ _format: 'hh3-sol-build-info-output-1', id: 'ab12' },
      output: { contracts: rename(output.contracts), sources: rename(output.sources) },
    });
  }
}

function toFoundryArtifact({ abi, metadata, evm }: ContractOutput, id: number | undefined): object {
  const code = ({ object, ...rest }: CodeOutput) => ({ object: `0x${object}`, ...rest });
  return {
    abi,
    bytecode: code(evm.bytecode),
    deployedBytecode: code(evm.deployedBytecode),
    rawMetadata: metadata,
    metadata: JSON.parse(metadata),
    id,
  };
}

function toHardhatArtifact(
  { abi, evm }: ContractOutput,
  { file, name, layout }: { readonly file: string; readonly name: string; readonly layout: LayoutName },
): object {
  return {
    ...{ _format: layout === 'hardhat2' ? 'hh-sol-artifact-1' : 'hh3-artifact-1', contractName: name },
    ...{ sourceName: file, abi },
    ...{ bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
    ...{ linkReferences: evm.bytecode.linkReferences },
    ...{ deployedLinkReferences: evm.deployedBytecode.linkReferences },
    ...(layout === 'hardhat3' && {
      ...{ immutableReferences: evm.deployedBytecode.immutableReferences ?? {} },
      ...{ inputSourceName: `project/${file}`, buildInfoId: 'ab12' },
    }),
  };
}

/** Creation code with the addresses of its libraries in place. */
export function linkBytecode(
  { object, linkReferences }: CodeOutput,
  addresses: Readonly<Record<string, string>>,
): `0x${string}` {
  let linked = object;
  for (const byLibrary of Object.values(linkReferences)) {
    for (const [library, places] of Object.entries(byLibrary)) {
      const address = (addresses[library] ?? '').slice(2);
      for (const { start } of places)
        linked = linked.slice(0, 2 * start) + address + linked.slice(2 * start + 40);
    }
  }
  return `0x${linked}`;
}

import { compileJson, readSources, type Sources } from '../../../localnet/chain/solidity.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { type CodeOutput, type Compiled, type CompiledContract, toFoundryFiles } from '../codeProject.ts';
import { writeFiles } from '../writeFiles.ts';

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

export interface Corpus {
  readonly input: {
    readonly sources: Sources;
    readonly settings: object;
  };
  readonly output: Compiled;
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
  const output = compileJson<Compiled>(input);
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
export function writeProject(folder: string, corpus: Corpus, layout: LayoutName): Promise<void> {
  const { input, output } = corpus;
  const sources = Object.fromEntries(
    Object.entries(input.sources).map(([file, { content }]) => [file, content]),
  );
  if (layout === 'foundry') {
    const files = toFoundryFiles(sources, output);
    return writeFiles(folder, { 'foundry.toml': '[profile.default]\n', ...files });
  }
  const files: Record<string, string | object> = {
    'hardhat.config.js': 'module.exports = {};\n',
    ...sources,
  };
  for (const [file, byName] of Object.entries(output.contracts)) {
    for (const [name, contract] of Object.entries(byName)) {
      files[`artifacts/${file}/${name}.json`] = toHardhatArtifact(contract, { file, name, layout });
      if (layout === 'hardhat2') {
        const buildInfo = '../../build-info/ab12.json';
        files[`artifacts/${file}/${name}.dbg.json`] = { _format: 'hh-sol-dbg-1', buildInfo };
      }
    }
  }
  const build = { id: 'ab12', solcVersion: '0.8.30', solcLongVersion: '0.8.30+commit.0' };
  if (layout === 'hardhat2') {
    files['artifacts/build-info/ab12.json'] = { _format: 'hh-sol-build-info-1', ...build, input, output };
  } else {
    const rename = <T>(record: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(record).map(([file, value]) => [`project/${file}`, value]));
    files['artifacts/build-info/ab12.json'] = {
      ...{ _format: 'hh3-sol-build-info-1', ...build },
      userSourceNameMap: Object.fromEntries(Object.keys(sources).map((file) => [file, `project/${file}`])),
      input: { ...input, sources: rename(input.sources) },
    };
    files['artifacts/build-info/ab12.output.json'] = {
      ...{ _format: 'hh3-sol-build-info-output-1', id: 'ab12' },
      output: { contracts: rename(output.contracts), sources: rename(output.sources) },
    };
  }
  return writeFiles(folder, files);
}

function toHardhatArtifact(
  { abi, evm }: CompiledContract,
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

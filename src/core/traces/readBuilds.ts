import { systemClock } from '../base/clock.ts';
import { isAppError } from '../base/errors.ts';
import { createBudget, createTimeSlices, decodeInSlices, type TimeSlices } from '../base/timeSlices.ts';
import { asRecord, compareValues, isRecord, type PlainRecord } from '../base/values.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { getFolder, joinPath, normalizePath } from '../project/layout.ts';
import { MAX_FILE_BYTES, type ProjectFiles } from '../project/projectFiles.ts';
import {
  findMember,
  isListAt,
  isObjectAt,
  type JsonText,
  parseJsonText,
  pickMembers,
  scanElements,
  scanMembers,
} from '../project/readers/jsonScan.ts';
import { openJson } from '../project/readers/openJson.ts';
import type { BuiltCode } from './builtCode.ts';
import { readPublishedOutput } from './publishedBuilds.ts';
import { readCode } from './readCode.ts';
import {
  compareSources,
  findCompiled,
  MAX_COMPARED_BYTES,
  type SourceChanges,
  type SourceFile,
} from './sourceChanges.ts';
import { isVyperSource, readVyperOutput, toVyperText } from './vyperBuilds.ts';

/** What a compiler made of a contract. */
export interface ContractBuild {
  readonly contract: IndexedContract;
  readonly runtime: BuiltCode;
  readonly creation: BuiltCode;
  /** Whether the optimizer ran; true if unknown. */
  readonly isOptimized: boolean;
  /** Whether the code was made by the pipeline whose source maps are not exact; true if unknown. */
  readonly isViaIr: boolean;
  /** Paths of the sources that were compiled together, from the workspace root; empty if they are unknown. */
  readonly sources: readonly string[];
  /** What compiled it; undefined if that is not known. */
  readonly tool?: 'foundry' | 'hardhat';
  /** The text whose hash is in the code; undefined if the build does not have it. */
  readonly metadata: string | undefined;
  /** As the compiler wrote it, unchecked; undefined if the build does not have it. */
  readonly rawAbi?: unknown;
  /** The storage layout as the compiler wrote it, unchecked; undefined if the build does not have it. */
  readonly layout: unknown;
  /** Whether the build lists the places of immutable variables. */
  readonly hasImmutables: boolean;
  /** Which sources are not the compiled ones any more. */
  readSourceChanges(): Promise<SourceChanges>;
  /** The names of variables by their IDs in the syntax tree, as far as the build has one. */
  nameVariables(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The source with an ID in the maps; `generated` for code that the compiler made; undefined if it is unknown. */
  readSource(id: number): Promise<BuiltSource | 'generated' | undefined>;
}

export interface BuiltSource {
  /** From the workspace root. */
  readonly path: string;
  readonly text: string;
  /** Whether the file is still the one that was compiled. */
  readonly isCurrent: boolean;
}

/** Reads what compilers wrote, when it is needed: source maps are too large for an index. */
export interface BuildReader {
  /** Undefined if there is no artifact, or one without code. */
  read(contract: IndexedContract): Promise<ContractBuild | undefined>;
  /** The build of a contract in another file. */
  readFile(contract: IndexedContract, path: string): Promise<ContractBuild | undefined>;
}

/** A build of Hardhat has the sources and all output of the compiler. */
const MAX_BUILD_BYTES = 128 * 1024 * 1024;
/** Of sources, in characters. */
const MAX_REMEMBERED_CHARS = 64 * 1024 * 1024;
const REMIX_METADATA = '_metadata.json';
/** Builds of Foundry in one folder: each run of forge that compiles something writes one. */
const MAX_BUILDS = 200;

/**
 * Reads the builds of Foundry, of Hardhat 2 and 3, of Vyper, and what packages publish. It remembers each file, so create one for each use.
 *
 * @example const build = await createBuildReader(files).read(contract);
 */
export function createBuildReader(
  files: Pick<ProjectFiles, 'list' | 'read'>,
  clock = systemClock,
): BuildReader {
  const slices = createTimeSlices(clock);
  const sourceFiles = new Map<string, SourceFile | undefined>();
  const remembered = createBudget(MAX_REMEMBERED_CHARS);
  const builds = new Map<IndexedContract, Promise<ContractBuild | undefined>>();
  const builtFiles = new Map<string, Promise<JsonText | undefined>>();
  const tables = new Map<string, Promise<readonly SourceTable[]>>();

  async function readText(path: string, maxBytes = MAX_FILE_BYTES): Promise<string | undefined> {
    const bytes = await files.read(path, maxBytes);
    return bytes && decodeInSlices(bytes, { slices });
  }

  async function readJson(path: string, maxBytes?: number): Promise<JsonText | undefined> {
    const text = await readText(path, maxBytes);
    return text === undefined ? undefined : openJson(text, { slices });
  }

  /** The files that several artifacts share. */
  function readBuilt(path: string, maxBytes?: number): Promise<JsonText | undefined> {
    const reading = builtFiles.get(path) ?? readJson(path, maxBytes);
    builtFiles.set(path, reading);
    return reading;
  }

  /** A source is read again rather than that all of them stay in memory. */
  async function readSourceFile(path: string): Promise<SourceFile | undefined> {
    if (sourceFiles.has(path)) return sourceFiles.get(path);
    const bytes = await files.read(path, MAX_FILE_BYTES);
    const isLarge = bytes !== undefined && bytes.length > MAX_COMPARED_BYTES;
    const file = isLarge ? 'tooLarge' : bytes && { text: await decodeInSlices(bytes, { slices }) };
    if (typeof file !== 'object' || remembered.pay(file.text.length)) sourceFiles.set(path, file);
    return file;
  }

  async function readArtifact(contract: IndexedContract, path: string): Promise<ContractBuild | undefined> {
    // Not remembered: there may be hundreds, and each is parsed once.
    if (path.endsWith('.abi') && !isVyperSource(contract.source))
      return readOutputFiles(contract, path.slice(0, -'.abi'.length));
    const json = await readJson(path);
    if (json === undefined) return undefined;
    if (isVyperSource(contract.source)) return toVyperBuild(contract, path, json);
    const artifact = pickMembers(json, 0, ARTIFACT_MEMBERS);
    const format = String(artifact._format ?? '');
    if (isRecord(artifact.deployedBytecode)) return toFoundryBuild(contract, path, artifact);
    const build = format.startsWith('hh') ? await toHardhatBuild(contract, path, artifact) : undefined;
    const found =
      build ?? toPlainBuild(contract, artifact) ?? (await toPublishedBuild(contract, artifact, json));
    // Remix writes the code to `Pair.json`, and the name of the source to `Pair_metadata.json`.
    const beside =
      !found && path.endsWith(REMIX_METADATA) ? path.slice(0, -REMIX_METADATA.length) : undefined;
    const output = beside === undefined ? undefined : await readBuilt(`${beside}.json`);
    return output === undefined
      ? found
      : toPublishedBuild(contract, pickMembers(output, 0, ARTIFACT_MEMBERS), output);
  }

  async function toVyperBuild(
    contract: IndexedContract,
    path: string,
    json: JsonText,
  ): Promise<ContractBuild | undefined> {
    const output = await readVyperOutput(json, contract.name, { slices });
    const { source: own } = contract;
    if (!output || own === undefined) return undefined;
    const { id: ownId, layout, ...codes } = output;
    return {
      ...{ contract, ...codes, isOptimized: false, isViaIr: false, sources: [] },
      ...{ metadata: undefined, layout, hasImmutables: true },
      readSourceChanges: () => readChanges(contract, {}, () => undefined),
      nameVariables: async () => new Map(),
      async readSource(id) {
        const target = own.slice(contract.project === '' ? 0 : contract.project.length + 1);
        const source = id === ownId ? target : await findFoundrySource(path, { own: ownId, target, id });
        const sourcePath = source === undefined ? undefined : toWorkspacePath(contract, source);
        const written = sourcePath === undefined ? undefined : await readSourceFile(sourcePath);
        if (sourcePath === undefined || typeof written !== 'object') return undefined;
        // No output of Vyper has its sources or their hashes.
        return { path: sourcePath, text: toVyperText(written.text), isCurrent: false };
      },
    };
  }

  async function toFoundryBuild(
    contract: IndexedContract,
    path: string,
    artifact: Artifact,
  ): Promise<ContractBuild | undefined> {
    const { rawMetadata } = artifact;
    const metadata = isRecord(artifact.metadata) ? artifact.metadata : parseMetadata(rawMetadata);
    const hashes = asRecord(metadata.sources);
    const deployed = asRecord(artifact.deployedBytecode);
    const target = Object.keys(asRecord(asRecord(metadata.settings).compilationTarget))[0];
    const at = (source: string) => toWorkspacePath(contract, source);
    return {
      ...{ contract, tool: 'foundry' },
      runtime: readCode(deployed),
      creation: readCode(asRecord(artifact.bytecode)),
      ...readSettings(metadata.settings),
      sources: Object.keys(hashes).flatMap((source) => at(source) ?? []),
      metadata: typeof rawMetadata === 'string' ? rawMetadata : sortMetadata(artifact.metadata),
      ...{ rawAbi: artifact.abi, layout: artifact.storageLayout },
      // Foundry leaves out what is empty.
      hasImmutables: true,
      readSourceChanges: () => readChanges(contract, hashes, at),
      nameVariables: (ids) => nameFromArtifact(path, ids),
      async readSource(id) {
        // In out/X.sol, or deeper for contracts of one name.
        const source =
          id === artifact.id ? target : await findFoundrySource(path, { own: artifact.id, target, id });
        if (source === undefined || source === 'generated') return source;
        const sourcePath = at(source);
        const file = sourcePath === undefined ? undefined : await readSourceFile(sourcePath);
        if (sourcePath === undefined || typeof file !== 'object') return undefined;
        const { keccak256 } = asRecord(hashes[source]);
        const compiled = await findCompiled(file.text, { keccak256 }, { slices });
        // Foundry compiles files with the line ends of Unix.
        const text = compiled ?? file.text.replaceAll('\r\n', '\n');
        return { path: sourcePath, text, isCurrent: compiled !== undefined };
      },
    };
  }

  /**
   * The artifact does not name its build, and IDs differ between builds: the source counts if all builds agree that
   * have the contract's own source under its own ID.
   */
  async function findFoundrySource(
    path: string,
    { own, target, id }: { readonly own: unknown; readonly target: string | undefined; readonly id: number },
  ): Promise<string | 'generated' | undefined> {
    const all = await readFoundryTables(path);
    const paths = all.flatMap((table) =>
      target !== undefined && table[String(own)] === target ? [table[id]] : [],
    );
    if (paths.length === 0) return undefined;
    const [first = 'generated', ...others] = new Set(paths);
    return others.length === 0 ? first : undefined;
  }

  async function readFoundryTables(path: string): Promise<readonly SourceTable[]> {
    for (let folder = getFolder(path); folder !== ''; folder = getFolder(folder)) {
      const builds = joinPath(folder, 'build-info');
      const reading = tables.get(builds) ?? readTables(builds);
      tables.set(builds, reading);
      const found = await reading;
      if (found.length > 0) return found;
    }
    return [];
  }

  async function readTables(folder: string): Promise<readonly SourceTable[]> {
    const entries = (await files.list(folder))
      .filter(({ name }) => name.endsWith('.json'))
      .slice(0, MAX_BUILDS);
    const found: SourceTable[] = [];
    for (const { name } of entries) {
      const table = await readSourceTable(joinPath(folder, name)).catch(ignoreBadInput);
      if (table) found.push(table);
    }
    return found;
  }

  /** Undefined if the file has none, or is broken: forge may be writing it. */
  async function readSourceTable(path: string): Promise<SourceTable | undefined> {
    const json = await readJson(path);
    const { source_id_to_path: table } =
      json === undefined ? {} : pickMembers(json, 0, ['source_id_to_path']);
    return isRecord(table) ? (table as SourceTable) : undefined;
  }

  async function toHardhatBuild(
    contract: IndexedContract,
    path: string,
    artifact: Artifact,
  ): Promise<ContractBuild | undefined> {
    const { contractName, sourceName, inputSourceName, buildInfoId } = artifact;
    if (typeof contractName !== 'string' || typeof sourceName !== 'string') return undefined;
    const isThird = typeof buildInfoId === 'string' && typeof inputSourceName === 'string';
    const end = `/${sourceName}/${contractName}.json`;
    // Ignition has its artifacts in one folder.
    const root = path.endsWith(end) ? path.slice(0, -end.length) : getFolder(getFolder(path));
    if (isThird && !/^[\w.-]+$/.test(buildInfoId)) return undefined;
    const infoPath = isThird ? `${root}/build-info/${buildInfoId}.json` : await readBuildPath(path);
    const info = infoPath === undefined ? undefined : await readBuilt(infoPath, MAX_BUILD_BYTES);
    const output = isThird
      ? await readBuilt(`${root}/build-info/${buildInfoId}.output.json`, MAX_BUILD_BYTES)
      : info;
    if (info === undefined || output === undefined) return undefined;
    const file = isThird ? inputSourceName : sourceName;
    const outputAt = findMember(output, 0, 'output');
    const contractAt = findMember(output, outputAt, 'contracts', file, contractName);
    const evmAt = findMember(output, contractAt, 'evm');
    const sourcesAt = findMember(output, outputAt, 'sources');
    if (contractAt === undefined || evmAt === undefined || sourcesAt === undefined) return undefined;
    const evm = pickMembers(output, evmAt, ['bytecode', 'deployedBytecode']);
    const { metadata, storageLayout } = pickMembers(output, contractAt, ['metadata', 'storageLayout']);
    const inputAt = findMember(info, 0, 'input');
    const { settings } = inputAt === undefined ? {} : pickMembers(info, inputAt, ['settings']);
    const namesById = new Map<number, string>();
    const sources = listMembers(output, sourcesAt);
    for (const [name, from] of sources) {
      const { id } = pickMembers(output, from, ['id']);
      if (typeof id === 'number') namesById.set(id, name);
      if (slices.isOver()) await slices.rest();
    }
    let contents: ReadonlyMap<string, number> | undefined;
    const readContent = (source: string) => {
      contents ??= listMembers(info, findMember(info, inputAt, 'sources'));
      const from = contents.get(source);
      return from === undefined ? {} : pickMembers(info, from, ['content']);
    };
    const toPath = createSourcePaths(
      isThird ? pickMembers(info, 0, ['userSourceNameMap']).userSourceNameMap : {},
    );
    const at = (source: string) => toWorkspacePath(contract, toPath(source));
    return {
      ...{ contract, tool: 'hardhat' },
      runtime: readCode(asRecord(evm.deployedBytecode)),
      creation: readCode(asRecord(evm.bytecode)),
      ...readSettings(settings),
      sources: [...namesById.values()].flatMap((name) => at(name) ?? []),
      metadata: typeof metadata === 'string' ? metadata : undefined,
      ...{ rawAbi: artifact.abi, layout: storageLayout },
      hasImmutables: isRecord(asRecord(evm.deployedBytecode).immutableReferences),
      async readSourceChanges() {
        const hashes = asRecord(parseMetadata(metadata).sources);
        if (Object.keys(hashes).length > 0) return readChanges(contract, hashes, at);
        const imported = await listImported(file, async (name) => {
          if (slices.isOver()) await slices.rest();
          return listImports(output, findMember(output, sources.get(name), 'ast'));
        });
        return readChanges(
          contract,
          Object.fromEntries(imported.map((name) => [name, readContent(name)])),
          at,
        );
      },
      async nameVariables(ids) {
        const names = new Map<string, string>();
        for (const from of sources.values()) {
          if (names.size === ids.length) break;
          await addVariableNames(
            names,
            { json: output, astAt: findMember(output, from, 'ast'), ids },
            slices,
          );
        }
        return names;
      },
      async readSource(id) {
        const name = namesById.get(id);
        if (name === undefined) return 'generated';
        const { content } = readContent(name);
        if (typeof content !== 'string') return undefined;
        const sourcePath = at(name);
        if (sourcePath === undefined) return undefined;
        const file = await readSourceFile(sourcePath);
        const isCurrent = typeof file === 'object' && file.text === content;
        return { path: sourcePath, text: content, isCurrent };
      },
    };
  }

  /** The code as an artifact of Hardhat, of hardhat-deploy or of Truffle has it, without the build. */
  function toPlainBuild(contract: IndexedContract, artifact: Artifact): ContractBuild | undefined {
    const { bytecode, deployedBytecode, linkReferences, deployedLinkReferences } = artifact;
    // Brownie writes no `0x`.
    if (typeof deployedBytecode !== 'string' || !/^(?:0x|[0-9a-f]{2})/i.test(deployedBytecode))
      return undefined;
    const { immutableReferences, deployedSourceMap, metadata } = artifact;
    const parsed = parseMetadata(metadata);
    const hashes = asRecord(parsed.sources);
    const at = (source: string) => toWorkspacePath(contract, source);
    return {
      contract,
      runtime: readCode({
        ...{ object: deployedBytecode, linkReferences: deployedLinkReferences, immutableReferences },
        sourceMap: deployedSourceMap,
      }),
      creation: readCode({ object: bytecode, linkReferences }),
      ...readSettings(parsed.settings),
      sources: [],
      metadata: typeof metadata === 'string' ? metadata : undefined,
      ...{ rawAbi: artifact.abi, layout: artifact.storageLayout },
      hasImmutables: isRecord(immutableReferences),
      readSourceChanges: () => readChanges(contract, hashes, at),
      nameVariables: async () => new Map(),
      readSource: async () => undefined,
    };
  }

  /** `Vault.bin` and `Vault.bin-runtime`, which solc writes beside `Vault.abi`. */
  async function readOutputFiles(
    contract: IndexedContract,
    stem: string,
  ): Promise<ContractBuild | undefined> {
    const [bytecode, deployedBytecode] = await Promise.all(
      ['.bin', '.bin-runtime'].map(async (end) => (await readText(stem + end))?.trim()),
    );
    return toPlainBuild(contract, { bytecode, deployedBytecode });
  }

  /** The code in the output of a compiler, as a package publishes it. */
  async function toPublishedBuild(
    contract: IndexedContract,
    { abi }: Artifact,
    json: JsonText,
  ): Promise<ContractBuild | undefined> {
    const output = await readPublishedOutput(json, contract, { slices });
    if (!output) return undefined;
    const parsed = parseMetadata(output.metadata);
    const at = (source: string) => toWorkspacePath(contract, source);
    return {
      ...{ contract, ...output, ...readSettings(parsed.settings), sources: [], rawAbi: abi },
      readSourceChanges: () => readChanges(contract, asRecord(parsed.sources), at),
      nameVariables: async () => new Map(),
      readSource: async () => undefined,
    };
  }

  const readChanges = (
    contract: IndexedContract,
    hashes: PlainRecord,
    at: (source: string) => string | undefined,
  ): Promise<SourceChanges> =>
    compareSources(contract, { hashes, at, readText: readSourceFile, files }, { slices });

  async function nameFromArtifact(
    path: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    const json = ids.length > 0 ? await readJson(path) : undefined;
    if (json) await addVariableNames(names, { json, astAt: findMember(json, 0, 'ast'), ids }, slices);
    return names;
  }

  /** Hardhat 2 names the build in a file beside the artifact. */
  async function readBuildPath(path: string): Promise<string | undefined> {
    const json = await readJson(path.replace(/\.json$/, '.dbg.json'));
    const { buildInfo } = json === undefined ? {} : pickMembers(json, 0, ['buildInfo']);
    return typeof buildInfo === 'string' ? toInnerPath(`${getFolder(path)}/${buildInfo}`) : undefined;
  }

  return {
    readFile: (contract, path) => readArtifact(contract, path).catch(ignoreBadInput),
    read(contract) {
      const { artifact } = contract;
      if (artifact === undefined) return Promise.resolve(undefined);
      const reading = builds.get(contract) ?? readArtifact(contract, artifact).catch(ignoreBadInput);
      builds.set(contract, reading);
      return reading;
    },
  };
}

/** Files outside of the workspace are not read, whatever an artifact names. */
function toInnerPath(path: string): string | undefined {
  const normal = normalizePath(path);
  return normal === undefined || /^(?:\/|\.\.(?:\/|$))/.test(normal) ? undefined : normal;
}

/** The path of a source as a compiler has it, from the root of the workspace. */
function toWorkspacePath({ project }: IndexedContract, source: string): string | undefined {
  return source.startsWith('/') ? undefined : toInnerPath(joinPath(project, source));
}

/** The path of a source by its ID. */
type SourceTable = Readonly<Record<string, string>>;

const ARTIFACT_MEMBERS = [
  ...(['_format', 'bytecode', 'deployedBytecode', 'metadata', 'rawMetadata', 'id'] as const),
  ...(['contractName', 'sourceName', 'inputSourceName', 'buildInfoId'] as const),
  ...(['linkReferences', 'deployedLinkReferences', 'immutableReferences', 'deployedSourceMap'] as const),
  ...(['abi', 'storageLayout'] as const),
] as const;
type Artifact = { readonly [Name in (typeof ARTIFACT_MEMBERS)[number]]?: unknown };

/** A file that is broken or too deep is as one that is missing. */
function ignoreBadInput(error: unknown): undefined {
  if (!isAppError(error, 'badInput')) throw error;
  return undefined;
}

/** Adds the names of the state variables with these IDs: contracts are in a source, and variables in contracts. */
async function addVariableNames(
  names: Map<string, string>,
  {
    json,
    astAt,
    ids,
  }: { readonly json: JsonText; readonly astAt: number | undefined; readonly ids: readonly string[] },
  slices: TimeSlices,
): Promise<void> {
  for (const contract of listNodes(json, astAt)) {
    for (const node of listNodes(json, contract)) {
      const { id, name } = pickMembers(json, node, ['id', 'name']);
      if (ids.includes(String(id)) && typeof name === 'string') names.set(String(id), name);
      if (slices.isOver()) await slices.rest();
    }
  }
}

/** Where the members of an object are; empty for none. */
const listMembers = (json: JsonText, at: number | undefined): ReadonlyMap<string, number> =>
  new Map(at === undefined ? [] : Array.from(scanMembers(json, at), ({ name, from }) => [name, from]));

/** A source and all that it imports, by the syntax trees. */
async function listImported(
  file: string,
  importsOf: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found = new Set([file]);
  for (const name of found)
    for (const each of await importsOf(name)) if (found.size <= MAX_IMPORTED) found.add(each);
  return [...found];
}

/** Sources of one contract; more are reported as not compared. */
const MAX_IMPORTED = 600;

function listImports(json: JsonText, astAt: number | undefined): readonly string[] {
  return [...listNodes(json, astAt)].flatMap((node) => {
    const { nodeType, absolutePath } = pickMembers(json, node, ['nodeType', 'absolutePath']);
    return nodeType === 'ImportDirective' && typeof absolutePath === 'string' ? absolutePath : [];
  });
}

function* listNodes(json: JsonText, at: number | undefined): Generator<number> {
  const nodesAt = at === undefined || !isObjectAt(json, at) ? undefined : findMember(json, at, 'nodes');
  if (nodesAt === undefined || !isListAt(json, nodesAt)) return;
  for (const { from } of scanElements(json, nodesAt)) if (isObjectAt(json, from)) yield from;
}

function parseMetadata(text: unknown): PlainRecord {
  return asRecord(typeof text === 'string' ? parseJsonText(text) : undefined);
}

/** The text of solc has its members in order. */
function sortMetadata(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) return undefined;
  return JSON.stringify(metadata, (_, value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareValues(a, b)))
      : value,
  );
}

function readSettings(value: unknown): Pick<ContractBuild, 'isOptimized' | 'isViaIr'> {
  const settings = asRecord(value);
  if (!isRecord(value)) return { isOptimized: true, isViaIr: true };
  const { enabled, details } = asRecord(settings.optimizer);
  // Details turn parts of the optimizer on, whatever `enabled` says.
  return { isOptimized: enabled !== false || details !== undefined, isViaIr: settings.viaIR === true };
}

/** Hardhat 3 compiles `project/contracts/A.sol` and `npm/package@1.2.3/A.sol`; its map has the names of the user. */
function createSourcePaths(names: unknown): (source: string) => string {
  const users = new Map(Object.entries(asRecord(names)).map(([user, source]) => [source, user]));
  return (source) => {
    const user = users.get(source);
    if (user === undefined) return source.replace(/^project\//, '');
    return source.startsWith('npm/') ? `node_modules/${user}` : user;
  };
}

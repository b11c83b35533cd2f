import { badInput, isAppError } from '../../base/errors.ts';
import { looksLikeAddress } from '../../base/names.ts';
import { sanitizeText } from '../../base/text.ts';
import { asRecord, type PlainRecord } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import { getBaseName, getFolder, type ProjectLayout } from '../layout.ts';
import { formatUnread, readAnyAbi } from './anyAbi.ts';
import { isLibraryCode, readCompilerOutput } from './compilerOutput.ts';
import {
  type ContractFacts,
  createDeployment,
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FactsFile,
  type FactsInSteps,
  type FileFacts,
  type LabelFacts,
  MAX_NAME_CHARS,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readContractAddress,
  readName,
  readSourcePath,
  readTransactionHash,
} from './facts.ts';
import { findChainInPath, getFileStem } from './fileKind.ts';
import { isListAt, isObjectAt, type JsonSpan, parseSpan, pickMembers, scanMembers } from './jsonScan.ts';

/** Networks in one Truffle artifact: more than any project deploys to. */
const MAX_NETWORKS = 1_000;
/** Of one response of an explorer, which has one. */
const MAX_RESULTS = 16;
/** Characters after `compilationTarget` in which its only entry must be. */
const MAX_TARGET_CHARS = 2_048;
/** Per file: the Safe contracts are on some 400 networks, at up to three addresses. */
const MAX_DEPLOYMENT_ENTRIES = 5_000;

/**
 * Reads an object with an `abi`: an artifact of Foundry, Hardhat, Truffle or 0x, the metadata of solc, a deployment of
 * hardhat-deploy, an asset of safe-deployments, or a handwritten one. An object without an `abi` may be the output of a
 * compiler.
 */
export function* readArtifact(file: FactsFile, layout: ProjectLayout): FactsInSteps {
  const parts = readArtifactParts(file.text);
  yield;
  if (!parts.abi) return readCompilerOutput(file.text);
  const abi = parseSpan(file.text, parts.abi);
  yield;
  const { facts, unread } = readAnyAbi(abi, { isLibrary: parts.isLibrary });
  yield;
  const contract: ContractFacts = {
    name: findName(file.path, parts),
    source: findSourcePath(parts, layout),
    line: undefined,
    ...facts,
    itemLines: undefined,
    ...(parts.address !== undefined && parts.isOfProxy && { isOfProxy: true }),
  };
  const own = readOwnAddress(file, parts, contract.name);
  const bounds = createReadBounds();
  return {
    contracts: [contract],
    deployments: [
      ...own.deployments,
      ...readNetworks(file.text, parts, { contract: contract.name, bounds }),
      ...readDeploymentsByNetwork(file.text, parts, { contract: contract.name, bounds }),
    ],
    labels: own.labels,
    ...formatUnread(unread),
    ...bounds.summary,
  };
}

/** Reads a bare list of ABI items, objects or human-readable ones; the name of the file names the contract. */
export function* readAbiList(file: FactsFile): FactsInSteps {
  const abi = parseSpan(file.text, { from: 0, to: file.text.length });
  yield;
  const { facts, unread } = readAnyAbi(abi);
  const name = readFileName(getFileStem(file.path)) ?? 'Contract';
  const contract = { name, source: undefined, line: undefined, itemLines: undefined, ...facts };
  return {
    ...emptyFacts,
    contracts: facts.abi.length === 0 ? [] : [contract],
    ...formatUnread(unread),
  };
}

/**
 * Reads a saved response of an Etherscan API: an ABI as text, or a list of sources with theirs.
 * https://docs.etherscan.io/api-reference/endpoint/getabi
 */
export function readExplorerResponse({ path, text }: FactsFile, result: JsonSpan): FileFacts {
  const parsed = parseSpan(text, result);
  const entries = Array.isArray(parsed) ? parsed.slice(0, MAX_RESULTS) : [{ ABI: parsed }];
  const contracts = entries.flatMap((entry): ContractFacts[] => {
    const { ABI, ContractName } = asRecord(entry);
    const { facts: read } = readAnyAbi(ABI);
    const name = readName(ContractName) ?? readFileName(getFileStem(path)) ?? 'Contract';
    return read.abi.length === 0
      ? []
      : [{ name, source: undefined, line: undefined, ...read, itemLines: undefined }];
  });
  return { ...emptyFacts, contracts };
}

/** Whether the value at `at` may be an ABI: a list, or one as JSON in a text, which may begin with escaped blanks. */
export function isAbiAt(text: string, at: number): boolean {
  return isListAt(text, at) || /^\s{0,64}"[\s\\nrt"]{0,48}\[/.test(text.slice(at, at + 120));
}

/** The parts of an artifact that are read; the rest is skipped. */
interface ArtifactParts {
  readonly abi?: JsonSpan | undefined;
  readonly contractName?: unknown;
  readonly sourceName?: unknown;
  readonly sourcePath?: unknown;
  /** Of Ape. */
  readonly sourceId?: unknown;
  /** Path and name of the compiled contract, from `metadata`. */
  readonly target?: readonly [source: string, contract: string] | undefined;
  /** The source path in the syntax tree, for artifacts without metadata. */
  readonly astPath?: unknown;
  readonly networks?: JsonSpan;
  readonly deployments?: JsonSpan;
  readonly networkAddresses?: JsonSpan;
  readonly address?: unknown;
  readonly chainId?: unknown;
  readonly receipt?: JsonSpan;
  readonly transactionHash?: unknown;
  /** Of hardhat-deploy 2, with `hash`. */
  readonly transaction?: JsonSpan;
  /** Whether hardhat-deploy wrote it for a proxy: the ABI also has the items of the implementation, the metadata does not. */
  readonly isOfProxy?: boolean;
  /** Whether it is a library, by its code; undefined if the code, at the end of an artifact, was not read. */
  readonly isLibrary?: boolean;
  /** Of Brownie, with address, chain and block. */
  readonly deployment?: JsonSpan;
}

/**
 * Scans an artifact until everything that its tool writes is found. Foundry's metadata comes before its syntax tree, and
 * Hardhat's ABI before its bytecode: bytecode and trees are never parsed.
 *
 * @throws AppError `badInput` if the text is not an object or ends too early.
 */
function readArtifactParts(text: string): ArtifactParts {
  const parts: { -readonly [Name in keyof ArtifactParts]: ArtifactParts[Name] } = {};
  let hardhat = false;
  let [hasCode, needsCode] = [false, false];
  for (const { name, from, to } of scanMembers(text)) {
    switch (name) {
      case 'abi':
      case 'ABI':
      case 'interface':
        if (isAbiAt(text, from)) parts.abi = { from, to };
        needsCode = parts.abi !== undefined && hasStruct(text, parts.abi);
        break;
      case '_format':
        hardhat = true;
        break;
      case 'ContractName':
        parts.contractName ??= parseSpan(text, { from, to });
        break;
      case 'contractName':
      case 'sourceName':
      case 'sourcePath':
      case 'sourceId':
      case 'address':
      case 'chainId':
      case 'transactionHash':
        if (!isListAt(text, from) && !isObjectAt(text, from)) parts[name] = parseSpan(text, { from, to });
        break;
      case 'output':
      case 'compilerOutput':
        parts.abi ??= findAbi(text, from);
        break;
      case 'settings':
        parts.target ??= readTargetOfSettings(text, from);
        break;
      case 'metadata':
        parts.target = readTarget(text, { from, to });
        break;
      case 'ast':
        parts.astPath = readAstPath(text, from);
        break;
      case 'networks':
      case 'deployments':
      case 'networkAddresses':
      case 'receipt':
      case 'transaction':
      case 'deployment':
        if (isObjectAt(text, from)) parts[name] = { from, to };
        break;
      case 'bin-runtime':
      case 'deployedBytecode':
      case 'evm':
        if (isLibraryCode(text, { name, from, to })) parts.isLibrary = true;
        break;
      case 'implementation':
      case 'facets':
        parts.isOfProxy = true;
        break;
    }
    if (name === 'deployedBytecode') hasCode = true;
    const isComplete = hardhat ? parts.sourceName !== undefined : isFoundry(parts);
    if (parts.abi && isComplete && (hasCode || !needsCode)) break;
  }
  return parts;
}

/** Whether selectors depend on the kind of the contract. */
function hasStruct(text: string, { from, to }: JsonSpan): boolean {
  return text.slice(from, to).includes('"struct ');
}

/** Only Foundry writes no name: it is in the metadata. */
function isFoundry(parts: ArtifactParts): boolean {
  return parts.target !== undefined && parts.contractName === undefined && parts.address === undefined;
}

/**
 * The compiled contract in `metadata`: an object (Foundry), or JSON in a string (hardhat-deploy, Truffle), with escaped
 * quotes. https://docs.soliditylang.org/en/latest/metadata.html
 */
function readTarget(text: string, { from, to }: JsonSpan): ArtifactParts['target'] {
  if (isObjectAt(text, from)) return readTargetOfObject(text, from);
  const at = text.indexOf('compilationTarget', from);
  if (at === -1 || at >= to) return undefined;
  const piece = text.slice(at, Math.min(to, at + MAX_TARGET_CHARS)).replaceAll('\\"', '"');
  const found =
    /^compilationTarget"\s{0,8}:\s{0,8}\{\s{0,8}"([^"]{1,512})"\s{0,8}:\s{0,8}"([^"]{1,128})"/.exec(piece);
  return found?.[1] && found[2] ? [found[1], found[2]] : undefined;
}

function readTargetOfObject(text: string, at: number): ArtifactParts['target'] {
  for (const { name, from } of scanMembers(text, at)) {
    const target = name === 'settings' ? readTargetOfSettings(text, from) : undefined;
    if (target) return target;
  }
  return undefined;
}

function readTargetOfSettings(text: string, at: number): ArtifactParts['target'] {
  for (const target of isObjectAt(text, at) ? scanMembers(text, at) : []) {
    if (target.name !== 'compilationTarget' || !isObjectAt(text, target.from)) continue;
    for (const { name, from, to } of scanMembers(text, target.from)) {
      const contract = parseSpan(text, { from, to });
      return typeof contract === 'string' ? [name, contract] : undefined;
    }
  }
  return undefined;
}

function findAbi(text: string, at: number): JsonSpan | undefined {
  for (const { name, from, to } of isObjectAt(text, at) ? scanMembers(text, at) : []) {
    if (name === 'abi' && isAbiAt(text, from)) return { from, to };
  }
  return undefined;
}

function readAstPath(text: string, at: number): unknown {
  if (!isObjectAt(text, at)) return undefined;
  for (const { name, from, to } of scanMembers(text, at)) {
    if (name === 'absolutePath') return parseSpan(text, { from, to });
  }
  return undefined;
}

function findName(path: string, { address, contractName, target, isOfProxy }: ArtifactParts): string {
  const isTarget = address === undefined || !isOfProxy;
  const name = readName(contractName ?? (isTarget ? target?.[1] : undefined)) ?? readOwnName(path, address);
  if (name === undefined) throw badInput('artifact', 'It has no name.');
  return name;
}

/** The name of a file, which names the deployment in it. */
function readOwnName(path: string, address: unknown): string | undefined {
  return readFileName(address === undefined ? getFileStem(path) : getBaseName(path).replace(/\.json$/i, ''));
}

/** The name of a file names a contract even where it is the address, as of a downloaded ABI; it labels no address. */
function readFileName(name: string): string | undefined {
  return sanitizeText(name, MAX_NAME_CHARS) || undefined;
}

/** Relative to the project's root; Truffle writes an absolute path of the machine that compiled it. */
function findSourcePath(parts: ArtifactParts, layout: ProjectLayout): string | undefined {
  if (parts.address !== undefined && parts.isOfProxy) return undefined;
  const written = readSourcePath(
    parts.sourceName ?? parts.target?.[0] ?? parts.astPath ?? parts.sourcePath ?? parts.sourceId,
  );
  const path = written?.replace(/^project:\//, '');
  if (path === undefined || !/^(?:\/|[A-Za-z]:\/)/.test(path)) return path;
  for (const folder of layout.src) {
    const at = folder === '' ? -1 : path.lastIndexOf(`/${folder}/`);
    if (at !== -1) return path.slice(at + 1);
  }
  return undefined;
}

/** Reads the `address` beside the ABI: a deployment if the chain is known, else a label. */
function readOwnAddress(
  file: FactsFile,
  parts: ArtifactParts,
  contractName: string,
): { deployments: readonly DeploymentFacts[]; labels: readonly LabelFacts[] } {
  const brownie = parseRecord(file.text, parts.deployment);
  const address = readContractAddress(parts.address ?? brownie.address);
  if (!address) return emptyFacts;
  const chainId =
    readChainId(parts.chainId ?? brownie.chainid) ??
    readChainFile(file.companion) ??
    findChainInPath(getFolder(file.path));
  // Without `address`, the file is of Brownie, which writes the name of the contract.
  const name = readName(parts.contractName) ?? readOwnName(file.path, parts.address) ?? contractName;
  const label = looksLikeAddress(name) ? undefined : name;
  if (chainId === undefined) {
    return { deployments: [], labels: label === undefined ? [] : [{ address, name: label, chainId }] };
  }
  const receipt = readReceipt(file.text, parts.receipt);
  const sent = parseRecord(file.text, parts.transaction);
  const transaction = readTransactionHash(parts.transactionHash ?? sent.hash) ?? receipt.transaction;
  const deployment = {
    chainId,
    address,
    contract: label,
    block: receipt.block ?? readBlockNumber(brownie.blockHeight),
    transaction,
    commit: undefined,
    ...(label !== contractName && { contractType: contractName }),
  };
  return { deployments: [deployment], labels: [] };
}

/** `.chainId` of hardhat-deploy has the ID alone, `.chain` of its second version an object with it. */
function readChainFile(text = ''): string | undefined {
  if (!isObjectAt(text, 0)) return readChainId(text.trim());
  try {
    return readChainId(pickMembers(text, 0, ['chainId']).chainId);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

function readReceipt(text: string, span: JsonSpan | undefined) {
  let block: bigint | undefined;
  let transaction: DeploymentFacts['transaction'];
  for (const { name, from, to } of span ? scanMembers(text, span.from) : []) {
    if (name === 'blockNumber') block = readBlockNumber(parseSpan(text, { from, to }));
    if (name === 'transactionHash') transaction = readTransactionHash(parseSpan(text, { from, to }));
  }
  return { block, transaction };
}

/** The networks of a Truffle artifact, by network ID, which equals the chain ID except on private chains. */
function readNetworks(
  text: string,
  { networks }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: ReadBounds },
): readonly DeploymentFacts[] {
  const found: DeploymentFacts[] = [];
  const members = networks ? scanMembers(text, networks.from) : [];
  for (const network of bounds.first(MAX_NETWORKS, 'networks', members)) {
    const { address, transactionHash } = asRecord(parseSpan(text, network));
    const at = readContractAddress(address);
    if (!at) continue;
    const transaction = readTransactionHash(transactionHash);
    for (const chainId of listChainIds(network.name))
      found.push({ chainId, address: at, contract, block: undefined, transaction, commit: undefined });
  }
  return found;
}

/**
 * The chains that a network ID may be of. Ganache's chain ID is 1337 by default; its network ID is 5777 in its window and
 * in `truffle develop`, else the time of its start in milliseconds. https://github.com/trufflesuite/ganache
 */
function listChainIds(networkId: string): readonly string[] {
  if (/^1[4-9]\d{11}$/.test(networkId)) return [GANACHE_CHAIN_ID];
  const chainId = readChainId(networkId);
  if (chainId === undefined) return [];
  return chainId === GANACHE_NETWORK_ID ? [chainId, GANACHE_CHAIN_ID] : [chainId];
}

const GANACHE_CHAIN_ID = '1337';
const GANACHE_NETWORK_ID = '5777';

/**
 * The deployments in an asset of safe-deployments. `networkAddresses` maps chain IDs to one or several names of addresses in
 * `deployments`; releases before 2 have the address itself.
 * https://github.com/safe-global/safe-deployments
 */
function readDeploymentsByNetwork(
  text: string,
  { networkAddresses, deployments }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: ReadBounds },
): readonly DeploymentFacts[] {
  const named = parseRecord(text, deployments);
  const found: DeploymentFacts[] = [];
  for (const [network, entry] of Object.entries(parseRecord(text, networkAddresses))) {
    const chainId = readChainId(network);
    if (chainId === undefined) continue;
    for (const each of Array.isArray(entry) ? entry : [entry]) {
      if (!bounds.allow(found.length, MAX_DEPLOYMENT_ENTRIES, 'deployments')) return found;
      const address = resolveAddress(each, named);
      if (address) found.push(createDeployment({ chainId, address, contract }));
    }
  }
  return found;
}

function resolveAddress(nameOrAddress: unknown, named: PlainRecord): Address | undefined {
  const isNamed = typeof nameOrAddress === 'string' && Object.hasOwn(named, nameOrAddress);
  return readContractAddress(isNamed ? asRecord(named[nameOrAddress]).address : nameOrAddress);
}

function parseRecord(text: string, span: JsonSpan | undefined): PlainRecord {
  return span ? asRecord(parseSpan(text, span)) : {};
}

import { parseAbi } from '../../abi/parseAbi.ts';
import { badInput } from '../../base/errors.ts';
import { asRecord, isRecord, type PlainRecord } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import { getBaseName, getFolder, type ProjectLayout } from '../layout.ts';
import {
  createDeployment,
  type ContractFacts,
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FactsFile,
  type FileFacts,
  type LabelFacts,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readContractAddress,
  readName,
  readSourcePath,
  readTransactionHash,
} from './facts.ts';
import { findChainInPath, getFileStem } from './fileKind.ts';
import { isListAt, isObjectAt, type JsonSpan, parseSpan, scanMembers } from './jsonScan.ts';

/** Networks of one Truffle artifact: more than any project deploys to. */
const MAX_NETWORKS = 1_000;

/**
 * An object with an `abi`: the artifact of Foundry, Hardhat or Truffle, a deployment of hardhat-deploy, an asset of
 * safe-deployments, or what somebody wrote. An object without one tells nothing.
 */
export function readArtifact(file: FactsFile, layout: ProjectLayout): FileFacts {
  const parts = readArtifactParts(file.text);
  if (!parts.abi) return emptyFacts;
  const contract: ContractFacts = {
    name: nameOf(file.path, parts),
    source: sourceOf(parts, layout),
    line: undefined,
    abi: abiAt(file.text, parts.abi),
    itemLines: undefined,
  };
  const own = ownDeployment(file, parts, contract.name);
  const bounds = createReadBounds();
  return {
    contracts: [contract],
    deployments: [
      ...own.deployments,
      ...networksOf(file.text, parts, { contract: contract.name, bounds }),
      ...readDeploymentsByNetwork(file.text, parts, { contract: contract.name, bounds }),
    ],
    labels: own.labels,
    ...bounds.summary,
  };
}

/** A list of ABI items alone; the contract has the name of the file. */
export function readAbiList(file: FactsFile): FileFacts {
  const json = parseSpan(file.text, { from: 0, to: file.text.length });
  const { items } = parseAbi(json);
  if (items.length === 0) return emptyFacts;
  const name = readName(getFileStem(file.path)) ?? 'Contract';
  return {
    ...emptyFacts,
    contracts: [{ name, source: undefined, line: undefined, abi: items, itemLines: undefined }],
  };
}

function abiAt(text: string, span: JsonSpan): ContractFacts['abi'] {
  return parseAbi(parseSpan(text, span)).items;
}

function nameOf(path: string, parts: ArtifactParts): string {
  const fromFile = readName(
    parts.address === undefined ? getFileStem(path) : getBaseName(path).replace(/\.json$/i, ''),
  );
  const told = parts.contractName ?? (parts.address === undefined ? parts.target?.[1] : undefined);
  const name = readName(told) ?? fromFile;
  if (name === undefined) throw badInput('artifact', 'It has no name.');
  return name;
}

/** From the root of the project; Truffle writes where the file was on the machine that compiled it. */
function sourceOf(parts: ArtifactParts, layout: ProjectLayout): string | undefined {
  const written = readSourcePath(parts.sourceName ?? parts.target?.[0] ?? parts.astPath ?? parts.sourcePath);
  const path = written?.replace(/^project:\//, '');
  if (path === undefined || !/^(?:\/|[A-Za-z]:\/)/.test(path)) return path;
  for (const folder of layout.src) {
    const at = folder === '' ? -1 : path.lastIndexOf(`/${folder}/`);
    if (at !== -1) return path.slice(at + 1);
  }
  return undefined;
}

/** What `address` beside the ABI says: a deployment where the chain is known, else a name. */
function ownDeployment(
  file: FactsFile,
  parts: ArtifactParts,
  name: string,
): { deployments: readonly DeploymentFacts[]; labels: readonly LabelFacts[] } {
  const address = readContractAddress(parts.address);
  if (!address) return emptyFacts;
  const chainId =
    readChainId(parts.chainId) ??
    readChainId(file.companion?.trim()) ??
    findChainInPath(getFolder(file.path));
  if (chainId === undefined) return { deployments: [], labels: [{ address, name, chainId: undefined }] };
  const receipt = receiptOf(file.text, parts.receipt);
  const transaction = readTransactionHash(parts.transactionHash) ?? receipt.transaction;
  const deployment = {
    chainId,
    address,
    contract: name,
    block: receipt.block,
    transaction,
    commit: undefined,
  };
  return { deployments: [deployment], labels: [] };
}

function receiptOf(text: string, span: JsonSpan | undefined) {
  let block: bigint | undefined;
  let transaction: DeploymentFacts['transaction'];
  for (const { name, from, to } of span ? scanMembers(text, span.from) : []) {
    if (name === 'blockNumber') block = readBlockNumber(parseSpan(text, { from, to }));
    if (name === 'transactionHash') transaction = readTransactionHash(parseSpan(text, { from, to }));
  }
  return { block, transaction };
}

/** Of a Truffle artifact, by the id of the network, which is the chain id but on some private chains. */
function networksOf(
  text: string,
  { networks }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: ReadBounds },
): readonly DeploymentFacts[] {
  const found: DeploymentFacts[] = [];
  const members = networks ? scanMembers(text, networks.from) : [];
  for (const network of bounds.first(MAX_NETWORKS, 'networks', members)) {
    const { address, transactionHash } = asRecord(parseSpan(text, network));
    const [chainId, at] = [readChainId(network.name), readContractAddress(address)];
    if (chainId === undefined || !at) continue;
    const transaction = readTransactionHash(transactionHash);
    found.push({ chainId, address: at, contract, block: undefined, transaction, commit: undefined });
  }
  return found;
}

/** What is read of an artifact; everything else in it is passed over. */
interface ArtifactParts {
  readonly abi?: JsonSpan;
  readonly contractName?: unknown;
  readonly sourceName?: unknown;
  readonly sourcePath?: unknown;
  /** Source and contract that `metadata` says were compiled. */
  readonly target?: readonly [source: string, contract: string] | undefined;
  /** The source in the syntax tree, where there is no metadata. */
  readonly astPath?: unknown;
  readonly networks?: JsonSpan;
  readonly deployments?: JsonSpan;
  readonly networkAddresses?: JsonSpan;
  readonly address?: unknown;
  readonly chainId?: unknown;
  readonly receipt?: JsonSpan;
  readonly transactionHash?: unknown;
}

/** Characters after the word `compilationTarget` in which its one entry stands. */
const MAX_TARGET_CHARS = 2_048;

/**
 * Reads the text of an artifact up to where all is known that its tool writes: Foundry's up to its metadata, which comes
 * before the syntax tree, Hardhat's up to its ABI. Bytecode and trees are never parsed.
 *
 * @throws AppError `badInput` where it is no object or ends too early.
 */
function readArtifactParts(text: string): ArtifactParts {
  const parts: { -readonly [Name in keyof ArtifactParts]: ArtifactParts[Name] } = {};
  let hardhat = false;
  for (const { name, from, to } of scanMembers(text)) {
    switch (name) {
      case 'abi':
        if (isListAt(text, from)) parts.abi = { from, to };
        break;
      case '_format':
        hardhat = true;
        break;
      case 'contractName':
      case 'sourceName':
      case 'sourcePath':
      case 'address':
      case 'chainId':
      case 'transactionHash':
        if (!isListAt(text, from) && !isObjectAt(text, from)) parts[name] = parseSpan(text, { from, to });
        break;
      case 'metadata':
        parts.target = targetOf(text, { from, to });
        break;
      case 'ast':
        parts.astPath = astPathOf(text, from);
        break;
      case 'networks':
      case 'deployments':
      case 'networkAddresses':
      case 'receipt':
        if (isObjectAt(text, from)) parts[name] = { from, to };
        break;
    }
    const whole = hardhat ? parts.sourceName !== undefined : isFoundry(parts);
    if (parts.abi && whole) break;
  }
  return parts;
}

/** Foundry alone writes no name: it stands in the metadata. */
function isFoundry(parts: ArtifactParts): boolean {
  return parts.target !== undefined && parts.contractName === undefined && parts.address === undefined;
}

/**
 * The compiled contract in `metadata`, an object (Foundry) or the text of one (hardhat-deploy, Truffle), in which quotes
 * are escaped: https://docs.soliditylang.org/en/latest/metadata.html
 */
function targetOf(text: string, { from, to }: JsonSpan): ArtifactParts['target'] {
  if (isObjectAt(text, from)) return targetOfObject(text, from);
  const at = text.indexOf('compilationTarget', from);
  if (at === -1 || at >= to) return undefined;
  const piece = text.slice(at, Math.min(to, at + MAX_TARGET_CHARS)).replaceAll('\\"', '"');
  const found =
    /^compilationTarget"\s{0,8}:\s{0,8}\{\s{0,8}"([^"]{1,512})"\s{0,8}:\s{0,8}"([^"]{1,128})"/.exec(piece);
  return found?.[1] && found[2] ? [found[1], found[2]] : undefined;
}

function targetOfObject(text: string, at: number): ArtifactParts['target'] {
  for (const settings of scanMembers(text, at)) {
    if (settings.name !== 'settings' || !isObjectAt(text, settings.from)) continue;
    for (const target of scanMembers(text, settings.from)) {
      if (target.name !== 'compilationTarget' || !isObjectAt(text, target.from)) continue;
      for (const { name, from, to } of scanMembers(text, target.from)) {
        const contract = parseSpan(text, { from, to });
        return typeof contract === 'string' ? [name, contract] : undefined;
      }
    }
  }
  return undefined;
}

function astPathOf(text: string, at: number): unknown {
  if (!isObjectAt(text, at)) return undefined;
  for (const { name, from, to } of scanMembers(text, at)) {
    if (name === 'absolutePath') return parseSpan(text, { from, to });
  }
  return undefined;
}

/** Types of the items of an ABI, https://docs.soliditylang.org/en/latest/abi-spec.html#json */
const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'function',
  'event',
  'error',
  'constructor',
  'fallback',
  'receive',
]);

/** Whether a list is an ABI, which its first entry shows. */
export function isAbiList([first]: readonly unknown[]): boolean {
  return isRecord(first) && ITEM_TYPES.has(first.type);
}

/** Entries of one file: the Safe contracts are on some 400 networks, at up to three addresses. */
const MAX_DEPLOYMENT_ENTRIES = 5_000;

/**
 * The deployments of a contract in an asset of safe-deployments: `networkAddresses` has, by chain id, the names of the
 * addresses in `deployments`, one or several; releases before 2 have the address itself.
 * https://github.com/safe-global/safe-deployments
 */
function readDeploymentsByNetwork(
  text: string,
  { networkAddresses, deployments }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: ReadBounds },
): readonly DeploymentFacts[] {
  const named = recordAt(text, deployments);
  const found: DeploymentFacts[] = [];
  for (const [network, told] of Object.entries(recordAt(text, networkAddresses))) {
    const chainId = readChainId(network);
    if (chainId === undefined) continue;
    for (const each of Array.isArray(told) ? told : [told]) {
      if (!bounds.allow(found.length, MAX_DEPLOYMENT_ENTRIES, 'deployments')) return found;
      const address = addressOf(each, named);
      if (address) found.push(createDeployment({ chainId, address, contract }));
    }
  }
  return found;
}

function addressOf(told: unknown, named: PlainRecord): Address | undefined {
  const isNamed = typeof told === 'string' && Object.hasOwn(named, told);
  return readContractAddress(isNamed ? asRecord(named[told]).address : told);
}

function recordAt(text: string, span: JsonSpan | undefined): PlainRecord {
  return span ? asRecord(parseSpan(text, span)) : {};
}

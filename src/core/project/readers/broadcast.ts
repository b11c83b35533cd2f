import { asList, asRecord } from '../../base/values.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { getBaseName, getFolder } from '../layout.ts';
import {
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FactsFile,
  type FileFacts,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readCommit,
  readContractAddress,
  readName,
  readTransactionHash,
} from './facts.ts';
import { isListAt, isObjectAt, parseSpan, pickMembers, scanElements, scanMembers } from './jsonScan.ts';

/** Of one file; the largest real ones have a few thousand. */
const MAX_TRANSACTIONS = 5_000;
const MAX_LIBRARIES = 1_000;

/** The state of a transaction of which there is a receipt. */
interface Receipt {
  readonly failed: boolean;
  readonly block: bigint | undefined;
  readonly hash: Hex | undefined;
}

/**
 * What a run of `forge script --broadcast` deployed, of one chain or (`multi/`) of several. Left out is what has failed or
 * has no receipt yet. https://github.com/foundry-rs/foundry/tree/master/crates/script-sequence
 */
export function readBroadcast({ path, text }: FactsFile): FileFacts {
  const bounds = createReadBounds();
  const found = new Map<string, DeploymentFacts>();
  const ofFolder = readChainId(getBaseName(getFolder(path)));
  for (const { name, from } of scanMembers(text)) {
    if (name !== 'deployments' || !isListAt(text, from)) continue;
    for (const each of scanElements(text, from))
      readSequence(text, { at: each.from, folderChainId: undefined, bounds }, found);
  }
  readSequence(text, { at: 0, folderChainId: ofFolder, bounds }, found);
  return { ...emptyFacts, deployments: [...found.values()], ...bounds.summary };
}

interface Sequence {
  /** Where it begins. */
  readonly at: number;
  /** The chain of its folder: releases before 2023 say it there alone. */
  readonly folderChainId: string | undefined;
  readonly bounds: ReadBounds;
}

function readSequence(
  text: string,
  { at, folderChainId: ofFolder, bounds }: Sequence,
  found: Map<string, DeploymentFacts>,
): void {
  const lists = new Map<string, number>();
  let chainId = ofFolder;
  let commit: string | undefined;
  let libraries: readonly (readonly [Address, string | undefined])[] = [];
  for (const { name, from, to } of isObjectAt(text, at) ? scanMembers(text, at) : []) {
    if ((name === 'transactions' || name === 'receipts') && isListAt(text, from)) lists.set(name, from);
    if (name === 'chain') chainId = readChainId(parseSpan(text, { from, to }));
    if (name === 'commit') commit = readCommit(parseSpan(text, { from, to }));
    if (name === 'libraries') libraries = librariesIn(parseSpan(text, { from, to }), bounds);
  }
  if (chainId === undefined) return;
  const receipts = receiptsIn(text, lists.get('receipts'), bounds);
  const put = (address: Address, contract: string | undefined, receipt: Receipt | undefined) => {
    const [block, transaction] = [receipt?.block, receipt?.hash];
    found.set(`${chainId}:${address}`, { chainId, address, contract, block, transaction, commit });
  };
  const names = new Map(libraries);
  const created = new Set<Address>();
  for (const { hash, contracts } of transactionsIn(text, lists.get('transactions'), bounds)) {
    const receipt = receipts.get(hash ?? contracts[0]?.address ?? '');
    for (const { address, contract } of contracts) {
      created.add(address);
      if (receipt && !receipt.failed) put(address, contract ?? names.get(address), receipt);
    }
  }
  // Linked into this run, but deployed before it.
  for (const [address, contract] of libraries) if (!created.has(address)) put(address, contract, undefined);
}

interface Creation {
  readonly address: Address;
  readonly contract: string | undefined;
}

function* transactionsIn(
  text: string,
  at: number | undefined,
  bounds: ReadBounds,
): Generator<{ readonly hash: Hex | undefined; readonly contracts: readonly Creation[] }> {
  const elements = at === undefined ? [] : scanElements(text, at);
  for (const { from } of bounds.first(MAX_TRANSACTIONS, 'transactions', elements)) {
    if (!isObjectAt(text, from)) return;
    const one = pickMembers(text, from, [
      'hash',
      'transactionType',
      'contractName',
      'contractAddress',
      'additionalContracts',
    ]);
    const more = Array.isArray(one.additionalContracts) ? one.additionalContracts.map(asRecord) : [];
    const contracts = [
      creationOf(one.transactionType, one.contractAddress, one.contractName),
      ...more.map((each) => creationOf(each.transactionType, each.address, each.contractName)),
    ];
    yield { hash: readTransactionHash(one.hash), contracts: contracts.filter((each) => each !== undefined) };
  }
}

function creationOf(type: unknown, at: unknown, name: unknown): Creation | undefined {
  const address = type === 'CREATE' || type === 'CREATE2' ? readContractAddress(at) : undefined;
  return address && { address, contract: withoutPath(readName(name)) };
}

/** By the hash of their transaction, and by the address that they created. */
function receiptsIn(text: string, at: number | undefined, bounds: ReadBounds): ReadonlyMap<string, Receipt> {
  const found = new Map<string, Receipt>();
  const elements = at === undefined ? [] : scanElements(text, at);
  for (const { from } of bounds.first(MAX_TRANSACTIONS, 'receipts', elements)) {
    if (!isObjectAt(text, from)) break;
    const one = pickMembers(text, from, ['transactionHash', 'contractAddress', 'blockNumber', 'status']);
    const [hash, address] = [
      readTransactionHash(one.transactionHash),
      readContractAddress(one.contractAddress),
    ];
    // Chains before Byzantium have no status.
    const failed = ['0x0', '0x', '0', 0, false].some((status) => one.status === status);
    const receipt = { failed, block: readBlockNumber(one.blockNumber), hash };
    if (hash) found.set(hash, receipt);
    if (address) found.set(address, receipt);
  }
  return found;
}

/** `src/Lib.sol:Lib:0x…` */
function librariesIn(
  value: unknown,
  bounds: ReadBounds,
): readonly (readonly [Address, string | undefined])[] {
  const found: (readonly [Address, string | undefined])[] = [];
  for (const text of bounds.first(MAX_LIBRARIES, 'libraries', asList(value))) {
    if (typeof text !== 'string') continue;
    const colon = text.lastIndexOf(':');
    const address = readContractAddress(text.slice(colon + 1));
    if (address) found.push([address, withoutPath(readName(text.slice(0, Math.max(0, colon))))]);
  }
  return found;
}

/** Foundry writes `src/Token.sol:Token` where several contracts have the name. */
function withoutPath(name: string | undefined): string | undefined {
  return name?.slice(name.lastIndexOf(':') + 1) || undefined;
}

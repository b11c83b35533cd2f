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

/** Per file; the largest real ones have a few thousand. */
const MAX_TRANSACTIONS = 5_000;
const MAX_LIBRARIES = 1_000;

/**
 * Reads what a run of `forge script --broadcast` deployed, on one chain or (`multi/`) several. Failed and unconfirmed
 * transactions are skipped. https://github.com/foundry-rs/foundry/tree/master/crates/script-sequence
 */
export function readBroadcast({ path, text }: FactsFile): FileFacts {
  const bounds = createReadBounds();
  const found = new Map<string, DeploymentFacts>();
  const folderChainId = readChainId(getBaseName(getFolder(path)));
  for (const { name, from } of scanMembers(text)) {
    if (name !== 'deployments' || !isListAt(text, from)) continue;
    for (const each of scanElements(text, from))
      readSequence(text, { at: each.from, folderChainId: undefined, bounds }, found);
  }
  readSequence(text, { at: 0, folderChainId, bounds }, found);
  return { ...emptyFacts, deployments: [...found.values()], ...bounds.summary };
}

interface Sequence {
  readonly at: number;
  /** The chain ID in the folder's name: releases before 2023 have it only there. */
  readonly folderChainId: string | undefined;
  readonly bounds: ReadBounds;
}

function readSequence(
  text: string,
  { at, folderChainId, bounds }: Sequence,
  found: Map<string, DeploymentFacts>,
): void {
  const lists = new Map<string, number>();
  let chainId = folderChainId;
  let commit: string | undefined;
  let libraries: readonly (readonly [Address, string | undefined])[] = [];
  for (const { name, from, to } of isObjectAt(text, at) ? scanMembers(text, at) : []) {
    if ((name === 'transactions' || name === 'receipts') && isListAt(text, from)) lists.set(name, from);
    if (name === 'chain') chainId = readChainId(parseSpan(text, { from, to }));
    if (name === 'commit') commit = readCommit(parseSpan(text, { from, to }));
    if (name === 'libraries') libraries = readLibraries(parseSpan(text, { from, to }), bounds);
  }
  if (chainId === undefined) return;
  const receipts = readReceipts(text, lists.get('receipts'), bounds);
  const put = (address: Address, contract: string | undefined, receipt: Receipt | undefined) => {
    const [block, transaction] = [receipt?.block, receipt?.hash];
    found.set(`${chainId}:${address}`, { chainId, address, contract, block, transaction, commit });
  };
  const names = new Map(libraries);
  const created = new Set<Address>();
  for (const { hash, contracts } of readTransactions(text, lists.get('transactions'), bounds)) {
    const receipt = receipts.get(hash ?? contracts[0]?.address ?? '');
    for (const { address, contract } of contracts) {
      created.add(address);
      if (receipt && !receipt.failed) put(address, contract ?? names.get(address), receipt);
    }
  }
  // Libraries that this run links, but that were deployed before.
  for (const [address, contract] of libraries) if (!created.has(address)) put(address, contract, undefined);
}

interface Receipt {
  readonly failed: boolean;
  readonly block: bigint | undefined;
  readonly hash: Hex | undefined;
}

interface Creation {
  readonly address: Address;
  readonly contract: string | undefined;
}

function* readTransactions(
  text: string,
  at: number | undefined,
  bounds: ReadBounds,
): Generator<{ readonly hash: Hex | undefined; readonly contracts: readonly Creation[] }> {
  const elements = at === undefined ? [] : scanElements(text, at);
  for (const { from } of bounds.first(MAX_TRANSACTIONS, 'transactions', elements)) {
    if (!isObjectAt(text, from)) return;
    const transaction = pickMembers(text, from, [
      'hash',
      'transactionType',
      'contractName',
      'contractAddress',
      'additionalContracts',
    ]);
    const more = Array.isArray(transaction.additionalContracts)
      ? transaction.additionalContracts.map(asRecord)
      : [];
    const contracts = [
      toCreation(transaction.transactionType, transaction.contractAddress, transaction.contractName),
      ...more.map((each) => toCreation(each.transactionType, each.address, each.contractName)),
    ];
    yield {
      hash: readTransactionHash(transaction.hash),
      contracts: contracts.filter((each) => each !== undefined),
    };
  }
}

function toCreation(type: unknown, at: unknown, name: unknown): Creation | undefined {
  const address = type === 'CREATE' || type === 'CREATE2' ? readContractAddress(at) : undefined;
  return address && { address, contract: removePath(readName(name)) };
}

/** By transaction hash, and by the address of the created contract. */
function readReceipts(
  text: string,
  at: number | undefined,
  bounds: ReadBounds,
): ReadonlyMap<string, Receipt> {
  const found = new Map<string, Receipt>();
  const elements = at === undefined ? [] : scanElements(text, at);
  for (const { from } of bounds.first(MAX_TRANSACTIONS, 'receipts', elements)) {
    if (!isObjectAt(text, from)) break;
    const receipt = pickMembers(text, from, ['transactionHash', 'contractAddress', 'blockNumber', 'status']);
    const [hash, address] = [
      readTransactionHash(receipt.transactionHash),
      readContractAddress(receipt.contractAddress),
    ];
    // Receipts before Byzantium have no status.
    const failed = ['0x0', '0x', '0', 0, false].some((status) => receipt.status === status);
    const outcome = { failed, block: readBlockNumber(receipt.blockNumber), hash };
    if (hash) found.set(hash, outcome);
    if (address) found.set(address, outcome);
  }
  return found;
}

/** Libraries are written as `src/Lib.sol:Lib:0x…`. */
function readLibraries(
  value: unknown,
  bounds: ReadBounds,
): readonly (readonly [Address, string | undefined])[] {
  const found: (readonly [Address, string | undefined])[] = [];
  for (const text of bounds.first(MAX_LIBRARIES, 'libraries', asList(value))) {
    if (typeof text !== 'string') continue;
    const colon = text.lastIndexOf(':');
    const address = readContractAddress(text.slice(colon + 1));
    if (address) found.push([address, removePath(readName(text.slice(0, Math.max(0, colon))))]);
  }
  return found;
}

/** Foundry writes `src/Token.sol:Token` if several contracts have the name. */
function removePath(name: string | undefined): string | undefined {
  return name?.slice(name.lastIndexOf(':') + 1) || undefined;
}

import { asList, asRecord } from '../../base/values.ts';
import { type Address, type Hex, parseAddress } from '../../eth/hex.ts';
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
  readTime,
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
  const fileTime = readTime(/^run-(\d{10,13})\.json$/.exec(getBaseName(path))?.[1]);
  for (const { name, from } of scanMembers(text)) {
    if (name !== 'deployments' || !isListAt(text, from)) continue;
    for (const each of scanElements(text, from))
      readSequence(text, { at: each.from, folderChainId: undefined, fileTime, bounds }, found);
  }
  readSequence(text, { at: 0, folderChainId, fileTime, bounds }, found);
  return { ...emptyFacts, deployments: [...found.values()], ...bounds.summary };
}

interface Sequence {
  readonly at: number;
  /** The chain ID in the folder's name: releases before 2023 have it only there. */
  readonly folderChainId: string | undefined;
  /** The time in the file's name. */
  readonly fileTime: number | undefined;
  readonly bounds: ReadBounds;
}

function readSequence(
  text: string,
  { at, folderChainId, fileTime, bounds }: Sequence,
  found: Map<string, DeploymentFacts>,
): void {
  const lists = new Map<string, number>();
  let chainId = folderChainId;
  let time = fileTime;
  let commit: string | undefined;
  let libraries: readonly (readonly [Address, string | undefined])[] = [];
  for (const { name, from, to } of isObjectAt(text, at) ? scanMembers(text, at) : []) {
    if ((name === 'transactions' || name === 'receipts') && isListAt(text, from)) lists.set(name, from);
    if (name === 'chain') chainId = readChainId(parseSpan(text, { from, to }));
    if (name === 'timestamp') time = readTime(parseSpan(text, { from, to })) ?? time;
    if (name === 'commit') commit = readCommit(parseSpan(text, { from, to }));
    if (name === 'libraries') libraries = readLibraries(parseSpan(text, { from, to }), bounds);
  }
  if (chainId === undefined) return;
  const receipts = readReceipts(text, lists.get('receipts'), bounds);
  const transactions = [...readTransactions(text, lists.get('transactions'), bounds)];
  // A run that pairs one creation with the wrong receipt may pair others wrongly too.
  const arePairsCertain = transactions.every(({ hash, contracts }) => {
    const paired = receipts.byHash.get(hash ?? '');
    return contracts.every(({ address }) => {
      const own = receipts.byAddress.get(address);
      return !own || !paired || own === paired;
    });
  });
  const put = (address: Address, contract: string | undefined, receipt: Receipt | undefined) => {
    const [block, transaction] = [receipt?.block, receipt?.hash];
    const place = { chainId, address, contract, block, transaction, commit };
    found.set(`${chainId}:${address}`, { ...place, ...(time !== undefined && { time }) });
  };
  const names = new Map(libraries);
  const created = new Set<Address>();
  for (const transaction of transactions) {
    const paired = receipts.byHash.get(transaction.hash ?? '');
    for (const creation of transaction.contracts) {
      const { address, contract } = creation;
      created.add(address);
      const own = receipts.byAddress.get(address);
      const isCertain = arePairsCertain && paired !== undefined && isReceiptOf(paired, transaction, creation);
      const outcome = own ?? paired;
      if (!outcome || outcome.failed) continue;
      put(address, contract ?? names.get(address), own ?? (isCertain ? paired : undefined));
    }
  }
  // Libraries that this run links, but that were deployed before.
  for (const [address, contract] of libraries) if (!created.has(address)) put(address, contract, undefined);
}

/** A receipt of a transaction that the file pairs with another is no evidence: forge sometimes mixes the hashes up. */
function isReceiptOf(receipt: Receipt, { from, to }: BroadcastTransaction, creation: Creation): boolean {
  const isSame = (one: Address | undefined, other: Address | undefined) =>
    one === undefined || other === undefined || one === other;
  if (receipt.created !== undefined && receipt.created !== creation.address) return false;
  if (!isSame(receipt.from, from)) return false;
  // Only a transaction without a recipient creates a contract by itself.
  return creation.isByTransaction ? receipt.to === undefined : isSame(receipt.to, to);
}

interface Receipt {
  readonly failed: boolean;
  readonly block: bigint | undefined;
  readonly hash: Hex | undefined;
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly created: Address | undefined;
}

interface BroadcastTransaction {
  readonly hash: Hex | undefined;
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly contracts: readonly Creation[];
}

interface Creation {
  readonly address: Address;
  readonly contract: string | undefined;
  /** Otherwise a contract, such as a factory, created it. */
  readonly isByTransaction: boolean;
}

function* readTransactions(
  text: string,
  at: number | undefined,
  bounds: ReadBounds,
): Generator<BroadcastTransaction> {
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
    const type = transaction.transactionType;
    const own = toCreation(type, transaction.contractAddress, transaction.contractName);
    const contracts = [
      own && { ...own, isByTransaction: type === 'CREATE' },
      ...more.map((each) => toCreation(each.transactionType, each.address, each.contractName)),
    ];
    yield {
      hash: readTransactionHash(transaction.hash),
      ...readParties(text, from),
      contracts: contracts.filter((each) => each !== undefined),
    };
  }
}

/** Sender and recipient, which stand in `transaction`, or in `tx` in releases before 2023. */
function readParties(text: string, at: number): Pick<BroadcastTransaction, 'from' | 'to'> {
  for (const { name, from } of scanMembers(text, at)) {
    if ((name !== 'transaction' && name !== 'tx') || !isObjectAt(text, from)) continue;
    const parties = pickMembers(text, from, ['from', 'to']);
    return { from: parseAddress(parties.from), to: readContractAddress(parties.to) };
  }
  return { from: undefined, to: undefined };
}

function toCreation(type: unknown, at: unknown, name: unknown): Creation | undefined {
  const address = type === 'CREATE' || type === 'CREATE2' ? readContractAddress(at) : undefined;
  return address && { address, contract: removePath(readName(name)), isByTransaction: false };
}

interface Receipts {
  readonly byHash: ReadonlyMap<string, Receipt>;
  /** Of those that name the contract that they created. */
  readonly byAddress: ReadonlyMap<Address, Receipt>;
}

function readReceipts(text: string, at: number | undefined, bounds: ReadBounds): Receipts {
  const byHash = new Map<string, Receipt>();
  const byAddress = new Map<Address, Receipt>();
  const elements = at === undefined ? [] : scanElements(text, at);
  for (const { from } of bounds.first(MAX_TRANSACTIONS, 'receipts', elements)) {
    if (!isObjectAt(text, from)) break;
    const receipt = pickMembers(text, from, [
      'transactionHash',
      'contractAddress',
      'blockNumber',
      'status',
      'from',
      'to',
    ]);
    const [hash, created] = [
      readTransactionHash(receipt.transactionHash),
      readContractAddress(receipt.contractAddress),
    ];
    // Receipts before Byzantium have no status.
    const failed = ['0x0', '0x', '0', 0, false].some((status) => receipt.status === status);
    const outcome = {
      failed,
      block: readBlockNumber(receipt.blockNumber),
      hash,
      from: parseAddress(receipt.from),
      to: readContractAddress(receipt.to),
      created,
    };
    if (hash) byHash.set(hash, outcome);
    if (created && !(failed && byAddress.has(created))) byAddress.set(created, outcome);
  }
  return { byHash, byAddress };
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

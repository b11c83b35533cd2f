import { type Attribution, parseAttribution } from '../abi/callSuffix.ts';
import type { AbiLookup, ChainAddress } from '../abi/candidates.ts';
import { type PrefetchSelectors, prefetchUnknownSelectors, SELECTOR_DIGITS } from '../abi/explainData.ts';
import { explainCalldata, explainHex, findWordPreimage } from '../abi/explainHex.ts';
import type { HashMeaning, HexMeaning } from '../abi/hexMeaning.ts';
import { createLogDecoder, type DecodedLog, type LogDecoder } from '../abi/logDecoder.ts';
import { preferCode } from '../abi/lookup.ts';
import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { findKnownAddress } from '../identity/knownAddresses.ts';
import type { PositionedLog } from '../logs/log.ts';
import { decodeNftMovements, decodePlainTransfer, toNftMovement } from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import { getUpgradeTopics } from '../upgrades/upgradeEvents.ts';
import type { Transaction, TransactionLog } from './transaction.ts';

export interface ExplainedTransaction {
  readonly transaction: Transaction;
  /** The contracts whose code its target ran, if that is a proxy. */
  readonly implementations: readonly Address[];
  /** What the input may call, the best guess first; empty if nothing is called or nothing is known about it. */
  readonly call: readonly HexMeaning[];
  /** Who made the transaction, by the end of its input. */
  readonly attribution: Attribution | undefined;
  /** In the order of the transaction's logs. */
  readonly logs: readonly DecodedLog[];
  readonly movements: Movements;
  /** Whether its target is known to have no code, so that its input did nothing. */
  readonly isWithoutCode: boolean;
  /** What the revert data may be, the best guess first. */
  readonly revert: readonly HexMeaning[];
}

/** What one address received and sent of one asset in a transaction. */
export interface Movement {
  /** The token contract; undefined for the chain's own coin. */
  readonly token: Address | undefined;
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155';
  readonly tokenId: bigint | undefined;
  /** The last ID of a range that begins with `tokenId` (ERC-2309). */
  readonly lastTokenId?: bigint | undefined;
  /** The zero address sends mints and receives burns. */
  readonly address: Address;
  /** In wei or the smallest unit; for an NFT, the number of copies. */
  readonly received: bigint;
  readonly sent: bigint;
}

/** A transfer whose value may be an amount (ERC-20) or a token ID (ERC-721), because the contract does not tell. */
export interface UnclearTransfer {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** Decodes logs with what `prepare` has fetched for them. */
interface TransactionDecoding extends LogDecoder {
  prepare(logs: readonly PositionedLog[]): Promise<unknown>;
  /** Of implementations. */
  prefetchAbis?(addresses: readonly Address[]): Promise<unknown>;
  /** Of the called function, and of the error that it reverted with. */
  readonly prefetchSelectors?: PrefetchSelectors | undefined;
}

/**
 * Decodes the call, the logs and the revert data of a transaction with the ABIs in `lookup`; those deployed
 * at its target come first. Never throws on malformed data. Runs in time slices.
 *
 * @param options.decoding decodes the logs; default: `lookup`, regardless of the version that was in force.
 * @param options.fetchTransferStandard asks a contract what the value of its `Transfer` is, as
 *   `ChainClient.fetchTransferStandard` does; default: the form of the log decides.
 * @param options.fetchImplementations finds the code of a proxy in a block, as `ChainClient.fetchImplementations` does;
 *   default: functions and errors are those of the address itself.
 * @param options.getCode fetches code as `ChainClient.getCode` does; default: the code of the target is not fetched.
 * @throws the reason of `signal` when it aborts.
 * @example
 * const { call, logs } = await explainTransaction(transaction, { lookup, chainId: 1, slices });
 */
export async function explainTransaction(
  transaction: Transaction,
  {
    lookup,
    chainId,
    slices,
    signal,
    decoding,
    fetchTransferStandard,
    fetchImplementations,
    getCode,
  }: {
    readonly lookup: AbiLookup;
    readonly decoding?: TransactionDecoding | undefined;
    readonly fetchTransferStandard?: FetchTransferStandard | undefined;
    readonly fetchImplementations?: FetchImplementations | undefined;
    readonly getCode?: GetCode | undefined;
    readonly chainId: number;
    readonly slices: TimeSlices;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ExplainedTransaction> {
  const { to, failure } = transaction;
  const at = to && { address: to, chainId };
  const implementations = fetchImplementations
    ? await findImplementations(transaction, { lookup, chainId, fetchImplementations, signal })
    : [];
  if (implementations.length > 0) await decoding?.prefetchAbis?.(implementations);
  const codeLookup = to === undefined ? lookup : preferCode(lookup, [...implementations, to]);
  const positionedLogs = positionLogs(transaction);
  if (positionedLogs.length > 0) await decoding?.prepare(positionedLogs);
  await prefetchUnknownSelectors(listData(transaction), {
    lookup,
    prefetchSelectors: decoding?.prefetchSelectors,
  });
  const decoder = decoding ?? createLogDecoder({ lookup, chainId });
  const logs: DecodedLog[] = [];
  for (const [index, log] of (transaction.logs ?? []).entries()) {
    logs.push(decoder.decode(positionedLogs[index] ?? log));
    if (slices.isOver()) await slices.rest({ signal });
  }
  return {
    transaction,
    implementations,
    call: explainCall(transaction, codeLookup, at),
    attribution: to === undefined ? undefined : parseAttribution(transaction.input),
    logs,
    movements: await sumMovements(transaction, slices, { signal, fetchTransferStandard }),
    isWithoutCode: getCode !== undefined && (await isWithoutCode(transaction, { getCode, signal })),
    revert:
      failure?.state === 'told' && failure.data !== undefined
        ? explainRevert({ ...failure, data: failure.data }, codeLookup, at)
        : [],
  };
}

type FetchImplementations = (
  address: Address,
  block: bigint,
  options: Abortable & { readonly isDeclared: boolean },
) => Promise<readonly Address[]>;

/**
 * The code that the target of a transaction ran: before its block and after it, where another transaction of the block
 * upgraded it; before its block alone, where it did so itself. None if the node no longer has the state.
 */
async function findImplementations(
  { block, to, input, status, logs = [] }: Transaction,
  {
    lookup,
    chainId,
    fetchImplementations,
    signal,
  }: Abortable & {
    readonly lookup: AbiLookup;
    readonly chainId: number;
    readonly fetchImplementations: FetchImplementations;
  },
): Promise<readonly Address[]> {
  if (to === undefined || block === undefined || (input === '0x' && status !== 'failed')) return [];
  const declared = lookup.functions(input.slice(0, SELECTOR_DIGITS) as Hex, { address: to, chainId });
  const isDeclared = declared.some(
    ({ origin }) => origin.trust === 'deployment' || origin.trust === 'verified',
  );
  const upgrades = new Set(getUpgradeTopics());
  const isUpgrade = logs.some(
    ({ address, topics: [topic0] }) => address === to && topic0 && upgrades.has(topic0),
  );
  const states = isUpgrade ? [block - 1n] : [block - 1n, block];
  const found: Address[] = [];
  for (const state of states) {
    try {
      pushAll(found, await fetchImplementations(to, state, { isDeclared, signal }));
    } catch (error) {
      throwIfAborted(signal);
      if (!isAppError(error)) throw error;
    }
  }
  return [...new Set(found)];
}

type GetCode = (place: { readonly to: Address; readonly block: bigint }, options: Abortable) => Promise<Hex>;

/**
 * Whether calldata went to an address without code before and after its block: it succeeds and does nothing, as with
 * the address of another chain. False if it is not known.
 */
async function isWithoutCode(
  { status, block, to, input, logs = [] }: Transaction,
  { getCode, signal }: Abortable & { readonly getCode: GetCode },
): Promise<boolean> {
  const hasEffect = logs.length > 0 || status !== 'success';
  if (to === undefined || block === undefined || input === '0x' || hasEffect || findKnownAddress(to))
    return false;
  try {
    for (const state of [block, block - 1n]) {
      if ((await getCode({ to, block: state }, { signal })) !== '0x') return false;
    }
    return true;
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error)) throw error;
    return false;
  }
}

/** Its calldata and revert data. */
function listData({ to, input, failure }: Transaction): readonly Hex[] {
  const revert = failure?.state === 'told' ? failure.data : undefined;
  return [to && input, revert].filter((data) => data !== undefined);
}

/** Empty while the position of the transaction is unknown. */
function positionLogs({ block, position, logs = [] }: Transaction): readonly PositionedLog[] {
  if (block === undefined || position === undefined) return [];
  return logs.map((log) => ({ ...log, blockNumber: block, transactionIndex: position }));
}

/** A function without parameters is called by its selector alone. */
function explainCall(
  { to, input }: Pick<Transaction, 'input' | 'to'>,
  lookup: AbiLookup,
  at: ChainAddress | undefined,
): readonly HexMeaning[] {
  if (to === undefined) return [];
  if (input.length !== SELECTOR_DIGITS) return explainCalldata(input, { lookup, at });
  return explainHex(input, { lookup, at }).filter(
    (meaning) => meaning.kind === 'function' && meaning.item.inputs.length === 0,
  );
}

/**
 * What revert data may be, the best guess first. If the data is truncated, only the selector is reliable.
 *
 * @example explainRevert({ data: '0x', isCut: false }, mergeLookups(), undefined) // []
 */
export function explainRevert(
  { data, isCut }: { readonly data: Hex; readonly isCut: boolean },
  lookup: AbiLookup,
  at: ChainAddress | undefined,
): readonly HexMeaning[] {
  const reliable = isCut ? (data.slice(0, SELECTOR_DIGITS) as Hex) : data;
  return explainHex(reliable, { lookup, at }).filter(({ kind }) => kind === 'revert' || kind === 'error');
}

export interface KnownHash {
  /** Events with this topic0, the most trusted first. */
  readonly events: readonly HashMeaning[];
  /** The preimage, as Solidity writes it: a role, a storage slot, an EIP-712 type. */
  readonly constant: string | undefined;
}

/**
 * Looks up a hash as a topic0 or as a well-known constant. Makes no request.
 *
 * @param hash 32 bytes in lower case.
 * @example
 * findKnownHash('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6', mergeLookups()).constant
 * // 'keccak256("MINTER_ROLE")'
 */
export function findKnownHash(hash: Hex, lookup: AbiLookup): KnownHash {
  const events = explainHex(hash, { lookup }).filter((meaning) => meaning.kind === 'event');
  return { events: events as readonly HashMeaning[], constant: findWordPreimage(hash) };
}

interface Movements {
  /** What the list sums, in the order of the logs, after the transaction's own value. */
  readonly transfers: readonly AssetTransfer[];
  /** Ordered by the first movement of the asset, then of the address. */
  readonly list: readonly Movement[];
  /** Transfers that are in no sum. */
  readonly unclear?: readonly UnclearTransfer[];
  /** Whether the logs contain more than {@link MAX_MOVEMENTS}. */
  readonly isCut: boolean;
}

const MAX_MOVEMENTS = 5_000;

type FetchTransferStandard = (
  contract: Address,
  value: bigint,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<TransferStandard | undefined>;

export interface AssetTransfer {
  /** The token contract; undefined for the chain's own coin. */
  readonly token: Address | undefined;
  readonly standard: Movement['standard'];
  readonly tokenId: bigint | undefined;
  readonly lastTokenId?: bigint | undefined;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/**
 * Sums the movements of a transaction by asset and address: its own value if it succeeded, and tokens by the
 * transfer events in its logs (ERC-20, ERC-721, ERC-2309, ERC-1155). Coins that contracts send on appear in no log.
 *
 * @throws the reason of the signal when it aborts.
 */
async function sumMovements(
  transaction: Pick<Transaction, 'created' | 'from' | 'logs' | 'status' | 'to' | 'value'>,
  slices: TimeSlices,
  { signal, fetchTransferStandard }: Abortable & Pick<StandardFetcher, 'fetchTransferStandard'>,
): Promise<Movements> {
  const logs = transaction.logs ?? [];
  const standards = await fetchStandards(logs, { signal, fetchTransferStandard });
  const transfers: AssetTransfer[] = [];
  const unclear: UnclearTransfer[] = [];
  const sums = new Map<string, { -readonly [Key in keyof Movement]: Movement[Key] }>();
  let isCut = false;

  function add(
    { token, standard, tokenId, lastTokenId }: AssetTransfer,
    address: Address,
    amounts: readonly [bigint, bigint],
  ): void {
    const key = `${token} ${tokenId} ${lastTokenId} ${address}`;
    let sum = sums.get(key);
    if (!sum) {
      if (sums.size >= MAX_MOVEMENTS) {
        isCut = true;
        return;
      }
      const range = lastTokenId === undefined ? {} : { lastTokenId };
      sum = { token, standard, tokenId, ...range, address, received: 0n, sent: 0n };
      sums.set(key, sum);
    }
    sum.received += amounts[0];
    sum.sent += amounts[1];
  }

  function addBoth(transfer: AssetTransfer): void {
    if (transfers.length < MAX_MOVEMENTS) transfers.push(transfer);
    add(transfer, transfer.from, [0n, transfer.amount]);
    add(transfer, transfer.to, [transfer.amount, 0n]);
  }

  listCoinTransfers(transaction).forEach(addBoth);
  for (const log of logs) {
    const found = decodeTransfers(log, standards);
    if (!('unclear' in found)) found.transfers.forEach(addBoth);
    else if (unclear.length < MAX_MOVEMENTS) unclear.push(found.unclear);
    else isCut = true;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return { transfers, list: [...sums.values()], ...(unclear.length > 0 && { unclear }), isCut };
}

interface StandardFetcher {
  readonly fetchTransferStandard?: FetchTransferStandard | undefined;
}

/** For one transaction. */
const MAX_REQUESTED_CONTRACTS = 100;
const MAX_CONCURRENT_CONTRACTS = 25;

/** By contract: what the value of its `Transfer` is; undefined if none can be asked. */
async function fetchStandards(
  logs: readonly TransactionLog[],
  { signal, fetchTransferStandard }: Abortable & StandardFetcher,
): Promise<ReadonlyMap<Address, TransferStandard> | undefined> {
  if (!fetchTransferStandard) return undefined;
  const values = new Map<Address, bigint>();
  for (const log of logs) {
    const transfer = decodePlainTransfer(log);
    if (transfer && !values.has(log.address)) values.set(log.address, transfer.value);
  }
  const standards = new Map<Address, TransferStandard>();
  const ask = async ([contract, value]: readonly [Address, bigint]) => {
    try {
      const standard = await fetchTransferStandard(contract, value, { signal });
      if (standard) standards.set(contract, standard);
    } catch (error) {
      throwIfAborted(signal);
      if (!isAppError(error)) throw error;
    }
  };
  await forEachLimited([...values].slice(0, MAX_REQUESTED_CONTRACTS), ask, {
    limit: MAX_CONCURRENT_CONTRACTS,
  });
  return standards;
}

function listCoinTransfers({
  status,
  value,
  from,
  to,
  created,
}: Pick<Transaction, 'created' | 'from' | 'status' | 'to' | 'value'>): readonly AssetTransfer[] {
  const target = to ?? created;
  if (status !== 'success' || value === 0n || target === undefined) return [];
  return [{ token: undefined, standard: 'native', tokenId: undefined, from, to: target, amount: value }];
}

/** @param standards undefined if no contract was asked: then the form of a log decides. */
function decodeTransfers(
  { address: token, topics, data }: TransactionLog,
  standards: ReadonlyMap<Address, TransferStandard> | undefined,
): { readonly transfers: readonly AssetTransfer[] } | { readonly unclear: UnclearTransfer } {
  const transfer = decodePlainTransfer({ topics, data });
  if (!transfer) {
    const movements = decodeNftMovements({ topics, data }) ?? [];
    return { transfers: movements.map((movement) => ({ token, ...movement })) };
  }
  const { isValueIndexed, ...parties } = transfer;
  const standard = standards === undefined ? 'byForm' : standards.get(token);
  if (standard === undefined) return { unclear: { token, ...parties } };
  if (standard === 'erc721' || (standard === 'byForm' && isValueIndexed)) {
    return { transfers: [{ token, ...toNftMovement(transfer) }] };
  }
  const { from, to, value: amount } = transfer;
  return { transfers: [{ token, standard: 'erc20', tokenId: undefined, from, to, amount }] };
}

/**
 * The change of the balance; negative if more was sent than received.
 *
 * @example getNetAmount({ received: 1n, sent: 3n }) // -2n
 */
export function getNetAmount({ received, sent }: Pick<Movement, 'received' | 'sent'>): bigint {
  return received - sent;
}

/**
 * Whether it is the zero address's side of a mint or a burn.
 *
 * @example isSupply({ address: ZERO_ADDRESS, token: undefined }) // false
 */
export function isSupply({ address, token }: Pick<Movement, 'address' | 'token'>): boolean {
  return token !== undefined && address === ZERO_ADDRESS;
}

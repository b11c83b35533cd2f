import type { AbiLookup, ChainAddress } from '../abi/candidates.ts';
import { SELECTOR_DIGITS } from '../abi/explainData.ts';
import { explainHex, findWordPreimage } from '../abi/explainHex.ts';
import type { HashMeaning, HexMeaning } from '../abi/hexMeaning.ts';
import { createLogDecoder, type DecodedLog, type LogDecoder } from '../abi/logDecoder.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import type { PositionedLog } from '../logs/log.ts';
import { decodeNftMovements, transferEvents } from '../tokens/transferEvents.ts';
import type { Transaction, TransactionLog } from './transaction.ts';

export interface ExplainedTransaction {
  readonly transaction: Transaction;
  /** What the input may call, the best guess first; empty if nothing is called or nothing is known about it. */
  readonly call: readonly HexMeaning[];
  /** In the order of the transaction's logs. */
  readonly logs: readonly DecodedLog[];
  readonly movements: Movements;
  /** What the revert data may be, the best guess first. */
  readonly revert: readonly HexMeaning[];
}

/** What one address received and sent of one asset in a transaction. */
export interface Movement {
  /** The token contract; undefined for the chain's own coin. */
  readonly token: Address | undefined;
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155';
  readonly tokenId: bigint | undefined;
  /** The zero address sends mints and receives burns. */
  readonly address: Address;
  /** In wei or the smallest unit; for an NFT, the number of copies. */
  readonly received: bigint;
  readonly sent: bigint;
}

/** Decodes logs with what `prepare` has fetched for them. */
interface TransactionDecoding extends LogDecoder {
  prepare(logs: readonly PositionedLog[]): Promise<unknown>;
}

/**
 * Decodes the call, the logs and the revert data of a transaction with the ABIs in `lookup`; those deployed
 * at its target come first. Never throws on malformed data. Runs in time slices.
 *
 * @param options.decoding decodes the logs; default: `lookup`, regardless of the version that was in force.
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
  }: {
    readonly lookup: AbiLookup;
    readonly decoding?: TransactionDecoding | undefined;
    readonly chainId: number;
    readonly slices: TimeSlices;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ExplainedTransaction> {
  const { to, failure } = transaction;
  const at = to && { address: to, chainId };
  const positionedLogs = positionLogs(transaction);
  if (positionedLogs.length > 0) await decoding?.prepare(positionedLogs);
  const decoder = decoding ?? createLogDecoder({ lookup, chainId });
  const logs: DecodedLog[] = [];
  for (const [index, log] of (transaction.logs ?? []).entries()) {
    logs.push(decoder.decode(positionedLogs[index] ?? log));
    if (slices.isOver()) await slices.rest({ signal });
  }
  return {
    transaction,
    call: explainCall(transaction, lookup, at),
    logs,
    movements: await sumMovements(transaction, slices, { signal }),
    revert:
      failure?.state === 'told' && failure.data !== undefined
        ? explainRevert({ ...failure, data: failure.data }, lookup, at)
        : [],
  };
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
  if (to === undefined || input.length < SELECTOR_DIGITS) return [];
  return explainHex(input, { lookup, at }).filter(
    (meaning) =>
      meaning.kind === 'calldata' || (meaning.kind === 'function' && meaning.item.inputs.length === 0),
  );
}

/** If the data is truncated, only the selector is reliable. */
function explainRevert(
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
  /** Ordered by the first movement of the asset, then of the address. */
  readonly list: readonly Movement[];
  /** Whether the logs contain more than {@link MAX_MOVEMENTS}. */
  readonly isCut: boolean;
}

const MAX_MOVEMENTS = 5_000;
const WORD_CHARS = 66;

interface AssetTransfer {
  readonly token: Address | undefined;
  readonly standard: Movement['standard'];
  readonly tokenId: bigint | undefined;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/**
 * Sums the movements of a transaction by asset and address: its own value if it succeeded, and tokens by the
 * transfer events in its logs (ERC-20, ERC-721, ERC-1155). Coins that contracts send on appear in no log.
 *
 * @throws the reason of the signal when it aborts.
 */
async function sumMovements(
  transaction: Pick<Transaction, 'created' | 'from' | 'logs' | 'status' | 'to' | 'value'>,
  slices: TimeSlices,
  options?: Abortable,
): Promise<Movements> {
  const sums = new Map<string, { -readonly [Key in keyof Movement]: Movement[Key] }>();
  let isCut = false;

  function add(
    { token, standard, tokenId }: AssetTransfer,
    address: Address,
    amounts: readonly [bigint, bigint],
  ): void {
    const key = `${token} ${tokenId} ${address}`;
    let sum = sums.get(key);
    if (!sum) {
      if (sums.size >= MAX_MOVEMENTS) {
        isCut = true;
        return;
      }
      sum = { token, standard, tokenId, address, received: 0n, sent: 0n };
      sums.set(key, sum);
    }
    sum.received += amounts[0];
    sum.sent += amounts[1];
  }

  function addBoth(transfer: AssetTransfer): void {
    add(transfer, transfer.from, [0n, transfer.amount]);
    add(transfer, transfer.to, [transfer.amount, 0n]);
  }

  listCoinTransfers(transaction).forEach(addBoth);
  for (const log of transaction.logs ?? []) {
    decodeTransfers(log).forEach(addBoth);
    if (slices.isOver()) await slices.rest(options);
  }
  return { list: [...sums.values()], isCut };
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

function decodeTransfers({ address: token, topics, data }: TransactionLog): readonly AssetTransfer[] {
  const [topic0, from, to, third] = topics;
  const isErc20 = topic0 === transferEvents.transfer.topic0 && third === undefined;
  if (!isErc20)
    return (decodeNftMovements({ topics, data }) ?? []).map((movement) => ({ token, ...movement }));
  if (!from || !to || data.length !== WORD_CHARS) return [];
  const amount = BigInt(data);
  return [{ token, standard: 'erc20', tokenId: undefined, from: toAddress(from), to: toAddress(to), amount }];
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(-40)}`;
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

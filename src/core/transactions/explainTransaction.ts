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

/** A transaction with what its bytes mean. */
export interface ExplainedTransaction {
  readonly transaction: Transaction;
  /** What the input may call, the best first; empty where there is no call, or nothing is known of it. */
  readonly call: readonly HexMeaning[];
  /** As the logs of the transaction stand. */
  readonly logs: readonly DecodedLog[];
  readonly movements: Movements;
  /** What the data that it failed with may be, the best first. */
  readonly revert: readonly HexMeaning[];
}

/** Decodes logs where they stand, once what that needs is known of them. */
export interface TransactionDecoding extends LogDecoder {
  prepare(logs: readonly PositionedLog[]): Promise<unknown>;
}

/**
 * Decodes the call, the logs and the revert data of a transaction by what `lookup` knows: first by what is deployed
 * where it went. Nothing is thrown, whatever is in it, but when `signal` aborts. In slices of time.
 *
 * @param options.decoding decodes the logs; default: by `lookup`, whatever version of a contract was in force.
 *
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
  const placed = placedLogs(transaction);
  if (placed.length > 0) await decoding?.prepare(placed);
  const decoder = decoding ?? createLogDecoder({ lookup, chainId });
  const logs: DecodedLog[] = [];
  for (const [place, log] of (transaction.logs ?? []).entries()) {
    logs.push(decoder.decode(placed[place] ?? log));
    if (slices.isOver()) await slices.rest({ signal });
  }
  return {
    transaction,
    call: callOf(transaction, lookup, at),
    logs,
    movements: await sumMovements(transaction, slices, { signal }),
    revert:
      failure?.state === 'told' && failure.data !== undefined
        ? revertOf({ ...failure, data: failure.data }, lookup, at)
        : [],
  };
}

/** None while it is not known where the transaction stands. */
function placedLogs({ block, position, logs = [] }: Transaction): readonly PositionedLog[] {
  if (block === undefined || position === undefined) return [];
  return logs.map((log) => ({ ...log, blockNumber: block, transactionIndex: position }));
}

/** A function without parameters is called by its selector alone. */
function callOf(
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

/** Of data that is not whole the selector alone counts. */
function revertOf(
  { data, isCut }: { readonly data: Hex; readonly isCut: boolean },
  lookup: AbiLookup,
  at: ChainAddress | undefined,
): readonly HexMeaning[] {
  const read = isCut ? (data.slice(0, SELECTOR_DIGITS) as Hex) : data;
  return explainHex(read, { lookup, at }).filter(({ kind }) => kind === 'revert' || kind === 'error');
}

/** What a word of 32 bytes is known as without asking anybody. */
export interface KnownHash {
  /** Events with this topic0, the most trusted first. */
  readonly events: readonly HashMeaning[];
  /** What it is the hash of, as Solidity writes it: a role, a slot of storage, a type of EIP-712. */
  readonly constant: string | undefined;
}

/**
 * What a hash is known as: topic0 of an event, or a constant that everybody uses. Asks nobody.
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

/** What of one asset came to an address in a transaction, and what left it. */
export interface Movement {
  /** The contract of the token; undefined for the coin of the chain. */
  readonly token: Address | undefined;
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Undefined where the asset has none. */
  readonly tokenId: bigint | undefined;
  /** The zero address stands for what was minted (out of it) and burned (into it). */
  readonly address: Address;
  /** In wei or smallest units; of an NFT how many copies. */
  readonly received: bigint;
  readonly sent: bigint;
}

interface Movements {
  /** In the order in which an asset, and then an address, first moved. */
  readonly list: readonly Movement[];
  /** Whether more than {@link MAX_MOVEMENTS} are in the logs. */
  readonly isCut: boolean;
}

/** Pairs of asset and address of one transaction: many times what a person looks through. */
const MAX_MOVEMENTS = 5_000;
const WORD = 66;

interface Moved {
  readonly token: Address | undefined;
  readonly standard: Movement['standard'];
  readonly tokenId: bigint | undefined;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/**
 * The movements of a transaction, summed by asset and address: the coin that it carries itself, if it succeeded, and
 * tokens by the transfer events in its logs (ERC-20, ERC-721, ERC-1155). What contracts send on of the coin is in no
 * log.
 *
 * @throws what `slices` throws when the signal aborts.
 */
async function sumMovements(
  transaction: Pick<Transaction, 'created' | 'from' | 'logs' | 'status' | 'to' | 'value'>,
  slices: TimeSlices,
  options?: Abortable,
): Promise<Movements> {
  const sums = new Map<string, { -readonly [Key in keyof Movement]: Movement[Key] }>();
  let isCut = false;

  function add(
    { token, standard, tokenId }: Moved,
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

  function addBoth(moved: Moved): void {
    add(moved, moved.from, [0n, moved.amount]);
    add(moved, moved.to, [moved.amount, 0n]);
  }

  nativeOf(transaction).forEach(addBoth);
  for (const log of transaction.logs ?? []) {
    movedIn(log).forEach(addBoth);
    if (slices.isOver()) await slices.rest(options);
  }
  return { list: [...sums.values()], isCut };
}

function nativeOf({
  status,
  value,
  from,
  to,
  created,
}: Pick<Transaction, 'created' | 'from' | 'status' | 'to' | 'value'>): readonly Moved[] {
  const target = to ?? created;
  if (status !== 'success' || value === 0n || target === undefined) return [];
  return [{ token: undefined, standard: 'native', tokenId: undefined, from, to: target, amount: value }];
}

function movedIn({ address: token, topics, data }: TransactionLog): readonly Moved[] {
  const [topic0, from, to, third] = topics;
  const isErc20 = topic0 === transferEvents.transfer.topic0 && third === undefined;
  if (!isErc20) return (decodeNftMovements({ topics, data }) ?? []).map((moved) => ({ token, ...moved }));
  if (!from || !to || data.length !== WORD) return [];
  const amount = BigInt(data);
  return [{ token, standard: 'erc20', tokenId: undefined, from: addressIn(from), to: addressIn(to), amount }];
}

function addressIn(topic: Hex): Address {
  return `0x${topic.slice(-40)}`;
}

/**
 * What an address has more than before, negative for less.
 *
 * @example getNetAmount({ received: 1n, sent: 3n }) // -2n
 */
export function getNetAmount({ received, sent }: Pick<Movement, 'received' | 'sent'>): bigint {
  return received - sent;
}

/**
 * Whether it is what was minted or burned, which nobody has.
 *
 * @example isSupply({ address: ZERO_ADDRESS, token: undefined }) // false
 */
export function isSupply({ address, token }: Pick<Movement, 'address' | 'token'>): boolean {
  return token !== undefined && address === ZERO_ADDRESS;
}

import type { AbiLookup, OnChain } from '../abi/candidates.ts';
import { createLogDecoder, type DecodedLog, type LogDecoder } from '../abi/decode/logDecoder.ts';
import { SELECTOR_DIGITS } from '../abi/hex/explainData.ts';
import type { HexMeaning } from '../abi/hex/hexMeaning.ts';
import { explainHex } from '../abi/hex/readHexMeaning.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { PlacedLog } from '../logs/query/log.ts';
import type { Hex } from '../values/hex.ts';
import { type Movements, sumMovements } from './movements.ts';
import type { Transaction } from './transaction.ts';

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
  prepare(logs: readonly PlacedLog[]): Promise<unknown>;
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
function placedLogs({ block, position, logs = [] }: Transaction): readonly PlacedLog[] {
  if (block === undefined || position === undefined) return [];
  return logs.map((log) => ({ ...log, blockNumber: block, transactionIndex: position }));
}

/** A function without parameters is called by its selector alone. */
function callOf(
  { to, input }: Pick<Transaction, 'input' | 'to'>,
  lookup: AbiLookup,
  at: OnChain | undefined,
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
  at: OnChain | undefined,
): readonly HexMeaning[] {
  const read = isCut ? (data.slice(0, SELECTOR_DIGITS) as Hex) : data;
  return explainHex(read, { lookup, at }).filter(({ kind }) => kind === 'revert' || kind === 'error');
}

import { decimal } from '../../base/ownText.ts';
import { createMessage, foreign, type Message } from '../../base/text.ts';
import type { Hex } from '../../eth/hex.ts';
import type { Log, LogOrder } from '../log.ts';
import type { LogStore } from '../store/logStore.ts';
import type { ProvenHeader } from './blockHeader.ts';
import type { ReceiptLog } from './blockReceipts.ts';
import type { ProofRange } from './logProof.ts';
import type { SlicedWork } from './merkleTrie.ts';

/** The rows of a result. */
export type ProvenRows = Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;

/** Rows by their block. */
export interface RowsByBlock {
  readonly blocks: readonly bigint[];
  /** Oldest first. */
  get(block: bigint): readonly Log[];
}

/**
 * Finds the rows of each block.
 *
 * @returns a message if rows are outside of the range, or not in the order of the chain.
 * @throws the signal's reason when it aborts.
 * @example (await indexRows({ rows, order }, range, work)).rows?.get(7n);
 */
export async function indexRows(
  { rows, order }: { readonly rows: ProvenRows; readonly order: LogOrder },
  { fromBlock, toBlock }: ProofRange,
  { slices, signal }: SlicedWork,
): Promise<{ readonly rows?: RowsByBlock; readonly contradicted?: Message; readonly block?: bigint }> {
  const isDown = order === 'newestFirst';
  const places = new Map<bigint, { readonly first: number; count: number }>();
  let last = fromBlock;
  for (let place = 0; place < rows.length; place++) {
    if ((place & 1023) === 0 && slices.isOver()) await slices.rest({ signal });
    const block = BigInt(rows.blockNumberAt(isDown ? rows.length - 1 - place : place));
    if (block < last || block > toBlock) {
      const template = 'A log of block {0} is outside of the range, or not in the order of the chain.';
      return { contradicted: createMessage(template, decimal(block)), block };
    }
    const found = places.get(block);
    if (found) found.count++;
    else places.set(block, { first: place, count: 1 });
    last = block;
  }
  const get = (block: bigint) => {
    const { first, count } = places.get(block) ?? { first: 0, count: 0 };
    return isDown ? rows.slice(rows.length - first - count, count).toReversed() : rows.slice(first, count);
  };
  return { rows: { blocks: [...places.keys()], get } };
}

/**
 * How the rows of a block differ from the logs of its receipts; undefined if they do not.
 *
 * @param hashes of the transactions of the block; undefined to compare everything else.
 */
export function describeDifference(
  { hash, number, time }: ProvenHeader,
  logs: readonly ReceiptLog[],
  rows: readonly Log[],
  hashes: readonly Hex[] | undefined,
): Message | undefined {
  const block = String(number);
  if (logs.length !== rows.length) {
    const template = 'Block {0} has {1} matching logs. The result has {2} of it.';
    return createMessage(template, foreign(block), logs.length, rows.length);
  }
  const place = logs.findIndex((log, index) => {
    const row = rows[index];
    const isSame =
      row?.blockNumber === number &&
      row.blockHash === hash &&
      (row.time === undefined || row.time === time) &&
      isSameLog(log, row) &&
      (!hashes || hashes[log.transactionIndex] === row.transactionHash);
    return !isSame;
  });
  if (place < 0) return undefined;
  const template = 'Log {1} of block {0} is not the one in the result.';
  return createMessage(template, foreign(block), logs[place]?.logIndex ?? 0);
}

function isSameLog(log: ReceiptLog, row: Log): boolean {
  return (
    log.logIndex === row.logIndex &&
    log.transactionIndex === row.transactionIndex &&
    log.address === row.address &&
    log.data === row.data &&
    log.topics.length === row.topics.length &&
    log.topics.every((topic, slot) => topic === row.topics[slot])
  );
}

import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';

/** Calls a contract in the state after one block; undefined if it reverts, or is no contract. */
export type StateCall = (to: Address, data: Hex) => Promise<Hex | undefined>;

/**
 * Creates calls in the state after a block.
 *
 * @returns a function that throws AppError as `callAtBlock` does, but for `reverted` and `notAContract`.
 * @example const supply = await createStateCall(client, 7n)(token, '0x18160ddd');
 */
export function createStateCall(
  client: Pick<ChainClient, 'callAtBlock'>,
  block: bigint,
  options: Abortable,
): StateCall {
  return (to, data) =>
    client.callAtBlock({ to, data, block }, options).catch((error: unknown) => {
      if (isAppError(error, 'reverted') || isAppError(error, 'notAContract')) return undefined;
      throw error;
    });
}

/** Calls that run at once: a client sends them in batches. */
const MAX_CALLS = 500;

/**
 * Calls for each row, some hundred at a time.
 *
 * @returns the results in the order of the rows.
 * @throws AppError as the calls do.
 * @example const results = await callForEach(holders, (holder) => call(token, encodeBalanceOf(holder)));
 */
export async function callForEach<Row, Result>(
  rows: readonly Row[],
  call: (row: Row) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += MAX_CALLS)
    results.push(...(await Promise.all(rows.slice(start, start + MAX_CALLS).map(call))));
  return results;
}

/** Rows that are compared with calls, unless all are. */
export const MAX_COMPARED = 500;
/** Of the rows that are not among the largest, some are chosen by this seed. */
const SAMPLE_SEED = 0x2545f491;

/**
 * The rows to compare: all of them up to {@link MAX_COMPARED}; else the first half of that many, which are the largest,
 * and as many of the others, the same ones each time.
 *
 * @example chooseCompared([1, 2, 3]).length // 3
 */
export function chooseCompared<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MAX_COMPARED) return rows;
  const first = MAX_COMPARED / 2;
  const chosen = new Set(rows.slice(0, first));
  let state = SAMPLE_SEED;
  while (chosen.size < MAX_COMPARED) {
    // The generator of Numerical Recipes.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const row = rows[first + (state % (rows.length - first))];
    if (row !== undefined) chosen.add(row);
  }
  return [...chosen];
}

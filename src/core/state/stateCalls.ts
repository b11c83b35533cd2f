import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import { pushAll } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { decodeUint, UNKNOWN_CALL } from '../rpc/ethCall.ts';

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

/** An address that has and may do nothing, as nobody has its key: a contract that says otherwise says so of everyone. */
export const NOBODY = `0x${'5e'.repeat(20)}` as Address;

/** Contracts that return a value for any call; more are not named. */
const MAX_NAMED = 5;

/**
 * Calls each contract once more, along with its first call: a contract that returns a value for a function that no
 * contract has would confirm any row.
 *
 * @returns `call`, and `findReasons`, which names the contracts that confirm nothing, and those that were not checked. It throws
 *   AppError as `call` does, except `rpc` and `badResponse`.
 * @example const { call, findReasons } = checkUnknownCalls(createStateCall(client, 7n, {}));
 */
export function checkUnknownCalls(send: StateCall): {
  readonly call: StateCall;
  findReasons(): Promise<readonly Message[]>;
} {
  const results = new Map<Address, Promise<Hex | undefined>>();
  return {
    call(to, data) {
      if (!results.has(to)) {
        const result = send(to, UNKNOWN_CALL);
        result.catch(() => undefined);
        results.set(to, result);
      }
      return send(to, data);
    },
    async findReasons() {
      const reasons: Message[] = [];
      for (const [contract, pending] of results) {
        try {
          const result = await pending;
          if (result !== undefined && decodeUint(result) !== undefined)
            reasons.push(createMessage(ANY_CALL, contract));
        } catch (error) {
          if (!isAppError(error, 'rpc', 'badResponse')) throw error;
          reasons.push(createMessage(UNCHECKED_CALLS, contract));
        }
      }
      return reasons.slice(0, MAX_NAMED);
    },
  };
}

const ANY_CALL = '{0} returns a value for any call, so its calls confirm nothing.';
const UNCHECKED_CALLS = 'Could not check whether {0} returns a value for any call.';

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
    pushAll(results, await Promise.all(rows.slice(start, start + MAX_CALLS).map(call)));
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

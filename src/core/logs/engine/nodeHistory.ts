import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { getLogs, type QueryContext } from './getLogs.ts';
import { isBeyondHead, parseRangeLimitError } from './refusals.ts';
import type { ServerFilter } from './serverFilters.ts';

/** Blocks in ascending order, both inclusive. */
interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Whether the server returns the logs of one block. A block that holds too much for one response counts as served.
 *
 * @throws AppError of every kind but `rpc` and `server`.
 */
export async function isBlockServed(
  query: QueryContext,
  part: ServerFilter,
  block: bigint,
  { signal }: Abortable,
): Promise<boolean> {
  try {
    for (let attempt = 0; attempt < MAX_LAGGING; attempt++) {
      const response = await getLogs(query, part, { fromBlock: block, toBlock: block, retries: 1, signal });
      if ('result' in response || parseRangeLimitError(response.error, block)?.ofContent) return true;
      // The error may have been a passing one. Of a block that is not seen yet, more replicas are asked.
      if (!isBeyondHead(response.error) && attempt > 0) return false;
    }
  } catch (error) {
    if (!isAppError(error, 'server')) throw error;
  }
  return false;
}

/** Requests for blocks that lagging replicas refuse. */
export const MAX_LAGGING = 4;

/**
 * The first block that the server has, if it refuses the first of these blocks and serves the last: a node that has
 * pruned old blocks (EIP-4444) refuses every range that begins before it. Takes one request for each halving.
 *
 * @returns undefined if the refusal has another cause.
 * @throws AppError as {@link isBlockServed} does.
 */
export async function findFirstServedBlock(
  query: QueryContext,
  part: ServerFilter,
  { fromBlock, toBlock }: Blocks,
  options: Abortable,
): Promise<bigint | undefined> {
  const isServed = (block: bigint) => isBlockServed(query, part, block, options);
  if (fromBlock >= toBlock || !(await isServed(toBlock)) || (await isServed(fromBlock))) return undefined;
  let [refused, served] = [fromBlock, toBlock];
  while (served - refused > 1n) {
    const middle = (refused + served) / 2n;
    if (await isServed(middle)) served = middle;
    else refused = middle;
  }
  return served;
}

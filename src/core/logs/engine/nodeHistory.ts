import * as z from 'zod/mini';
import type { Abortable } from '../../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../../base/errors.ts';
import { parseQuantity, toQuantity } from '../../eth/hex.ts';
import { getBatchSupport } from './dialect.ts';
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

/** Requests for a block that lagging replicas refuse. */
const MAX_LAGGING = 4;

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

/** Headers that are sampled: the first blocks, and as many spread over the others. */
const SAMPLED_FIRST = 8;
const SAMPLED_SPREAD = 8;
const MAX_BYTES = 4 * 1024 * 1024;

const Header = z.object({ number: z.string(), logsBloom: z.string().check(z.maxLength(1024)) });

/**
 * A block without logs although its header says that it has some: a node that has pruned its receipts leaves their logs
 * out without an error. Samples the headers of blocks that gave no logs, in one request, and requests all logs of one
 * that has any, in another. The bloom of a header has a bit for each log of its block, whatever the filter (Yellow
 * Paper, section 4.4.3).
 *
 * Learns from which block on the node has its logs, so that it is checked once.
 *
 * @param options.isBelowRow whether the block after the last has a log that the node returned.
 * @returns undefined if the node has these logs, if there are none, or if it does not say.
 * @throws AppError `aborted` only.
 */
export async function findPrunedBlock(
  query: QueryContext,
  blocks: Blocks,
  { isBelowRow, signal }: Abortable & { readonly isBelowRow: boolean },
): Promise<bigint | undefined> {
  const { rpc, memory } = query;
  const { prunedAt } = memory.current();
  if (prunedAt !== undefined && prunedAt >= blocks.fromBlock && prunedAt <= blocks.toBlock) return prunedAt;
  const options = { ...query.retry, retries: 1, maxBytes: MAX_BYTES, signal };
  try {
    const sampled = getBatchSupport(memory.current()) === 'taken' ? sampleBlocks(blocks) : [blocks.fromBlock];
    const calls = sampled.map((block) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(block), false],
    }));
    const headers = (await rpc.callBatch(calls, options)).map((outcome, place) =>
      'result' in outcome ? parseBloom(outcome.result, sampled[place]) : undefined,
    );
    const block = findBlockWithLogs(sampled, headers);
    if (block === undefined) {
      // Without a log above, blocks without logs show nothing of the node.
      if (isBelowRow) memory.learn({ logsFrom: blocks.fromBlock });
      return undefined;
    }
    const filter = { fromBlock: toQuantity(block), toBlock: toQuantity(block) };
    const isEmpty = async () => {
      const logs = await rpc.call('eth_getLogs', [filter], options);
      return Array.isArray(logs) ? logs.length === 0 : undefined;
    };
    let lacksLogs = await isEmpty();
    // A lagging replica has no logs of a new block.
    if (lacksLogs && block >= query.unsettledFrom) lacksLogs = await isEmpty();
    if (lacksLogs === undefined) return undefined;
    memory.learn(lacksLogs ? { prunedAt: block } : { logsFrom: blocks.fromBlock });
    return lacksLogs ? block : undefined;
  } catch {
    throwIfAborted(signal);
    return undefined;
  }
}

function sampleBlocks({ fromBlock, toBlock }: Blocks): readonly bigint[] {
  const first = Array.from({ length: SAMPLED_FIRST }, (_, place) => fromBlock + BigInt(place));
  const spread = Array.from(
    { length: SAMPLED_SPREAD },
    (_, place) => fromBlock + ((toBlock - fromBlock) * BigInt(place + 1)) / BigInt(SAMPLED_SPREAD),
  );
  return [...new Set([...first, ...spread])].filter((block) => block <= toBlock);
}

function parseBloom(header: unknown, block: bigint | undefined): string | undefined {
  const { data } = Header.safeParse(header);
  return data && parseQuantity(data.number) === block ? data.logsBloom.toLowerCase() : undefined;
}

/** The lowest block whose bloom has a bit. A node that sends one bloom for every block says nothing by it. */
function findBlockWithLogs(
  blocks: readonly bigint[],
  blooms: readonly (string | undefined)[],
): bigint | undefined {
  const known = new Set(blooms.filter((bloom) => bloom !== undefined));
  const isSame = known.size === 1 && blocks.length > 1;
  const place = blooms.findIndex((bloom) => bloom !== undefined && /[1-9a-f]/.test(bloom.slice(2)));
  return isSame || place < 0 ? undefined : blocks[place];
}

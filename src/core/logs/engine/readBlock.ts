import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import type { Hex } from '../../eth/hex.ts';
import { compareLogs, type Log } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { getFilterSupport, isIdentified, mayBeTruncated, PAGE_LIMIT } from './dialect.ts';
import { getServerPaging } from './dialectMemory.ts';
import { type FetchedLogs, fetchLogs } from './fetchLogs.ts';
import type { QueryContext } from './getLogs.ts';
import type { MemoryBudget } from './limits.ts';
import { mergeLogs } from './parseLogs.ts';
import { parseRangeLimitError } from './refusals.ts';
import { type ServerFilter, toWholeServerFilter } from './serverFilters.ts';

/** The part of a query that covers one block. */
interface BlockRequest extends Abortable {
  readonly query: QueryContext;
  readonly part: ServerFilter;
  readonly block: bigint;
  /** Reading ends when it is exceeded; the caller checks it. */
  readonly budget: MemoryBudget;
}

interface BlockLogs {
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
}

/**
 * All matching rows of one block whose first response, `first`, may be incomplete.
 *
 * Inside one block, the cursor is reliable on every Blockscout, provided that the page has an order. The page of an
 * address query has none from v6.8 to v10.2. There, the block is read by topic0 alone, which has an order. That
 * covers all rows if the filter names its topic0. Otherwise only the topic0 values are covered that were seen, here
 * or by the block witness, and the result stays uncertain. If a query by topics alone has no cursor (to v5.2.1),
 * the block is read by the addresses that were seen.
 *
 * @throws AppError as {@link fetchLogs} does, if the error means that the server is unavailable now.
 */
export async function readBlock(request: BlockRequest, first: FetchedLogs): Promise<BlockLogs> {
  const { query, part, block, budget } = request;
  budget.take(first.count, first.matching);
  const paging = getServerPaging(query.memory, part);
  const isComplete = isIdentified(query.memory.current())
    ? first.count < paging.completeBelow
    : !isFull(query, first) && !paging.hasShortPages;
  if (isComplete) return { logs: first.matching, reasons: [] };

  const followed = await followCursor(request, first);
  // If the server does not report its release, a topic query is ordered if its cursor moves at all.
  const trusted = paging.isOrdered || (part.address === undefined && followed.pages > 1);
  if (followed.finished && trusted) return { logs: await mergeLogs([followed.logs], query), reasons: [] };

  const readsAgain = (part.address !== undefined || !followed.finished) && !budget.isExceeded;
  if (readsAgain) budget.release(followed.count);
  const partial = readsAgain ? await readByParts(request, first) : undefined;
  const logs = await mergeLogs([followed.logs, ...(partial?.lists ?? [])], query);
  if (partial?.isComplete) return { logs, reasons: [] };
  return { logs, reasons: [{ code: paging.hasShortPages ? 'shortPages' : 'blockNotWhole', block }] };
}

/**
 * Reads what it can of one block whose rows the server refuses as too many: by the complete filter if the request was
 * a part of it, then address by address and topic0 by topic0. Parts that are still too large are missing, and the
 * result is uncertain.
 *
 * @throws AppError as {@link fetchLogs} does, for other errors.
 */
export async function readRefusedBlock(request: BlockRequest): Promise<BlockLogs> {
  const { query, block, budget, signal } = request;
  const lists: (readonly Log[])[] = [];
  let isComplete = true;

  async function read(part: ServerFilter): Promise<void> {
    try {
      const page = await fetchLogs(query, part, { fromBlock: block, toBlock: block, signal });
      budget.take(page.count, page.matching);
      lists.push(page.matching);
      isComplete &&= page.coveredTo >= block;
    } catch (error) {
      if (!parseRangeLimitError(error, block)?.ofContent) throw error;
      await readParts(part);
    }
  }

  async function readParts(part: ServerFilter): Promise<void> {
    const narrower = splitFilter(part, query);
    if (narrower.length === 0) isComplete = false;
    for (const narrowerPart of narrower) {
      if (budget.isExceeded) return;
      await read(narrowerPart);
    }
  }

  await query.identify({ signal });
  await readParts(request.part);
  const logs = await mergeLogs(lists, query);
  return { logs, reasons: isComplete ? [] : [{ code: 'blockNotWhole', block }] };
}

/** Counts consecutive blocks that a server refuses completely. */
export interface RefusedBlocks {
  /**
   * @param refusal undefined if the block was read.
   * @throws `refusal` itself after so many in a row that it is useless to continue. Then the count starts again.
   */
  check(refusal: unknown): void;
}

/** A server that refuses each block would otherwise be sent requests for all blocks of the chain. */
const MAX_REFUSED_IN_A_ROW = 16;

/** Fewer if responses exceed our own size limit, as each is downloaded up to that limit. */
const MAX_TOO_LARGE_IN_A_ROW = 3;

export function createRefusedBlocks(): RefusedBlocks {
  let inARow = 0;
  return {
    check(refusal) {
      inARow = refusal === undefined ? 0 : inARow + 1;
      if (inARow < (isAppError(refusal, 'tooLarge') ? MAX_TOO_LARGE_IN_A_ROW : MAX_REFUSED_IN_A_ROW)) return;
      inARow = 0;
      throw refusal;
    },
  };
}

/** An unidentified server may have any page limit. */
function isFull({ memory }: QueryContext, { count }: FetchedLogs): boolean {
  return count >= PAGE_LIMIT || (!isIdentified(memory.current()) && mayBeTruncated(count));
}

/**
 * Follows the cursor to the end of the block. Not finished if the server fails on it, or if the cursor stops or
 * never ends.
 */
async function followCursor({ query, part, block, budget, signal }: BlockRequest, first: FetchedLogs) {
  const logs: Log[] = [...first.matching];
  let pages = 1;
  let count = first.count;
  let page = first;
  while (isFull(query, page)) {
    const after = page.logs[page.logs.length - 1];
    if (!after || query.unrequestedRows.isProven || budget.isExceeded)
      return { logs, pages, count, finished: false };
    try {
      page = await fetchLogs(query, part, { fromBlock: block, toBlock: block, after, signal, retries: 1 });
    } catch (error) {
      if (!isUnprocessable(error)) throw error;
      return { logs, pages, count, finished: false };
    }
    const firstRow = page.logs[0];
    if (page.coveredTo < block) return { logs, pages, count, finished: false };
    if (firstRow && compareLogs(firstRow, after) <= 0) return { logs, pages, count, finished: false };
    if (page.count > 0) pages++;
    count += page.count;
    for (const log of page.matching) logs.push(log);
    budget.take(page.count, page.matching);
  }
  return { logs, pages, count, finished: true };
}

/**
 * Reads the block by each topic0 without the address, or, if the filter has no address, by each address, following
 * the cursor.
 */
async function readByParts(request: BlockRequest, first: FetchedLogs) {
  const { query, part, block, budget, signal } = request;
  const addresses = part.address === undefined ? undefined : new Set([part.address].flat());
  const requestedTopics = addresses ? query.filter.topics[0] : undefined;
  const lists: (readonly Log[])[] = [];
  let finished = true;
  for (const narrowerPart of requestedTopics?.map(toTopic0Filter) ??
    (await listSeenFilters(request, first))) {
    if (budget.isExceeded) return { lists, isComplete: false };
    try {
      const page = await fetchLogs(query, narrowerPart, { fromBlock: block, toBlock: block, signal });
      budget.take(page.count, page.matching);
      const followed = await followCursor({ ...request, part: narrowerPart }, page);
      finished &&= followed.finished && page.coveredTo >= block;
      lists.push(followed.logs.filter((log) => addresses?.has(log.address) ?? true));
    } catch (error) {
      if (!isUnprocessable(error)) throw error;
      finished = false;
    }
  }
  return {
    lists,
    isComplete: finished && requestedTopics !== undefined && requestedTopics !== null,
  };
}

const toTopic0Filter = (topic0: Hex): ServerFilter => ({ topics: [topic0] });

/** Values of topic0, or addresses, that are requested one by one if only the seen ones are known. */
const MAX_SEEN_VALUES = 64;

/** Filters for each topic0, or each address, of the block's logs that were seen, here or by the block witness. */
async function listSeenFilters(request: BlockRequest, first: FetchedLogs): Promise<readonly ServerFilter[]> {
  const { query, part, block, signal } = request;
  const [topic0] = part.topics ?? [];
  const witnessed = await query.blockWitness(
    {
      block,
      address: typeof part.address === 'string' ? part.address : undefined,
      topic0: typeof topic0 === 'string' ? topic0 : undefined,
    },
    { signal },
  );
  const seen = new Set<Hex>();
  const logs = [...first.logs.map(({ address, topics }) => ({ address, topic0: topics[0] })), ...witnessed];
  for (const log of logs) {
    const value = part.address === undefined ? log.address : log.topic0;
    if (value !== undefined) seen.add(value);
    if (seen.size === MAX_SEEN_VALUES) break;
  }
  return [...seen].map((value) =>
    part.address === undefined ? { ...part, address: value } : toTopic0Filter(value),
  );
}

/** Whether an error means that the server cannot process this request, not that it is unavailable now. */
function isUnprocessable(error: unknown): boolean {
  return isAppError(error, 'rpc', 'server', 'badLogs', 'badResponse');
}

/** Filters that together return the same rows; none if the filter cannot be split further. */
function splitFilter(part: ServerFilter, { filter, memory }: QueryContext): readonly ServerFilter[] {
  const { address, topics = [] } = part;
  if (getFilterSupport(memory.current()) === 'whole' && topics.length < filter.topics.length) {
    return [{ ...toWholeServerFilter(filter), ...(address === undefined ? {} : { address }) }];
  }
  if (typeof address === 'object') return address.map((one) => ({ ...part, address: one }));
  const [topic0, ...others] = topics;
  if (topic0 === null || typeof topic0 !== 'object') return [];
  return topic0.map((one) => ({ ...part, topics: [one, ...others] }));
}

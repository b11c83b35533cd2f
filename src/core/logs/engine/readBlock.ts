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
import { parseRangeLimitError } from './rangeWidth.ts';
import { type ServerFilter, toWholeServerFilter } from './serverFilters.ts';

/** Values of topic0, or addresses, that are asked for one by one where only those are known that were seen. */
const MAX_SEEN_VALUES = 64;

/** The part of a query that is about one block. */
interface BlockRequest extends Abortable {
  readonly source: QueryContext;
  readonly part: ServerFilter;
  readonly block: bigint;
  /** Ends the reading when it is over: the caller looks. */
  readonly budget: MemoryBudget;
}

interface BlockLogs {
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
}

/**
 * All matching rows of one block whose first answer, `first`, was not surely whole.
 *
 * Inside one block the cursor is right on every Blockscout, provided that the page has an order. Where an address
 * query has none (v6.8 to v10.2), the block is read by topic0 alone, which has; that covers all if the filter
 * names its topic0, else only the topic0 values that were seen, here or by the second witness, and the answer stays in
 * doubt. Where a query by topics alone has no cursor (to v5.2.1), the block is read by the addresses that were seen.
 *
 * @throws AppError as {@link fetchLogs} does, where it says that the server cannot be asked now.
 */
export async function readBlock(question: BlockRequest, first: FetchedLogs): Promise<BlockLogs> {
  const { source, part, block, budget } = question;
  budget.take(first.count, first.matching);
  const traits = getServerPaging(source.memory, part);
  const isWhole = isIdentified(source.memory.current())
    ? first.count < traits.wholeBelow
    : !isFull(source, first) && !traits.shortPages;
  if (isWhole) return { logs: first.matching, reasons: [] };

  const followed = await followCursor(question, first);
  // Of a server that does not tell its release, a topic query is ordered if its cursor moves at all.
  const trusted = traits.ordered || (part.address === undefined && followed.pages > 1);
  if (followed.finished && trusted) return { logs: mergeLogs([followed.logs]), reasons: [] };

  const readsAgain = (part.address !== undefined || !followed.finished) && !budget.over;
  if (readsAgain) budget.release(followed.count);
  const byParts = readsAgain ? await readByParts(question, first) : undefined;
  const logs = mergeLogs([followed.logs, byParts?.logs ?? []]);
  if (byParts?.whole) return { logs, reasons: [] };
  return { logs, reasons: [{ code: traits.shortPages ? 'shortPages' : 'blockNotWhole', block }] };
}

/** The page limit of a server that does not say what it is can be any. */
function isFull({ memory }: QueryContext, { count }: FetchedLogs): boolean {
  return count >= PAGE_LIMIT || (!isIdentified(memory.current()) && mayBeTruncated(count));
}

/** Follows the cursor to the end of the block. Not finished where the server fails on it, or moves not or for ever. */
async function followCursor({ source, part, block, budget, signal }: BlockRequest, first: FetchedLogs) {
  const logs: Log[] = [...first.matching];
  let pages = 1;
  let count = first.count;
  let page = first;
  while (isFull(source, page)) {
    const after = page.logs[page.logs.length - 1];
    if (!after || source.unrequestedRows.proven || budget.over)
      return { logs, pages, count, finished: false };
    try {
      page = await fetchLogs(source, part, { fromBlock: block, toBlock: block, after, signal, retries: 1 });
    } catch (error) {
      if (!isRequested(error)) throw error;
      return { logs, pages, count, finished: false };
    }
    const firstRow = page.logs[0];
    if (page.knownTo < block) return { logs, pages, count, finished: false };
    if (firstRow && compareLogs(firstRow, after) <= 0) return { logs, pages, count, finished: false };
    if (page.count > 0) pages++;
    count += page.count;
    for (const log of page.matching) logs.push(log);
    budget.take(page.count, page.matching);
  }
  return { logs, pages, count, finished: true };
}

/** The block by each topic0 without the address or, of a filter without one, by each address, cursor and all. */
async function readByParts(question: BlockRequest, first: FetchedLogs) {
  const { source, part, block, budget, signal } = question;
  const addresses = part.address === undefined ? undefined : new Set([part.address].flat());
  const asked = addresses ? source.filter.topics[0] : undefined;
  const found: (readonly Log[])[] = [];
  let finished = true;
  for (const smaller of asked?.map(byTopic0) ?? (await partsSeen(question, first))) {
    if (budget.over) return { logs: mergeLogs(found), whole: false };
    try {
      const page = await fetchLogs(source, smaller, { fromBlock: block, toBlock: block, signal });
      budget.take(page.count, page.matching);
      const followed = await followCursor({ ...question, part: smaller }, page);
      finished &&= followed.finished && page.knownTo >= block;
      found.push(followed.logs.filter((log) => addresses?.has(log.address) ?? true));
    } catch (error) {
      if (!isRequested(error)) throw error;
      finished = false;
    }
  }
  return { logs: mergeLogs(found), whole: finished && asked !== undefined && asked !== null };
}

const byTopic0 = (topic0: Hex): ServerFilter => ({ topics: [topic0] });

/** Filters for each topic0, or each address, of the block's logs that were seen, here or by the second witness. */
async function partsSeen(question: BlockRequest, first: FetchedLogs): Promise<readonly ServerFilter[]> {
  const { source, part, block, signal } = question;
  const [topic0] = part.topics ?? [];
  const witnessed = await source.blockWitness(
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
    part.address === undefined ? { ...part, address: value } : byTopic0(value),
  );
}

/** Whether a failure says that the server cannot answer this, and not that it cannot be asked now. */
function isRequested(error: unknown): boolean {
  return isAppError(error, 'rpc', 'server', 'badLogs', 'badResponse');
}

/**
 * What can be had of one block whose rows for its part the server refuses as too many: by the whole filter where that is
 * a part of it, then address by address and topic0 by topic0. What is still too much is missing, and in doubt.
 *
 * @throws AppError as {@link fetchLogs} does, for what is no such refusal.
 */
export async function readRefusedBlock(question: BlockRequest): Promise<BlockLogs> {
  const { source, block, budget, signal } = question;
  const found: (readonly Log[])[] = [];
  let whole = true;

  async function read(part: ServerFilter): Promise<void> {
    try {
      const page = await fetchLogs(source, part, { fromBlock: block, toBlock: block, signal });
      budget.take(page.count, page.matching);
      found.push(page.matching);
      whole &&= page.knownTo >= block;
    } catch (error) {
      if (!parseRangeLimitError(error, block)?.ofContent) throw error;
      await readParts(part);
    }
  }

  async function readParts(part: ServerFilter): Promise<void> {
    const narrower = narrow(part, source);
    if (narrower.length === 0) whole = false;
    for (const each of narrower) {
      if (budget.over) return;
      await read(each);
    }
  }

  await source.identify({ signal });
  await readParts(question.part);
  return { logs: mergeLogs(found), reasons: whole ? [] : [{ code: 'blockNotWhole', block }] };
}

/** Filters that together give the same rows in the end; none where there is nothing to part it by. */
function narrow(part: ServerFilter, { filter, memory }: QueryContext): readonly ServerFilter[] {
  const { address, topics = [] } = part;
  if (getFilterSupport(memory.current()) === 'whole' && topics.length < filter.topics.length) {
    return [{ ...toWholeServerFilter(filter), ...(address === undefined ? {} : { address }) }];
  }
  if (typeof address === 'object') return address.map((one) => ({ ...part, address: one }));
  const [topic0, ...others] = topics;
  if (topic0 === null || typeof topic0 !== 'object') return [];
  return topic0.map((one) => ({ ...part, topics: [one, ...others] }));
}

/** Blocks in order, of which a server may refuse to give anything at all. */
export interface RefusedBlocks {
  /**
   * Looks at what comes next.
   *
   * @param refusal of a single block of which nothing could be had; undefined for blocks that were read.
   * @throws `refusal` itself, when so many came in a row that asking on is of no use. Then counts anew.
   */
  check(refusal: unknown): void;
}

/** A server that refuses each block would be asked for all blocks of the chain. */
const MAX_REFUSED_IN_A_ROW = 16;
/** Fewer where it is our own limit that an answer goes over: each is read as far as that limit. */
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

import type { Abortable } from '../../base/abortable.ts';
import { isAppError } from '../../base/errors.ts';
import type { Hex } from '../../values/hex.ts';
import { type FetchedLogs, fetchLogs } from '../asking/fetchLogs.ts';
import type { LogSource } from '../asking/logSource.ts';
import { mergeLogs } from '../asking/mergeLogs.ts';
import type { Room } from '../guards/room.ts';
import { compareLogs, type Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { isIdentified } from '../server/dialect.ts';
import { pagingTraitsOf } from '../server/dialectMemory.ts';
import { mayBeCutOff, PAGE_LIMIT } from '../server/pageLimits.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

/** Values of topic0, or addresses, that are asked for one by one where only those are known that were seen. */
const MOST_SEEN = 64;

/** The part of a query that is about one block. */
export interface BlockQuestion extends Abortable {
  readonly source: LogSource;
  readonly part: ServerFilter;
  readonly block: bigint;
  /** Ends the reading when it is over: the caller looks. */
  readonly room: Room;
}

export interface BlockLogs {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
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
export async function readBlock(question: BlockQuestion, first: FetchedLogs): Promise<BlockLogs> {
  const { source, part, block, room } = question;
  room.take(first.count, first.matching);
  const traits = pagingTraitsOf(source.memory, part);
  const isWhole = isIdentified(source.memory.current())
    ? first.count < traits.wholeBelow
    : !isFull(source, first) && !traits.shortPages;
  if (isWhole) return { logs: first.matching, doubts: [] };

  const followed = await followCursor(question, first);
  // Of a server that does not tell its release, a topic query is ordered if its cursor moves at all.
  const trusted = traits.ordered || (part.address === undefined && followed.pages > 1);
  if (followed.finished && trusted) return { logs: mergeLogs([followed.logs]), doubts: [] };

  const readsAgain = (part.address !== undefined || !followed.finished) && !room.over;
  if (readsAgain) room.giveBack(followed.count);
  const byParts = readsAgain ? await readByParts(question, first) : undefined;
  const logs = mergeLogs([followed.logs, byParts?.logs ?? []]);
  if (byParts?.whole) return { logs, doubts: [] };
  return { logs, doubts: [{ code: traits.shortPages ? 'shortPages' : 'blockNotWhole', block }] };
}

/** The page limit of a server that does not say what it is can be any. */
function isFull({ memory }: LogSource, { count }: FetchedLogs): boolean {
  return count >= PAGE_LIMIT || (!isIdentified(memory.current()) && mayBeCutOff(count));
}

/** Follows the cursor to the end of the block. Not finished where the server fails on it, or moves not or for ever. */
async function followCursor({ source, part, block, room, signal }: BlockQuestion, first: FetchedLogs) {
  const logs: Log[] = [...first.matching];
  let pages = 1;
  let count = first.count;
  let page = first;
  while (isFull(source, page)) {
    const after = page.logs[page.logs.length - 1];
    if (!after || source.strays.proven || room.over) return { logs, pages, count, finished: false };
    try {
      page = await fetchLogs(source, part, { fromBlock: block, toBlock: block, after, signal, retries: 1 });
    } catch (error) {
      if (!isOfTheQuestion(error)) throw error;
      return { logs, pages, count, finished: false };
    }
    const firstRow = page.logs[0];
    if (page.knownTo < block) return { logs, pages, count, finished: false };
    if (firstRow && compareLogs(firstRow, after) <= 0) return { logs, pages, count, finished: false };
    if (page.count > 0) pages++;
    count += page.count;
    for (const log of page.matching) logs.push(log);
    room.take(page.count, page.matching);
  }
  return { logs, pages, count, finished: true };
}

/** The block by each topic0 without the address or, of a filter without one, by each address, cursor and all. */
async function readByParts(question: BlockQuestion, first: FetchedLogs) {
  const { source, part, block, room, signal } = question;
  const addresses = part.address === undefined ? undefined : new Set([part.address].flat());
  const asked = addresses ? source.filter.topics[0] : undefined;
  const found: (readonly Log[])[] = [];
  let finished = true;
  for (const smaller of asked?.map(byTopic0) ?? (await partsSeen(question, first))) {
    if (room.over) return { logs: mergeLogs(found), whole: false };
    try {
      const page = await fetchLogs(source, smaller, { fromBlock: block, toBlock: block, signal });
      room.take(page.count, page.matching);
      const followed = await followCursor({ ...question, part: smaller }, page);
      finished &&= followed.finished && page.knownTo >= block;
      found.push(followed.logs.filter((log) => addresses?.has(log.address) ?? true));
    } catch (error) {
      if (!isOfTheQuestion(error)) throw error;
      finished = false;
    }
  }
  return { logs: mergeLogs(found), whole: finished && asked !== undefined && asked !== null };
}

const byTopic0 = (topic0: Hex): ServerFilter => ({ topics: [topic0] });

/** Filters for each topic0, or each address, of the block's logs that were seen, here or by the second witness. */
async function partsSeen(question: BlockQuestion, first: FetchedLogs): Promise<readonly ServerFilter[]> {
  const { source, part, block, signal } = question;
  const [topic0] = part.topics ?? [];
  const witnessed = await source.witness(
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
    if (seen.size === MOST_SEEN) break;
  }
  return [...seen].map((value) =>
    part.address === undefined ? { ...part, address: value } : byTopic0(value),
  );
}

/** Whether a failure says that the server cannot answer this, and not that it cannot be asked now. */
function isOfTheQuestion(error: unknown): boolean {
  return isAppError(error, 'rpc', 'server', 'badLogs', 'badResponse');
}

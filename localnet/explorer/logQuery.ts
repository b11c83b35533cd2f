import type { ExplorerIndex, IndexedBlock, IndexedLog } from '../index/explorerIndex.ts';
import { HttpFailure } from './failures.ts';
import type { Cursor, LogFilter } from './logFilter.ts';
import { orderRows, type PlannerOrder } from './plannerOrder.ts';
import { compileTopicMatch, type TopicRules } from './topicMatch.ts';

/** Rows of one answer, a constant in every Blockscout. */
const pageSize = 1000;

/** A log with the block that the server found for it. Without one its transaction has dropped out. */
export type LogRow = {
  readonly log: IndexedLog;
  readonly block: IndexedBlock | undefined;
  readonly transactionIndex: number;
};

/** How one Blockscout release turns a filter into a page. Releases differ in nothing else here. */
export type LogQueryRules = {
  /**
   * What a log is joined to. `heights`: every block at the height of its transaction, so forks double rows.
   * `transaction`: the transaction by its hash, so an orphaned copy passes for true. `block`: the
   * transaction where it stands in the log's own block.
   */
  readonly join: 'heights' | 'transaction' | 'block';
  /** Whose height is held against the asked range. */
  readonly rangeOf: 'log' | 'transaction';
  readonly mainChainOnly: boolean;
  /**
   * `tuple`: (block, index) beyond the cursor. `separate`: index beyond, and block not before, so later
   * blocks lose their first logs. `separateWithTransaction`: and transaction index not before.
   * `crash`: the column does not exist.
   */
  readonly cursor: 'tuple' | 'separate' | 'separateWithTransaction' | 'crash';
  /** Whether the limit cuts joined rows, or logs before orphans and dropped transactions are sorted out. */
  readonly limitOf: 'rows' | 'logs';
  /** Which rows the limit keeps: the first, or any, where the query names no order before it cuts. */
  readonly limitOrder: 'ascending' | 'planner';
};

export type LogRules = {
  readonly byAddress: LogQueryRules;
  readonly byTopics: LogQueryRules;
  readonly topics: TopicRules;
};

/** Throws HttpFailure where the server's query cannot be built or crashes. */
export function selectLogs(
  index: ExplorerIndex,
  filter: LogFilter,
  rules: LogRules,
  plannerOrder: PlannerOrder,
): readonly LogRow[] {
  const perAddress = filter.address !== undefined;
  const query = perAddress ? rules.byAddress : rules.byTopics;
  if (query.cursor === 'crash' && filter.cursor) throw new HttpFailure(500);

  const times = compileTopicMatch(filter.topics, rules.topics, perAddress);
  const matching = repeat(candidates(index, filter, query), times);
  const logs = query.limitOrder === 'planner' ? orderRows([...matching], plannerOrder(filter)) : matching;
  const rows =
    query.limitOf === 'logs'
      ? limitLogs(logs, filter.cursor, query).flatMap((log) => join(index, log, query))
      : limitRows(index, logs, filter.cursor, query);
  return rows.sort(compareRows);
}

function* candidates(index: ExplorerIndex, filter: LogFilter, query: LogQueryRules): Iterable<IndexedLog> {
  const { range, address } = filter;
  if (query.rangeOf === 'log') {
    yield* index.logs(range, address);
    return;
  }
  const displaced = new Set(index.displacedLogs());
  for (const log of index.logs(range, address)) {
    if (!displaced.has(log)) yield log;
  }
  for (const log of displaced) {
    const height = index.transaction(log.transactionHash)?.block?.number;
    const inRange = height !== undefined && height >= range.from && height <= range.to;
    if (inRange && (address === undefined || log.address === address)) yield log;
  }
}

function* repeat(logs: Iterable<IndexedLog>, times: (log: IndexedLog) => number): Iterable<IndexedLog> {
  for (const log of logs) {
    for (let left = times(log); left > 0; left -= 1) yield log;
  }
}

function limitLogs(
  logs: Iterable<IndexedLog>,
  cursor: Cursor | undefined,
  { cursor: kind }: LogQueryRules,
): IndexedLog[] {
  const beyond = function* (): Iterable<IndexedLog> {
    for (const log of logs) {
      if (!cursor || isBeyond(cursor, kind, log.blockNumber, log.logIndex, 0)) yield log;
    }
  };
  return take(beyond());
}

function limitRows(
  index: ExplorerIndex,
  logs: Iterable<IndexedLog>,
  cursor: Cursor | undefined,
  query: LogQueryRules,
): LogRow[] {
  const joined = function* (): Iterable<LogRow> {
    for (const log of logs) {
      for (const row of join(index, log, query)) {
        const height = query.join === 'heights' ? (row.block?.number ?? 0) : log.blockNumber;
        if (!cursor || isBeyond(cursor, query.cursor, height, log.logIndex, row.transactionIndex)) yield row;
      }
    }
  };
  // Displaced logs come last and under another height: only then must all be read before the cut.
  const inOrder = query.rangeOf === 'log' || index.displacedLogs().length === 0;
  return take(inOrder ? joined() : [...joined()].sort(compareRows));
}

function isBeyond(
  cursor: Cursor,
  kind: LogQueryRules['cursor'],
  height: number,
  logIndex: number,
  transactionIndex: number,
): boolean {
  if (kind === 'tuple') {
    return height > cursor.blockNumber || (height === cursor.blockNumber && logIndex > cursor.logIndex);
  }
  const beyond = logIndex > cursor.logIndex && height >= cursor.blockNumber;
  if (kind !== 'separateWithTransaction') return beyond;
  return beyond && transactionIndex >= (cursor.transactionIndex ?? 0);
}

function join(index: ExplorerIndex, log: IndexedLog, query: LogQueryRules): readonly LogRow[] {
  const transaction = index.transaction(log.transactionHash);
  if (!transaction) return [];
  const blocks = joinedBlocks(index, log, transaction.block, query.join);
  return blocks
    .filter((block) => !query.mainChainOnly || block?.consensus === true)
    .map((block) => ({ log, block, transactionIndex: transaction.index }));
}

function joinedBlocks(
  index: ExplorerIndex,
  log: IndexedLog,
  block: IndexedBlock | undefined,
  kind: LogQueryRules['join'],
): readonly (IndexedBlock | undefined)[] {
  if (kind === 'transaction') return [block];
  if (kind === 'heights') return block ? index.blocksAt(block.number) : [];
  return block?.hash === log.blockHash ? [block] : [];
}

function take<T>(items: Iterable<T>): T[] {
  const page: T[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length === pageSize) break;
  }
  return page;
}

/** By height and log index; rows without a block come last, as NULL does. */
function compareRows(a: LogRow, b: LogRow): number {
  const heightA = a.block?.number ?? Number.POSITIVE_INFINITY;
  const heightB = b.block?.number ?? Number.POSITIVE_INFINITY;
  if (heightA !== heightB) return heightA < heightB ? -1 : 1;
  return a.log.logIndex - b.log.logIndex;
}

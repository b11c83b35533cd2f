import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../localnet/explorer/server.ts';
import type { LogOrder } from '../../src/core/index.ts';
import { byTurns } from './fullRun.ts';
import type { InjectableServer } from './injectFetch.ts';
import { addresses, dataSets, type LogDataSet, topics } from './logDataSets.ts';
import {
  assertVerdictHolds,
  densestBlock,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  type QueryJson,
  type ReadingMode,
  type ReadLogs,
  readAll,
  readPages,
  readPageThenRest,
} from './logReading.ts';

type Filters = Readonly<Record<string, QueryJson>>;

/** Queries of every kind: with their rows all over the data sets, and with topics that only some rows have. */
export interface ConformanceFilters {
  readonly plain: Filters;
  readonly byTopics: Filters;
}

/**
 * What the nth server is asked of a data set: everything where the set has all kinds of blocks, as what topics are asked
 * for is nothing to how many rows a block has; of the others each second query, by turns. Of these a run that is not full
 * has one in six: over all servers each data set with its queries by turns.
 */
export function filtersFor(
  set: string,
  { plain, byTopics }: ConformanceFilters,
  nth: number,
): readonly [string, QueryJson][] {
  const queries = hasAllKinds(set)
    ? Object.entries({ ...plain, ...byTopics })
    : Object.entries(plain).filter((_, index) => index % 2 === nth % 2);
  return byTurns(queries, 6, Math.floor(nth / 2) + placeOf(set));
}

/** What the nth server has to hold: in a run that is not full one of three data sets, with one of those over a page. */
export function dataSetsFor(nth: number): readonly (readonly [string, () => LogDataSet])[] {
  return byTurns(Object.entries(dataSets), 3, nth);
}

/** How a query is read: in which way, and from which end. */
export type Reading = readonly [ReadingMode, LogOrder];

/**
 * How the nth query is read: once from each end, in the two ways by turns, so that over the queries every way is held
 * from every end.
 */
export function getReadings(nth: number): readonly Reading[] {
  const [first, second] = nth % 2 === 0 ? [readPages, readAll] : [readAll, readPages];
  return [
    [first, 'oldestFirst'],
    [second, 'newestFirst'],
  ];
}

/** How the nth of many like cases is read, where once must do: every way comes from every end by turns. */
export function getReadingByTurns(nth: number): Reading {
  const all = [...getReadings(0), ...getReadings(1)];
  return all[nth % all.length] ?? [readAll, 'oldestFirst'];
}

/**
 * How the nth query of a data set is read; in a run that is not full from one end, by turns.
 *
 * Going over from pages to the rest differs from both only where more than a page is there, and a cursor that is left;
 * newest first none is followed.
 */
export function getReadingsOfSet(set: string, nth: number): readonly Reading[] {
  const goesOver = nth % 2 === 0 && (set === 'uneven' || set === 'dense');
  const readings = byTurns(getReadings(nth), 2, Math.floor(nth / 2) + placeOf(set));
  return goesOver ? [...readings, [readPageThenRest, 'oldestFirst']] : readings;
}

/** Of a data set among all. */
function placeOf(set: string): number {
  return Object.keys(dataSets).indexOf(set);
}

/** Whether blocks of the data set are empty, full, over a page, or of a fork. */
export function hasAllKinds(set: string): boolean {
  return set === 'uneven' || set === 'dense' || set === 'forked';
}

/** A kind of server, and what may be asked of it. */
export interface ServerCase {
  start(set: LogDataSet): Promise<InjectableServer & { stop(): Promise<void> }>;
  readonly queries: readonly (readonly [name: string, query: QueryJson])[];
  /** Whether no client could do better than doubt the answer. */
  mayDoubt(set: LogDataSet, query: QueryJson): boolean;
  /** What is asked in the place of `query`; itself by default. */
  asked?(set: LogDataSet, query: QueryJson): QueryJson;
  /** What else holds of an answer. */
  assertMore?(answer: ReadLogs, wanted: readonly string[]): void;
}

/** Holds queries of a data set against a server of its own, in every way of reading. */
export function describeDataSet(
  name: string,
  makeSet: () => LogDataSet,
  { start, queries, mayDoubt, asked = (_, query) => query, assertMore }: ServerCase,
): void {
  describe(`data set: ${name}`, () => {
    let set: LogDataSet;
    let server: Awaited<ReturnType<ServerCase['start']>>;
    before(async () => {
      set = makeSet();
      server = await start(set);
    });
    after(() => server.stop());

    for (const [nth, [queryName, query]] of queries.entries()) {
      it(`gives every log of ${queryName}`, async () => {
        const sent = asked(set, query);
        for (const [read, order] of getReadingsOfSet(name, nth)) {
          const wanted = expectedKeys(set, sent, order);
          const answer = await read(openInjectQuery(server, sent, order));
          assertVerdictHolds(answer, wanted, () => mayDoubt(set, query));
          assertMore?.(answer, wanted);
        }
      });
    }
  });
}

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: ConformanceFilters = {
  plain: {
    'an address': { address: A },
    'an address and topic0': { address: A, topics: [T0] },
    'topic0 alone': { topics: [T1] },
    'several addresses': { address: [B, C] },
    'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
  },
  byTopics: {
    'a wildcard before a topic': { address: A, topics: [T0, null, T4] },
    'a wildcard first': { address: A, topics: [null, T2] },
    'either of two topics, then one': { address: A, topics: [[T0, T1], T2] },
    'one, then either of two': { topics: [T0, [T2, T3]] },
  },
};

const versions = Object.keys(dialects);

/** Holds queries of every kind against one explorer version, over all data sets, in every way of reading. */
export function describeConformance(dialect: DialectName, order: RowOrder | undefined): void {
  const turn = versions.indexOf(dialect);
  describe(`log query on Blockscout ${dialect}${order ? `, rows found ${order}` : ''}`, () => {
    for (const [setName, makeSet] of setsFor(order, turn)) {
      const plannerOrder = order ? { plannerOrder: () => order } : {};
      describeDataSet(setName, makeSet, {
        start: ({ index }) => startExplorer({ index, dialect, ...plannerOrder }),
        queries: filtersFor(setName, isLikely(order) ? filters : { ...filters, byTopics: {} }, turn),
        mayDoubt: (set, query) =>
          isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, set, query),
        assertMore(answer, wanted) {
          if (isForked(setName)) assert.deepEqual(missing(getLogKeys(answer.logs), wanted), []);
        },
      });
    }
  });
}

/** The order matters where a page is full; newest first, the likely one, is held against every set. */
function setsFor(order: RowOrder | undefined, turn: number): ReturnType<typeof dataSetsFor> {
  if (isLikely(order)) return dataSetsFor(turn);
  const full = Object.entries(dataSets).filter(([name]) => hasAllKinds(name));
  return byTurns(full, 3, turn + (order === 'ascending' ? 0 : 1));
}

function isLikely(order: RowOrder | undefined): boolean {
  return order === undefined || order === 'descending';
}

function missing(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const have = new Set(given);
  return wanted.filter((key) => !have.has(key));
}

function isForked(set: string): boolean {
  return set === 'forked' || set === 'mined again';
}

/** Orders in which a database may find rows, for versions whose address query names none. */
export function ordersOf(dialect: DialectName): readonly (RowOrder | undefined)[] {
  const unordered = ['v6.8', 'v6.10', 'v9.1', 'v10.2'].includes(dialect);
  return unordered ? ['ascending', 'descending', 'scattered'] : [undefined];
}

/** Versions that show orphaned logs as true ones, which no client can tell apart by itself. */
export function passesOrphans(dialect: DialectName): boolean {
  return ['v5.1.4', 'v5.4', 'v6.3', 'v12'].includes(dialect);
}

/**
 * Up to v5.2.1 no client can reach beyond the first page of a block by topics alone. From v6.8 to v10.2 none can be
 * sure of a full page of a block by address alone; to v9.4 not even of a part of one.
 */
export function cannotReach(
  dialect: DialectName,
  { truth }: Pick<LogDataSet, 'truth'>,
  query: QueryJson,
): boolean {
  // What the server counts: the address and the leading topic.
  const [topic0 = null] = query.topics ?? [];
  const densest = densestBlock(truth, { ...query, topics: [topic0] });
  if (dialect === 'v5.1.4') return query.address === undefined && densest >= 1000;
  if (query.address === undefined || topic0 !== null) return false;
  if (dialect === 'v10.2') return densest >= 1000;
  return ['v6.8', 'v6.10', 'v9.1'].includes(dialect) && densest >= 250;
}

import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import {
  type ChainClient,
  type ConfirmationPolicy,
  createChainClient,
  describeReasons,
  type FetchLike,
  formatMessage,
  type Log,
  type LogFilter,
  type LogFollower,
  type LogOrder,
  type LogPage,
  type LogQuery,
  parseLogFilter,
  type Verdict,
} from '../../src/core/index.ts';
import { createTestClock } from './clocks.ts';
import { createCachingFetch, type InjectableServer } from './injectFetch.ts';
import type { LogDataSet, TrueLog } from './logDataSets.ts';

/** A query in the JSON form of `eth_getLogs`. */
export interface QueryJson {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: number | string;
  readonly toBlock?: number | string;
}

export interface ReadLogs {
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

/** A way to read a query to its end. */
export type ReadingMode = (query: LogQuery) => Promise<ReadLogs>;

const fetch = undiciFetch as unknown as FetchLike;
const MAX_REQUESTS = 3000;

/** A client of the server at `url`, on a clock whose waits pass at once. */
export function createTestClient(url: string) {
  return createChainClient({ fetch, clock: createTestClock(), url });
}

export function openQuery(url: string, query: QueryJson): LogQuery {
  return createTestClient(url).openLogQuery(parseLogFilter(query));
}

/** A client of a server that answers alike each time in each of its states; without a connection. */
export function createInjectClient(server: InjectableServer, stateOf?: () => string) {
  const clock = createTestClock();
  return createChainClient({ fetch: createCachingFetch(server, stateOf), clock, url: server.rpcUrl });
}

export function openInjectQuery(
  server: InjectableServer,
  query: QueryJson,
  order: LogOrder = 'oldestFirst',
): LogQuery {
  return createInjectClient(server).openLogQuery(parseLogFilter(query), { order });
}

export async function readPages(running: LogQuery): Promise<ReadLogs> {
  const logs: Log[] = [];
  let verdict: Verdict | undefined;
  do {
    const page = await running.nextPage();
    assertNothingBeyond(verdict, page);
    logs.push(...page.logs);
    verdict = page.verdict;
    assert.ok(verdict.requests < MAX_REQUESTS, 'no progress');
  } while (verdict.state === 'more');
  return { logs, verdict };
}

export function readAll(running: LogQuery): Promise<ReadLogs> {
  return readRest(running, []);
}

export async function readPageThenRest(running: LogQuery): Promise<ReadLogs> {
  return readRest(running, (await running.nextPage()).logs);
}

async function readRest(running: LogQuery, first: readonly Log[]): Promise<ReadLogs> {
  const logs = [...first];
  let { verdict } = running;
  for await (const page of running.rest()) {
    assertNothingBeyond(verdict, page);
    logs.push(...page.logs);
    verdict = page.verdict;
  }
  assert.ok(verdict && verdict.state !== 'more');
  return { logs, verdict };
}

/** Of the blocks that were told to be read, nothing more comes. */
function assertNothingBeyond(before: Verdict | undefined, { logs }: LogPage): void {
  const { readThrough, order } = before ?? {};
  if (readThrough === undefined) return;
  const late = logs.find(({ blockNumber }) =>
    order === 'newestFirst' ? blockNumber >= readThrough : blockNumber <= readThrough,
  );
  assert.equal(late, undefined, `a log of block ${late?.blockNumber} after block ${readThrough} was read`);
}

/** A log by its place, as tests compare and print them. */
export function getLogKeys(logs: readonly { blockNumber: bigint | number; logIndex: number }[]): string[] {
  return logs.map((log) => `${log.blockNumber}:${log.logIndex}`);
}

/** What the chain holds of `query`. */
export function expectedKeys(
  { truth, head }: Pick<LogDataSet, 'truth' | 'head'>,
  query: QueryJson,
  order: LogOrder = 'oldestFirst',
): readonly string[] {
  const { fromBlock, toBlock } = parseLogFilter(query);
  const from = typeof fromBlock === 'bigint' ? Number(fromBlock) : 0;
  const to = typeof toBlock === 'bigint' ? Number(toBlock) : head;
  const keys = getLogKeys(
    truth.filter((log) => log.blockNumber >= from && log.blockNumber <= to && matchesQuery(query, log)),
  );
  return order === 'newestFirst' ? keys.reverse() : keys;
}

/** Written anew and not taken from core, so that an error there does not hide here. */
function matchesQuery(query: QueryJson, log: TrueLog): boolean {
  const wanted = query.address === undefined ? undefined : [query.address].flat();
  if (wanted && !wanted.includes(log.address)) return false;
  return (query.topics ?? []).every(
    (topic, slot) => topic === null || [topic].flat().includes(log.topics[slot] ?? ''),
  );
}

/** How many logs `query` selects in each block that has any. */
export function countsInBlocks(truth: readonly TrueLog[], query: QueryJson): readonly number[] {
  const counts = new Map<number, number>();
  for (const log of truth) {
    if (matchesQuery(query, log)) counts.set(log.blockNumber, (counts.get(log.blockNumber) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** Most logs that `query` selects in one block. */
export function densestBlock(truth: readonly TrueLog[], query: QueryJson): number {
  return Math.max(0, ...countsInBlocks(truth, query));
}

/** No log twice; complete means complete; doubt has its reason in words, and only where no client could do better. */
export function assertVerdictHolds(
  { logs, verdict }: ReadLogs,
  wanted: readonly string[],
  mayDoubt: () => boolean,
): void {
  const given = getLogKeys(logs);
  assert.equal(verdict.rows, given.length);
  assert.equal(new Set(given).size, given.length, 'a log twice');
  if (verdict.state === 'complete' || verdict.state === 'unreached') {
    assert.deepEqual(given, wanted);
    return;
  }
  const because = describeReasons(verdict.reasons).map(formatMessage).join('; ');
  assert.notEqual(because, '');
  assert.ok(mayDoubt(), because);
}

/** An answer that is followed, with its rows in the order of the chain. */
export interface FollowedQuery {
  readonly follower: LogFollower;
  readonly rows: readonly Log[];
  /** Brings it up to `head`. @returns rows that were taken back and did not come again. */
  advance(head: bigint): Promise<readonly Log[]>;
}

/** Reads a query to its end and follows it from there. */
export async function followQuery(
  client: Pick<ChainClient, 'openLogQuery' | 'followLogs'>,
  filter: LogFilter,
  { order = 'newestFirst', patience }: { readonly order?: LogOrder; readonly patience: ConfirmationPolicy },
): Promise<FollowedQuery> {
  const query = client.openLogQuery(filter, { order });
  const rows: Log[] = [];
  for await (const { logs } of query.rest()) rows.push(...logs);
  if (order === 'newestFirst') rows.reverse();
  const { verdict } = query;
  if (!verdict) throw new Error('There is no verdict.');
  const held = (fromBlock: bigint) => {
    const first = rows.findIndex(({ blockNumber }) => blockNumber >= fromBlock);
    return first < 0 ? rows.slice(-1) : rows.slice(Math.max(0, first - 1));
  };
  const follower = await client.followLogs(filter, { verdict, loadedRows: held, confirmation: patience });
  return {
    follower,
    rows,
    async advance(head) {
      const lost: Log[] = [];
      for await (const { removedFrom, logs } of follower.advance(head)) {
        while (removedFrom !== undefined && (rows.at(-1)?.blockNumber ?? -1n) >= removedFrom) {
          lost.push(...rows.splice(-1));
        }
        rows.push(...logs);
      }
      if (lost.length === 0) return lost;
      const stay = new Set(rows.map(getLogKey));
      return lost.filter((log) => !stay.has(getLogKey(log)));
    },
  };
}

/** A row by its block and its place there. */
export function getLogKey({ blockHash, logIndex }: Log): string {
  return `${blockHash}:${logIndex}`;
}

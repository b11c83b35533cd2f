import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../../localnet/explorer/plannerOrder.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import {
  createChainClient,
  type FetchLike,
  type Log,
  type LogQuery,
  parseLogFilter,
  reasonText,
  type Verdict,
} from '../../../../src/core/index.ts';
import { addresses, dataSets, type LogDataSet, type TrueLog, topics } from '../../../support/logDataSets.ts';
import { createTestClock } from '../../../support/testClock.ts';

const fetch = undiciFetch as unknown as FetchLike;
const [A, B, C] = addresses;
const [T0, T1, T2, , T4] = topics;

const filters: Readonly<Record<string, Record<string, unknown>>> = {
  'an address': { address: A },
  'an address and topic0': { address: A, topics: [T0] },
  'topic0 alone': { topics: [T1] },
  'a wildcard before a topic': { address: A, topics: [T0, null, T4] },
  'a wildcard first': { address: A, topics: [null, T2] },
  'either of two topics, then one': { address: A, topics: [[T0, T1], T2] },
  'one, then either of two': { topics: [T0, [T2, topics[3]]] },
  'several addresses': { address: [A, B, C] },
  'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
};

function expected(set: LogDataSet, query: Record<string, unknown>): readonly string[] {
  const filter = parseLogFilter(query);
  const from = typeof filter.fromBlock === 'bigint' ? Number(filter.fromBlock) : 0;
  const to = typeof filter.toBlock === 'bigint' ? Number(filter.toBlock) : set.head;
  return set.truth
    .filter((log) => log.blockNumber >= from && log.blockNumber <= to && matches(query, log))
    .map((log) => `${log.blockNumber}:${log.logIndex}`);
}

/** Written anew and not taken from core, so that an error there does not hide here. */
function matches(query: Record<string, unknown>, log: TrueLog): boolean {
  const wanted = query.address === undefined ? undefined : [query.address].flat();
  if (wanted && !wanted.includes(log.address)) return false;
  const asked = (query.topics ?? []) as readonly (string | readonly string[] | null)[];
  return asked.every((topic, slot) => topic === null || [topic].flat().includes(log.topics[slot] ?? ''));
}

type Way = (query: LogQuery) => Promise<{ readonly logs: readonly Log[]; readonly verdict: Verdict }>;

const ways: readonly Way[] = [
  readPages,
  (query) => readRest(query, []),
  async (query) => readRest(query, (await query.nextPage()).logs),
];

function openQuery(server: ExplorerServer, query: Record<string, unknown>): LogQuery {
  const client = createChainClient({ fetch, clock: createTestClock(), url: server.rpcUrl });
  return client.openLogQuery(parseLogFilter(query));
}

async function readRest(running: LogQuery, first: readonly Log[]) {
  const logs = [...first];
  for await (const page of running.rest()) logs.push(...page.logs);
  const { verdict } = running;
  assert.ok(verdict && verdict.state !== 'more');
  return { logs, verdict };
}

async function readPages(running: LogQuery) {
  const logs: Log[] = [];
  let verdict: Verdict;
  do {
    const page = await running.nextPage();
    logs.push(...page.logs);
    verdict = page.verdict;
    assert.ok(verdict.requests < 2000, 'no progress');
  } while (verdict.state === 'more');
  return { logs, verdict };
}

for (const dialect of Object.keys(dialects) as DialectName[]) {
  for (const order of ordersOf(dialect)) {
    describe(`log query on Blockscout ${dialect}${order ? `, rows found ${order}` : ''}`, () => {
      for (const [setName, makeSet] of setsFor(order)) {
        describe(`data set: ${setName}`, () => {
          let set: LogDataSet;
          let server: ExplorerServer;
          before(async () => {
            set = makeSet();
            server = await startExplorer({
              ...{ index: set.index, dialect },
              ...(order ? { plannerOrder: () => order } : {}),
            });
          });
          after(() => server.stop());

          for (const [filterName, query] of Object.entries(filters)) {
            it(`gives every log of ${filterName}`, async () => {
              const wanted = expected(set, query);
              for (const read of ways) {
                const { logs, verdict } = await read(openQuery(server, query));
                const given = logs.map((log) => `${log.blockNumber}:${log.logIndex}`);
                assert.equal(verdict.rows, given.length);
                assert.equal(new Set(given).size, given.length, 'a log twice');
                assertWorthItsVerdict(given, wanted, verdict, () =>
                  isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, set, query),
                );
                if (isForked(setName)) assert.deepEqual(missing(given, wanted), []);
              }
            }).timeout(10_000);
          }
        });
      }
    });
  }
}

/** The order matters where a page is full; newest first, the likely one, is held against every set. */
function setsFor(order: RowOrder | undefined): readonly [string, () => LogDataSet][] {
  const all = Object.entries(dataSets);
  if (order === undefined || order === 'descending') return all;
  return all.filter(([name]) => name === 'uneven' || name === 'dense' || name === 'forked');
}

/** Orders in which a database may find rows, for versions whose address query names none. */
function ordersOf(dialect: DialectName): readonly (RowOrder | undefined)[] {
  const unordered = ['v6.8', 'v6.10', 'v9.1', 'v10.2'].includes(dialect);
  return unordered ? ['ascending', 'descending', 'scattered'] : [undefined];
}

/** Complete means complete; doubt has its reason in words, and only where no client could do better. */
function assertWorthItsVerdict(
  given: readonly string[],
  wanted: readonly string[],
  verdict: Verdict,
  mayDoubt: () => boolean,
): void {
  if (verdict.state === 'complete') {
    assert.deepEqual(given, wanted);
    return;
  }
  const because = verdict.reasons.map(reasonText).join('; ');
  assert.notEqual(because, '');
  assert.ok(mayDoubt(), because);
}

function missing(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const have = new Set(given);
  return wanted.filter((key) => !have.has(key));
}

function isForked(set: string): boolean {
  return set === 'forked' || set === 'mined again';
}

/** Versions that show orphaned logs as true ones, which no client can tell apart by itself. */
function passesOrphans(dialect: DialectName): boolean {
  return ['v5.1.4', 'v5.4', 'v6.3', 'v12'].includes(dialect);
}

/**
 * Up to v5.2.1 no client can reach beyond the first page of a block by topics alone. From v6.8 to v10.2 none can be
 * sure of a full page of a block by address alone; to v9.4 not even of a part of one.
 */
function cannotReach(dialect: DialectName, set: LogDataSet, query: Record<string, unknown>): boolean {
  const [topic0] = (query.topics ?? []) as readonly (string | readonly string[] | null)[];
  const densest = densestBlock(set.truth, query);
  if (dialect === 'v5.1.4') return query.address === undefined && densest >= 1000;
  if (query.address === undefined || (topic0 !== undefined && topic0 !== null)) return false;
  if (dialect === 'v10.2') return densest >= 1000;
  return ['v6.8', 'v6.10', 'v9.1'].includes(dialect) && densest >= 250;
}

/** Most logs in a block that the address and the leading topic select: what the server counts. */
function densestBlock(truth: readonly TrueLog[], query: Record<string, unknown>): number {
  const [topic0 = null] = (query.topics ?? []) as readonly (string | readonly string[] | null)[];
  const counted = { ...query, topics: [topic0] };
  const counts = new Map<number, number>();
  for (const log of truth) {
    if (matches(counted, log)) counts.set(log.blockNumber, (counts.get(log.blockNumber) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

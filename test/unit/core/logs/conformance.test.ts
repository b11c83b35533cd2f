import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import {
  createChainClient,
  type FetchLike,
  type Log,
  type LogQuery,
  parseLogFilter,
  reasonText,
  systemClock,
  type Verdict,
} from '../../../../src/core/index.ts';
import { addresses, dataSets, type LogDataSet, type TrueLog, topics } from '../../../support/logDataSets.ts';

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

const ways: Readonly<Record<string, Way>> = {
  'page by page': readPages,
  'all at once': (query) => readRest(query, []),
  'a page, then all': async (query) => readRest(query, (await query.nextPage()).logs),
};

function openQuery(server: ExplorerServer, query: Record<string, unknown>): LogQuery {
  const client = createChainClient({ fetch, clock: systemClock, url: server.rpcUrl });
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
  describe(`log query on Blockscout ${dialect}`, () => {
    for (const [setName, makeSet] of Object.entries(dataSets)) {
      describe(`data set: ${setName}`, () => {
        let set: LogDataSet;
        let server: ExplorerServer;
        before(async () => {
          set = makeSet();
          server = await startExplorer({ index: set.index, dialect });
        });
        after(() => server.stop());

        for (const [filterName, query] of Object.entries(filters)) {
          for (const [wayName, read] of Object.entries(ways)) {
            it(`gives every log of ${filterName}, ${wayName}`, async () => {
              const { logs, verdict } = await read(openQuery(server, query));
              const given = logs.map((log) => `${log.blockNumber}:${log.logIndex}`);
              assert.equal(verdict.rows, given.length);
              assert.equal(new Set(given).size, given.length, 'a log twice');
              assertWorthItsVerdict(given, expected(set, query), verdict, () =>
                isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, setName, query),
              );
              if (isForked(setName)) assert.deepEqual(missing(given, expected(set, query)), []);
            });
          }
        }
      });
    }
  });
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
  return dialect === 'v5.1.4' || dialect === 'v6.3' || dialect === 'v12';
}

/** Up to v5.2.1 no client can reach beyond the first page of a block by topics alone. */
function cannotReach(dialect: DialectName, set: string, query: Record<string, unknown>): boolean {
  const densest = Math.max(0, ...countByBlock(dataSets[set as keyof typeof dataSets]().truth, query));
  return dialect === 'v5.1.4' && query.address === undefined && densest >= 1000;
}

/** Logs a block that the leading topics alone select: what the server counts. */
function countByBlock(truth: readonly TrueLog[], query: Record<string, unknown>): readonly number[] {
  const [topic0] = (query.topics ?? []) as readonly string[];
  const counts = new Map<number, number>();
  for (const log of truth) {
    if (log.topics[0] === topic0) counts.set(log.blockNumber, (counts.get(log.blockNumber) ?? 0) + 1);
  }
  return [...counts.values()];
}

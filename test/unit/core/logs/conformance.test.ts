import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../../localnet/explorer/plannerOrder.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import { addresses, dataSets, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertWorthItsVerdict,
  densestBlock,
  expectedKeys,
  keysOf,
  openQuery,
  type QueryJson,
  readAll,
  readPages,
  readPageThenRest,
  type Way,
} from '../../../support/logReading.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: Readonly<Record<string, QueryJson>> = {
  'an address': { address: A },
  'an address and topic0': { address: A, topics: [T0] },
  'topic0 alone': { topics: [T1] },
  'a wildcard before a topic': { address: A, topics: [T0, null, T4] },
  'a wildcard first': { address: A, topics: [null, T2] },
  'either of two topics, then one': { address: A, topics: [[T0, T1], T2] },
  'one, then either of two': { topics: [T0, [T2, T3]] },
  'several addresses': { address: [A, B, C] },
  'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
};

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
              const wanted = expectedKeys(set, query);
              for (const read of waysFor(setName)) {
                const answer = await read(openQuery(server.rpcUrl, query));
                assertWorthItsVerdict(answer, wanted, () =>
                  isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, set, query),
                );
                if (isForked(setName)) assert.deepEqual(missing(keysOf(answer.logs), wanted), []);
              }
            }).timeout(10_000);
          }
        });
      }
    });
  }
}

/** Going over from pages to the rest differs from both only where more than a page is there. */
function waysFor(setName: string): readonly Way[] {
  const goesOver = setName === 'uneven' || setName === 'dense';
  return goesOver ? [readPages, readAll, readPageThenRest] : [readPages, readAll];
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
function cannotReach(dialect: DialectName, set: LogDataSet, query: QueryJson): boolean {
  // What the server counts: the address and the leading topic.
  const [topic0 = null] = query.topics ?? [];
  const densest = densestBlock(set.truth, { ...query, topics: [topic0] });
  if (dialect === 'v5.1.4') return query.address === undefined && densest >= 1000;
  if (query.address === undefined || topic0 !== null) return false;
  if (dialect === 'v10.2') return densest >= 1000;
  return ['v6.8', 'v6.10', 'v9.1'].includes(dialect) && densest >= 250;
}

import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import type { Fault, RecordedRequest } from '../../../../localnet/http/faults.ts';
import { getReadingByTurns, ordersOf, passesOrphans } from '../../../support/conformance.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { addresses, buildDataSet, dataSets, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  densestBlock,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  type QueryJson,
} from '../../../support/logReading.ts';

const [A = ''] = addresses;
const [T0 = '', T1 = '', T2 = ''] = topics;

const filters: Readonly<Record<string, QueryJson>> = {
  'an address': { address: A },
  'an address and topic0': { address: A, topics: [T0] },
  'topic0 alone': { topics: [T1] },
  'a wildcard first': { address: A, topics: [null, T2] },
};

const sets: Readonly<Record<string, () => LogDataSet>> = {
  uneven: dataSets.uneven,
  'around a page': dataSets['around a page'],
  'a full block with orphans': () =>
    buildDataSet(
      new Map([
        [3, 40],
        [5, 1500],
        [6, 900],
      ]),
      { orphans: (block) => (block > 4 ? 700 : 0) },
    ),
};

const notFound: Fault = { kind: 'respond', status: 404, body: '"Page not found"' };
const hideVersion = ({ url }: RecordedRequest) => (url.endsWith('/backend-version') ? notFound : undefined);

let turn = 0;
for (const dialect of Object.keys(dialects) as DialectName[]) {
  for (const order of ordersOf(dialect)) {
    describe(`log query on ${dialect} that does not tell its release${order ? `, rows found ${order}` : ''}`, () => {
      for (const [setName, makeSet] of byTurns(Object.entries(sets), 3, turn++)) {
        describe(`data set: ${setName}`, () => {
          let set: LogDataSet;
          let server: ExplorerServer;
          before(async () => {
            set = makeSet();
            server = await startExplorer({
              ...{ index: set.index, dialect, intercept: hideVersion },
              ...(order ? { plannerOrder: () => order } : {}),
            });
          });
          after(() => server.stop());

          const queries = [...Object.entries(filters).entries()];
          for (const [nth, [filterName, query]] of byTurns(queries, 4, turn)) {
            const [read, logOrder] = getReadingByTurns(turn + nth);
            it(`gives every log of ${filterName}, or says that it may not, ${logOrder}`, async () => {
              const wanted = expectedKeys(set, query, logOrder);
              const answer = await read(openInjectQuery(server, query, logOrder));
              assertVerdictHolds(answer, wanted, () => mayDoubt(dialect, setName, set, query));
              if (dialect === 'v12' && setName !== 'a full block with orphans') {
                assert.deepEqual(getLogKeys(answer.logs), wanted);
              }
            });
          }
        });
      }
    });
  }
}

/** Nothing tells such a server from one that hides rows of a crowded block behind a short page. */
function mayDoubt(dialect: DialectName, setName: string, set: LogDataSet, query: QueryJson): boolean {
  if (setName === 'a full block with orphans' && passesOrphans(dialect)) return true;
  const [topic0 = null] = query.topics ?? [];
  const crowded = densestBlock(set.truth, { ...query, topics: [topic0] });
  return crowded >= (query.address === undefined ? 1000 : 250);
}

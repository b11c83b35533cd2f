import assert from 'node:assert/strict';
import type { DialectName } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import { createNodeAnswer } from '../../../../localnet/node/server.ts';
import { type Log, type LogQuery, parseLogFilter } from '../../../../src/core/index.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { addresses, buildChain, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  createInjectClient,
  expectedKeys,
  getLogKeys,
  type QueryJson,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const [A = '', B = ''] = addresses;
const [T0 = '', T1 = '', T2 = ''] = topics;

/** What the server at the address can become. */
const kinds = ['v11.2', 'v5.1.4', 'v9.1', 'v12', 'geth', 'reth'] as const;
type Kind = (typeof kinds)[number];

const filters: Readonly<Record<string, QueryJson>> = {
  'an address': { address: A },
  'topic0 alone': { topics: [[T0, T1]] },
  'a wildcard first': { address: A, topics: [null, T2] },
  'several addresses': { address: [A, B] },
};

describe('log query at an address', () => {
  let set: LogDataSet;
  let server: ExplorerServer;
  before(async () => {
    set = buildChain(45, 60);
    server = await startExplorer({ index: set.index, dialect: 'v11.2' });
  });
  after(() => server.stop());

  let now: Kind = 'v11.2';
  function become(kind: Kind): void {
    now = kind;
    server.setIntercept(undefined);
    if (isDialect(kind)) {
      server.setDialect(kind);
      return;
    }
    const answer = createNodeAnswer({
      index: set.index,
      profile: kind,
      limits: { maxLogs: 1250 },
      path: '/api/eth-rpc',
    });
    server.setIntercept((request) => ({ kind: 'respond', ...answer(request) }));
  }

  for (const [turn, [filterName, query]] of Object.entries(filters).entries()) {
    it(`whose server changes between queries: gives every log of ${filterName}`, async () => {
      const client = createInjectClient(server, () => now);
      const wanted = expectedKeys(set, query);
      const changes = [
        ...kinds,
        ...kinds.toReversed(),
        ...(['v9.1', 'geth', 'v9.1', 'v11.2', 'reth'] as const),
      ];
      for (const [nth, kind] of byTurns([...changes.entries()], 6, turn)) {
        become(kind);
        for (const read of byTurns([readPages, readAll], 2, Math.floor(turn / 2) + Math.floor(nth / 4))) {
          const { logs, verdict } = await read(client.openLogQuery(parseLogFilter(query)));
          assert.deepEqual(getLogKeys(logs), wanted, kind);
          assert.equal(verdict.state, 'complete', kind);
        }
      }
    });

    for (const from of byTurns(kinds, 3, turn)) {
      it(`whose server changes from ${from} in the middle: no log of ${filterName} is lost without a word`, async () => {
        const others = [...kinds.filter((kind) => kind !== from).entries()];
        for (const [nth, to] of byTurns(others, 6, turn + kinds.indexOf(from))) {
          const [way, order] = ways[(kinds.indexOf(from) + nth) % ways.length] ?? assert.fail();
          const wanted = expectedKeys(set, query, order);
          become(from);
          const client = createInjectClient(server, () => now);
          const running = client.openLogQuery(parseLogFilter(query), { order });
          const { logs } = await running.nextPage();
          become(to);
          const answer = await goOn(running, logs, way);
          assertVerdictHolds(answer, wanted, () => true);
          const given = new Set(wanted);
          assert.ok(
            getLogKeys(answer.logs).every((key) => given.has(key)),
            `wrong rows from ${to}, ${order}`,
          );
        }
      });
    }
  }
});

/** To the end, over one failure: a server that was just replaced may refuse what the one before it took. */
async function goOn(running: LogQuery, first: readonly Log[], way: 'pages' | 'rest') {
  const logs = [...first];
  let failures = 0;
  while (running.verdict?.state === 'more') {
    try {
      if (way === 'rest') for await (const page of running.rest()) logs.push(...page.logs);
      else logs.push(...(await running.nextPage()).logs);
    } catch (error) {
      failures++;
      if (failures > 1) throw error;
    }
  }
  const { verdict } = running;
  assert.ok(verdict);
  return { logs, verdict };
}

const ways = [
  ['pages', 'oldestFirst'],
  ['rest', 'newestFirst'],
  ['pages', 'newestFirst'],
  ['rest', 'oldestFirst'],
] as const;

function isDialect(kind: Kind): kind is Kind & DialectName {
  return kind.startsWith('v');
}

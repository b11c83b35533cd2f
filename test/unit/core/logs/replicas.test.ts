import assert from 'node:assert/strict';
import type { DialectName } from '../../../../localnet/explorer/dialects.ts';
import type { Replicas } from '../../../../localnet/explorer/replicas.ts';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import type { Fault } from '../../../../localnet/http/faults.ts';
import type { NodeProfileName } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { createChainClient, type LogOrder, parseLogFilter } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { getReadings } from '../../../support/conformance.ts';
import { byTurns } from '../../../support/fullRun.ts';
import type { InjectableServer } from '../../../support/injectFetch.ts';
import {
  addresses,
  buildDataSet,
  createRandom,
  type LogDataSet,
  topics,
} from '../../../support/logDataSets.ts';
import {
  createInjectClient,
  expectedKeys,
  getLogKeys,
  type QueryJson,
  type ReadLogs,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const BEHIND = 5;
const set = buildDataSet(blocks(300, 10));
const respond = { kind: 'respond', status: 200, headers: { 'content-type': 'application/json' } } as const;
const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = ''] = topics;

const explorers: readonly DialectName[] = ['v5.1.4', 'v6.3', 'v9.1', 'v11.2', 'v12'];
const nodes: readonly NodeProfileName[] = ['geth', 'anvil'];

const queries: Readonly<Record<string, QueryJson>> = {
  'an address': { address: A },
  'either of two topics': { topics: [[T0, T1]] },
  'several addresses': { address: [A, B, C] },
  'the last blocks': { address: A, fromBlock: 292 },
};

/** Rows in each of the last blocks, so that a machine that is behind lacks some. */
const sets: Readonly<Record<string, () => LogDataSet>> = {
  'a long chain': () => buildDataSet(blocks(300, 5)),
  'crowded last blocks': () => buildDataSet(new Map([...blocks(295, 3), ...crowded()])),
};

function blocks(count: number, logs: number): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, block) => [block, logs]));
}

function crowded(): readonly (readonly [number, number])[] {
  return [295, 296, 297, 298, 299].map((block) => [block, 200] as const);
}

/** Whether the next request is answered by a machine that is behind. */
type Assignment = () => boolean;

const assignments: Readonly<Record<string, () => Assignment>> = {
  'every third': everyThird,
  'any third': () => anyThird(5),
};

function everyThird(): Assignment {
  let count = 0;
  return () => ++count % 3 === 0;
}

function anyThird(seed: number): Assignment {
  const random = createRandom(seed * 7919);
  return () => random(3) === 0;
}

interface Start {
  readonly set: LogDataSet;
  readonly replicas: Replicas;
  readonly batches?: false;
}

const servers = {
  ...Object.fromEntries(
    explorers.map((dialect) => [
      `Blockscout ${dialect}`,
      ({ set, ...more }: Start) => startExplorer({ index: set.index, dialect, ...more }),
    ]),
  ),
  ...Object.fromEntries(
    nodes.map((profile) => [
      profile,
      ({ set, ...more }: Start) => startNode({ index: set.index, profile, ...more }),
    ]),
  ),
};

const ways = [
  [readPages, 'oldestFirst'],
  [readAll, 'oldestFirst'],
  [readAll, 'newestFirst'],
  [readPages, 'newestFirst'],
] as const;

let asked = 0;
/** No two requests are answered alike by such a server. */
const anew = () => `${++asked}`;

function openChangingQuery(
  server: InjectableServer,
  query: QueryJson,
  order: LogOrder = 'oldestFirst',
  stateOf: () => string = anew,
) {
  return createInjectClient(server, stateOf).openLogQuery(parseLogFilter(query), { order });
}

/** Complete means through the block that the verdict names. */
function assertHonest({ logs, verdict }: ReadLogs, set: LogDataSet, query: QueryJson): void {
  const given = getLogKeys(logs);
  const { order, toBlock, fromBlock, readThrough } = verdict;
  const wanted = expectedKeys(set, { ...query, toBlock: Number(toBlock) }, order);
  assert.equal(new Set(given).size, given.length, 'a log twice');
  if (verdict.state === 'complete') assert.deepEqual(given, wanted);
  else assert.ok(verdict.reasons.length > 0);
  if (readThrough === undefined) return;
  const isDown = order === 'newestFirst';
  const read = {
    fromBlock: Number(isDown ? readThrough : fromBlock),
    toBlock: Number(isDown ? toBlock : readThrough),
  };
  if (read.fromBlock > read.toBlock) return;
  assert.deepEqual(missing(given, expectedKeys(set, { ...query, ...read })), []);
}

function missing(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const have = new Set(given);
  return wanted.filter((key) => !have.has(key));
}

for (const [serverTurn, [serverName, start]] of Object.entries(servers).entries()) {
  for (const [setTurn, [setName, makeSet]] of byTurns([...Object.entries(sets).entries()], 2, serverTurn)) {
    describe(`log query on ${serverName} whose machines are not alike, ${setName}`, () => {
      const set = makeSet();
      let isBehindNow = false;
      const replicas: Replicas = { blocksBehind: BEHIND, isBehind: () => isBehindNow };

      /** One server for all ways: each of its machines is asked a question but once. */
      async function eachAnswer(
        begin: () => Assignment,
        turn: number,
        check: (answer: ReadLogs, query: QueryJson) => void,
        options: Pick<Start, 'batches'> = {},
      ): Promise<void> {
        const server = await start({ set, replicas, ...options });
        for (const [nth, query] of byTurns([...Object.values(queries).entries()], 4, turn)) {
          for (const [read, order] of byTurns(getReadings(nth), 2, turn + setTurn)) {
            const isNextBehind = begin();
            const stateOf = () => {
              isBehindNow = isNextBehind();
              return isBehindNow ? 'behind' : 'up to date';
            };
            check(await read(openChangingQuery(server, query, order, stateOf)), query);
          }
        }
        await server.stop();
      }

      for (const [nth, [name, begin]] of Object.entries(assignments).entries()) {
        const turn = 2 * serverTurn + setTurn + 2 * nth;
        it(`${name} being ${BEHIND} blocks behind: gives every log, and says so`, async () => {
          await eachAnswer(begin, turn, (answer, query) => {
            assertHonest(answer, set, query);
            assert.deepEqual([answer.verdict.state, answer.verdict.reasons], ['complete', []]);
          });
        });

        it(`${name} being behind, with one call a request: says no more than is true`, async () => {
          await eachAnswer(begin, turn + 1, (answer, query) => assertHonest(answer, set, query), {
            batches: false,
          });
        });
      }
    });
  }
}

describe('log query whose head comes of a machine that is behind', () => {
  const headOnly: Replicas = {
    blocksBehind: BEHIND,
    isBehind: ({ body }) => body.includes('eth_blockNumber') && !body.includes('eth_getLogs'),
  };
  const starts = { geth: servers.geth, 'v11.2': servers['Blockscout v11.2'] };

  for (const [turn, [name, start]] of Object.entries(starts).entries()) {
    it(`on ${name}: is about the newest block that its first answer names`, async () => {
      const server = await (start ?? assert.fail())({ set, replicas: headOnly });
      for (const [read, order] of byTurns(ways, 2, turn)) {
        const { logs, verdict } = await read(openChangingQuery(server, { address: A }, order));
        assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A }, order));
        assert.deepEqual([verdict.state, verdict.head], ['complete', 299n]);
      }
      const { verdict } = await readAll(openChangingQuery(server, { address: A, toBlock: 200 }));
      assert.deepEqual([verdict.state, verdict.head, verdict.toBlock], ['complete', 294n, 200n]);
      await server.stop();
    });
  }
});

describe('log query on a server that loses its last blocks for good', () => {
  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`waits for them, then gives what is there and says so, ${order}`, async () => {
      let requests = 0;
      const replicas: Replicas = { blocksBehind: BEHIND, isBehind: () => requests++ > 1 };
      const server = await startNode({ index: set.index, profile: 'geth', replicas });
      const { logs, verdict } = await readAll(openChangingQuery(server, { address: A }, order));
      await server.stop();
      assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A, toBlock: 294 }, order));
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'headWentBack' }]]);
      assert.equal(verdict.readThrough, order === 'oldestFirst' ? 294n : 0n);
      assert.equal(verdict.toBlock, order === 'oldestFirst' ? 299n : 294n);
    });
  }
});

describe('log query on a server of one call a request', () => {
  const everyCall = (body: string) =>
    JSON.parse(body).map(({ id }: { id: number }) => ({ id, error: 'No batches.' }));
  const refusals: Readonly<Record<string, (body: string) => Fault>> = {
    'an error for each call': (body) => ({ ...respond, body: JSON.stringify(everyCall(body)) }),
    'one error': () => ({
      ...respond,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}',
    }),
    'HTTP 400': () => ({ ...respond, status: 400, body: 'Bad request' }),
    'HTTP 413': () => ({ ...respond, status: 413, body: '' }),
    'HTTP 500': () => ({ ...respond, status: 500, body: '' }),
    'a web page': () => ({ ...respond, body: '<html></html>' }),
    'the answer to the first': () => ({ ...respond, body: '{"jsonrpc":"2.0","id":2,"result":"0x12b"}' }),
  };

  for (const [name, refuse] of Object.entries(refusals)) {
    it(`that answers a batch with ${name}: gives every log`, async () => {
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      let batches = 0;
      server.setIntercept(({ body }) => {
        if (!body.startsWith('[')) return undefined;
        batches++;
        return refuse(body);
      });
      const client = createInjectClient(server, anew);
      for (const [read, order] of byTurns(ways, 2, 0)) {
        const { logs, verdict } = await read(client.openLogQuery(parseLogFilter({ address: A }), { order }));
        assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A }, order));
        assert.equal(verdict.state, 'complete');
      }
      await server.stop();
      assert.ok(batches <= 2, `${batches} batches`);
    });
  }
});

describe('log query on a server without batches, of whose replicas only some have the last block', () => {
  const entry = {
    ...{ address: A, topics: [T0], data: '0x', blockNumber: '0x14f', blockHash: T1 },
    ...{ transactionHash: T1, transactionIndex: '0x0', logIndex: '0x0' },
  };
  const results = {
    'a removed log': [{ ...entry, removed: true }],
    'a log without an index': [{ ...entry, logIndex: null }],
    'null in place of a list': null,
  };

  for (const [name, result] of Object.entries(results)) {
    it(`doubts a response if another one has ${name}`, async () => {
      let count = 0;
      // Of three responses that are compared, the second one is of the replica with the last block.
      const respondTo = (method: string, params: readonly { address?: string }[]) => {
        if (method === 'eth_blockNumber') return { result: '0x150' };
        if (method === 'eth_getLogs')
          return { result: params[0]?.address && count++ % 3 === 1 ? result : [] };
        return { error: { code: -32601, message: 'the method does not exist' } };
      };
      const client = createChainClient({
        async fetch(_url, { body }) {
          const call = JSON.parse(body ?? '');
          const isBatch = Array.isArray(call);
          return Response.json({
            ...{ jsonrpc: '2.0', id: isBatch ? null : call.id },
            ...(isBatch
              ? { error: { code: -32600, message: 'no batches' } }
              : respondTo(call.method, call.params)),
          });
        },
        clock: createTestClock(),
        url: 'http://node.test/',
      });
      const filter = parseLogFilter({ address: A, fromBlock: 300, toBlock: 'latest' });
      const { verdict } = await readPages(client.openLogQuery(filter));
      assert.equal(verdict.state, 'uncertain');
    });
  }
});

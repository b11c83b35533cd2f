import assert from 'node:assert/strict';
import type { Replicas } from '../../../../localnet/explorer/replicas.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import type { Fault } from '../../../../localnet/http/faults.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { createChainClient, type LogOrder, parseLogFilter } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { getReadingByTurns, getReadings } from '../../../support/conformance.ts';
import {
  anew,
  type InjectableServer,
  type StoppableServer,
  withServer,
} from '../../../support/injectFetch.ts';
import { addresses, buildChain, topics } from '../../../support/logDataSets.ts';
import {
  createInjectClient,
  expectedKeys,
  getLogKeys,
  type QueryJson,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const BEHIND = 5;
const [A = '', B = ''] = addresses;
const [T0 = '', T1 = ''] = topics;

const set = buildChain(300, 5);

function open(server: InjectableServer, query: QueryJson, order: LogOrder) {
  return createInjectClient(server, anew).openLogQuery(parseLogFilter(query), { order });
}

describe('log query whose head comes of a machine that is behind', () => {
  const replicas: Replicas = {
    blocksBehind: BEHIND,
    isBehind: ({ body }) => body.includes('eth_blockNumber') && !body.includes('eth_getLogs'),
  };
  const { index } = set;
  const starts = {
    geth: () => startNode({ index, profile: 'geth', replicas }),
    'Blockscout v11.2': () => startExplorer({ index, dialect: 'v11.2', replicas }),
  };
  for (const [turn, [name, start]] of Object.entries(starts).entries()) {
    it(`on ${name}: is about the newest block that its first answer names`, () =>
      withServer<StoppableServer, void>(start(), async (server) => {
        const query = { address: A, fromBlock: 150 };
        for (const [read, order] of getReadings(turn)) {
          const { logs, verdict } = await read(open(server, query, order));
          assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order));
          assert.deepEqual([verdict.state, verdict.head], ['complete', 299n]);
        }
        const { verdict } = await readAll(open(server, { ...query, toBlock: 200 }, 'oldestFirst'));
        assert.deepEqual([verdict.state, verdict.head, verdict.toBlock], ['complete', 294n, 200n]);
      }));
  }
});

describe('log query on a server that loses its last blocks for good', () => {
  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`waits for them, then gives what is there and says so, ${order}`, async () => {
      let requests = 0;
      const replicas: Replicas = { blocksBehind: BEHIND, isBehind: () => requests++ > 1 };
      const { logs, verdict } = await withServer(
        startNode({ index: set.index, profile: 'geth', replicas }),
        (server) => readAll(open(server, { address: A }, order)),
      );
      assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A, toBlock: 294 }, order));
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'headWentBack' }]]);
      assert.equal(verdict.readThrough, order === 'oldestFirst' ? 294n : 0n);
      assert.equal(verdict.toBlock, order === 'oldestFirst' ? 299n : 294n);
    });
  }
});

describe('log query on a server of one call a request', () => {
  const respond = (body: string, status = 200): Fault => ({
    ...{ kind: 'respond', status, headers: { 'content-type': 'application/json' }, body },
  });
  const refuseEach = (body: string) =>
    JSON.stringify(JSON.parse(body).map(({ id }: { id: number }) => ({ id, error: 'No batches.' })));
  const refusals: Readonly<Record<string, (body: string) => Fault>> = {
    'an error for each call': (body) => respond(refuseEach(body)),
    'one error': () => respond('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'),
    'HTTP 400': () => respond('Bad request', 400),
    'HTTP 413': () => respond('', 413),
    'HTTP 500': () => respond('', 500),
    'a web page': () => respond('<html></html>'),
    'the answer to the first': () => respond('{"jsonrpc":"2.0","id":2,"result":"0x12b"}'),
  };
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index: set.index, dialect: 'v11.2' });
  });
  after(() => server.stop());

  for (const [nth, [name, refuse]] of Object.entries(refusals).entries()) {
    it(`that answers a batch with ${name}: gives every log`, async () => {
      let batches = 0;
      server.setIntercept(({ body }) => {
        if (!body.startsWith('[')) return undefined;
        batches++;
        return refuse(body);
      });
      const [read, order] = getReadingByTurns(nth);
      const query = { address: A, fromBlock: 260 };
      const { logs, verdict } = await read(open(server, query, order));
      assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order));
      assert.equal(verdict.state, 'complete');
      assert.ok(batches <= 2, `${batches} batches`);
    });
  }
});

describe('log query on a server without batches, of whose replicas some are behind', () => {
  /** `isBehind` gets the address of a request for logs, and its number among those for this address, from 1. */
  function lagging(isBehind: (address: string, count: number) => boolean): Replicas {
    const counts = new Map<string, number>();
    return {
      blocksBehind: BEHIND,
      isBehind({ body }) {
        const address = addresses.find((each) => body.includes(each.slice(2)));
        if (address === undefined || body.startsWith('[')) return false;
        const count = (counts.get(address) ?? 0) + 1;
        counts.set(address, count);
        return isBehind(address, count);
      },
    };
  }

  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`does not accept three equal responses once others have differed, ${order}`, async () => {
      for (const differing of [A, B]) {
        const replicas = lagging((address, count) => (address === differing ? count === 2 : count <= 6));
        const start = startExplorer({ index: set.index, dialect: 'v6.10', replicas, batches: false });
        await withServer(start, async (server) => {
          const query = { address: [A, B], fromBlock: 280 };
          const { logs, verdict } = await readAll(open(server, query, order));
          assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order));
          assert.equal(verdict.state, 'complete');
        });
      }
    });

    it(`waits for a replica that has the blocks where the others refuse them, ${order}`, async () => {
      const waiting = [
        // Others have the blocks each time, so a few refusals in a row do not mean that the node refuses for another reason.
        ['geth', 297, (count: number) => [1, 4, 7, 10, 11, 12, 13].includes(count)],
        ['nethermind', 297, (count: number) => count <= 3],
        ['erigon', 297, (count: number) => count <= 3],
        ['polygonEdge', 297, (count: number) => count <= 3],
      ] as const;
      for (const [profile, fromBlock, isBehind] of waiting) {
        const replicas = lagging((_address, count) => isBehind(count));
        const start = startNode({ index: set.index, profile, replicas, batches: false });
        await withServer(start, async (server) => {
          const query = { address: A, fromBlock };
          const { logs, verdict } = await readAll(open(server, query, order));
          assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order), profile);
          assert.equal(verdict.state, 'complete', profile);
        });
      }
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

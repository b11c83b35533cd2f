import assert from 'node:assert/strict';
import { startPortal } from '../../../../localnet/portal/server.ts';
import {
  createChainClient,
  type FetchLike,
  type HttpDeps,
  type Log,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { addresses, buildDataSet } from '../../../support/logDataSets.ts';
import {
  createTestClient,
  expectedKeys,
  getLogKeys,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const [A = '0x'] = addresses;
const MIB = 1024 * 1024;

interface Asked {
  readonly fromBlock: number;
  readonly toBlock: number;
}

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const header = (number: number) => ({
  number,
  hash: hash(number),
  parentHash: hash(Math.max(0, number - 1)),
});
const row = (logIndex: number, data = '0x') => ({
  ...{ logIndex, address: A, topics: [], data, transactionIndex: 0 },
  transactionHash: hash(77),
});

/** A portal with a head at block 16, that answers a stream request as `answer` does. */
function portalThat(answer: (asked: Asked) => string | Blob | ReadableStream<Uint8Array>) {
  const streams: Asked[] = [];
  const fetch: FetchLike = async (url, { body }) => {
    if (url.endsWith('/head')) return Response.json({ number: 16, hash: hash(16) });
    const asked = JSON.parse(body ?? '{}');
    streams.push(asked);
    return new Response(answer(asked), { headers: { 'content-type': 'application/jsonl' } });
  };
  const deps: HttpDeps = { fetch, clock: createTestClock() };
  return { client: createChainClient({ ...deps, url: 'https://portal.example/datasets/one' }), streams };
}

const filter = parseLogFilter({ address: A });
const lines = (all: readonly object[]) => `${all.map((line) => JSON.stringify(line)).join('\n')}\n`;

describe('log query on a portal that sends too much', () => {
  it('reads an answer without end as far as it goes, and goes on behind its last whole line', async () => {
    const data = `0x${'ab'.repeat(MIB)}`;
    const { client, streams } = portalThat(({ fromBlock, toBlock }) => {
      let number = fromBlock;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (number > toBlock) return controller.close();
          controller.enqueue(
            new TextEncoder().encode(lines([{ header: header(number++), logs: [row(0, data)] }])),
          );
        },
      });
    });
    const { logs, verdict } = await readAll(client.openLogQuery(parseLogFilter({ address: A, toBlock: 8 })));
    assert.equal(verdict.state, 'complete');
    assert.deepEqual(
      getLogKeys(logs),
      Array.from({ length: 9 }, (_, block) => `${block}:0`),
    );
    // Seven lines fit into 16 MiB.
    assert.ok(streams.length >= 3, String(streams.length));
  });

  it('says of which block nothing can be had that is over the limit by itself', async () => {
    const huge = new Blob([lines([{ header: header(9), logs: [row(0, `0x${'ab'.repeat(8.2 * MIB)}`)] }])]);
    const { client } = portalThat(({ fromBlock, toBlock }) => {
      const middle = fromBlock < 9 && toBlock > 9 ? [9] : [];
      const numbers = [...new Set([fromBlock, ...middle, toBlock])];
      return new Blob(numbers.map((number) => (number === 9 ? huge : lines([{ header: header(number) }]))));
    });
    const { logs, verdict } = await readAll(
      client.openLogQuery(parseLogFilter({ address: A, fromBlock: 8, toBlock: 10 })),
    );
    assert.deepEqual(logs, []);
    assert.equal(verdict.state, 'uncertain');
    assert.deepEqual(verdict.reasons, [{ code: 'blockNotWhole', block: 9n }]);
  });

  it('reads a block with more rows than a node would give at once', async () => {
    const rows = Array.from({ length: 20_001 }, (_, index) => row(index));
    const block = lines([{ header: header(5), logs: rows }]);
    const { client } = portalThat(() => block);
    const { verdict } = await readPages(
      client.openLogQuery(parseLogFilter({ address: A, fromBlock: 5, toBlock: 5 })),
    );
    assert.equal(verdict.state, 'complete');
    assert.equal(verdict.rows, 20_001);
  });

  it('refuses a line that is an endless list of something else', async () => {
    const nothing = '0,'.repeat(3 * MIB);
    const { client } = portalThat(
      ({ fromBlock }) => `{"header":${JSON.stringify(header(fromBlock))},"logs":[],"more":[${nothing}0]}\n`,
    );
    const { verdict } = await readAll(
      client.openLogQuery(parseLogFilter({ address: A, fromBlock: 7, toBlock: 7 })),
    );
    assert.equal(verdict.state, 'uncertain');
    assert.deepEqual(verdict.reasons, [{ code: 'blockNotWhole', block: 7n }]);
  });

  it('refuses deep nesting as what it is: no block', async () => {
    const { client } = portalThat(() => `${'['.repeat(200_000)}\n`);
    await assert.rejects(readAll(client.openLogQuery(filter)), { kind: 'badResponse' });
  });
});

describe('log query on a portal', () => {
  const set = buildDataSet(new Map(Array.from({ length: 300 }, (_, block) => [block, 20] as const)));

  it('can be cancelled in the middle, and goes on from there', async () => {
    const server = await startPortal({ index: set.index, limits: { blocks: 40 } });
    try {
      for (const order of ['oldestFirst', 'newestFirst'] as const) {
        const query = createTestClient(server.rpcUrl).openLogQuery(filter, { order });
        const logs: Log[] = [];
        const stop = new AbortController();
        let streams = 0;
        server.setIntercept(({ url }) => {
          if (url.endsWith('/stream') && ++streams === 2) stop.abort();
          return undefined;
        });
        await assert.rejects(
          (async () => {
            for await (const page of query.rest({ signal: stop.signal })) logs.push(...page.logs);
          })(),
          { kind: 'aborted' },
        );
        server.setIntercept(undefined);
        for await (const page of query.rest()) logs.push(...page.logs);
        assert.equal(query.verdict?.state, 'complete');
        assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A }, order));
      }
    } finally {
      await server.stop();
    }
  });

  it('asks little of a server that counts requests: rows of many blocks come in few', async () => {
    const server = await startPortal({ index: set.index });
    try {
      for (const order of ['oldestFirst', 'newestFirst'] as const) {
        const { verdict } = await readAll(createTestClient(server.rpcUrl).openLogQuery(filter, { order }));
        assert.equal(verdict.state, 'complete');
        assert.ok(verdict.requests <= 6, `${order}: ${verdict.requests} requests`);
      }
    } finally {
      await server.stop();
    }
  });
});

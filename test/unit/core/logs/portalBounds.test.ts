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
import { describeInFullRun } from '../../../support/fullRun.ts';
import { anew, withServer } from '../../../support/injectFetch.ts';
import { addresses, buildChain } from '../../../support/logDataSets.ts';
import {
  createInjectClient,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
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
function portalThat(answer: (asked: Asked) => string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) {
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
const encode = (all: readonly object[]) => new TextEncoder().encode(lines(all));

describe('log query on a portal that sends too much', () => {
  it('reads an answer without end as far as it goes, and goes on behind its last whole line', async () => {
    const data = `0x${'ab'.repeat(MIB)}`;
    const blocks = [0, 1, 2, 3].map((number) => encode([{ header: header(number), logs: [row(0, data)] }]));
    const { client, streams } = portalThat(({ fromBlock, toBlock }) => {
      const rest = blocks.slice(fromBlock, toBlock + 1);
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = rest.shift();
          if (next) controller.enqueue(next);
          else controller.close();
        },
      });
    });
    const { logs, verdict } = await readAll(client.openLogQuery(parseLogFilter({ address: A, toBlock: 3 })));
    assert.equal(verdict.state, 'complete');
    assert.deepEqual(getLogKeys(logs), ['0:0', '1:0', '2:0', '3:0']);
    assert.ok(streams.length >= 3, String(streams.length));
  });

  describeInFullRun('by a single block', () => {
    it('says of which block nothing can be had that is over the limit by itself', async () => {
      const huge = encode([{ header: header(9), logs: [row(0, `0x${'ab'.repeat(8.2 * MIB)}`)] }]);
      const { client } = portalThat(({ fromBlock, toBlock }) => {
        const middle = fromBlock < 9 && toBlock > 9 ? [9] : [];
        const numbers = [...new Set([fromBlock, ...middle, toBlock])];
        return Buffer.concat(
          numbers.map((number) => (number === 9 ? huge : encode([{ header: header(number) }]))),
        );
      });
      const { logs, verdict } = await readAll(
        client.openLogQuery(parseLogFilter({ address: A, fromBlock: 8, toBlock: 10 })),
      );
      assert.deepEqual(logs, []);
      assert.equal(verdict.state, 'uncertain');
      assert.deepEqual(verdict.reasons, [{ code: 'blockNotWhole', block: 9n }]);
    });
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
    const nothing = '0,'.repeat(1_000_000);
    const { client } = portalThat(
      ({ fromBlock }) => `{"header":${JSON.stringify(header(fromBlock))},"logs":[],"more":[${nothing}0]}\n`,
    );
    const { verdict } = await readAll(
      client.openLogQuery(parseLogFilter({ address: A, fromBlock: 7, toBlock: 7 })),
    );
    assert.equal(verdict.state, 'uncertain');
    assert.deepEqual(verdict.reasons, [{ code: 'blockNotWhole', block: 7n }]);
  });

  it('begins anew after a few forks, and not after more', async () => {
    let streams = 0;
    const fetch: FetchLike = async (url, { body }) => {
      if (url.endsWith('/head')) return Response.json({ number: 16, hash: hash(16) });
      if (++streams > 50) return new Response(null, { status: 404 });
      if (streams % 2 === 1)
        return new Response(lines([{ header: header(JSON.parse(body ?? '').fromBlock) }]));
      return Response.json({ previousBlocks: [{ number: 3, hash: hash(3) }] }, { status: 409 });
    };
    const deps: HttpDeps = { fetch, clock: createTestClock() };
    const client = createChainClient({ ...deps, url: 'https://portal.example/datasets/one' });
    await assert.rejects(readAll(client.openLogQuery(filter)), /keeps reporting forks/);
    assert.equal(streams, 5);
  });

  it('refuses deep nesting as what it is: no block', async () => {
    const { client } = portalThat(() => `${'['.repeat(200_000)}\n`);
    await assert.rejects(readAll(client.openLogQuery(filter)), { kind: 'badResponse' });
  });
});

describe('log query on a portal', () => {
  const set = buildChain(300, 20);
  const orders = ['oldestFirst', 'newestFirst'] as const;

  it('can be cancelled in the middle, and goes on from there', () =>
    withServer(startPortal({ index: set.index, limits: { blocks: 40 } }), async (server) => {
      for (const order of orders) {
        const query = createInjectClient(server, anew).openLogQuery(filter, { order });
        const logs: Log[] = [];
        const stop = new AbortController();
        let streams = 0;
        server.setIntercept(({ url }) => {
          if (url.endsWith('/stream') && ++streams === 2) stop.abort();
          return undefined;
        });
        const reading = async () => {
          for await (const page of query.rest({ signal: stop.signal })) logs.push(...page.logs);
        };
        await assert.rejects(reading, { kind: 'aborted' });
        server.setIntercept(undefined);
        logs.push(...(await readAll(query)).logs);
        assert.equal(query.verdict?.state, 'complete');
        assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A }, order));
      }
    }));

  it('asks little of a server that counts requests: rows of many blocks come in few', () =>
    withServer(startPortal({ index: set.index }), async (server) => {
      for (const order of orders) {
        const { verdict } = await readAll(openInjectQuery(server, { address: A }, order));
        assert.equal(verdict.state, 'complete');
        assert.ok(verdict.requests <= 6, `${order}: ${verdict.requests} requests`);
      }
    }));
});

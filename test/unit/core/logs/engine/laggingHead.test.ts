import assert from 'node:assert/strict';
import {
  createChainClient,
  type FetchLike,
  formatIsoTime,
  parseLogFilter,
  systemClock,
} from '../../../../../src/core/index.ts';
import { createAnyNode } from '../../../../support/anyNode.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { readAll } from '../../../../support/logReading.ts';
import { createNodeFetch } from '../../../../support/operationDeps.ts';

const TOKEN = `0x${'11'.repeat(20)}` as const;
const [LAGGING, HEAD] = [15, 20];
const timeOf = (block: number) => formatIsoTime((1_700_000_000 + 12 * block) * 1000) ?? '';

describe('A query where the first replica lags', () => {
  for (const fromBlock of ['19', timeOf(19)])
    for (const toBlock of [undefined, timeOf(19)])
      it(`has the logs from ${fromBlock} to ${toBlock ?? 'the latest block'}`, async () => {
        let heads = 0;
        const topics = [`0x${'ab'.repeat(32)}`];
        const logs = [18, 19, 20].map((block) => ({ block, address: TOKEN, topics }));
        const { fetch } = createNodeFetch(logs, {
          head: HEAD,
          other: (method) =>
            method === 'eth_blockNumber' && heads++ === 0 ? `0x${LAGGING.toString(16)}` : undefined,
        });
        const client = createChainClient({ url: 'https://node.example', fetch, clock: systemClock });
        const query = client.openLogQuery(
          parseLogFilter({ address: TOKEN, fromBlock, ...(toBlock && { toBlock }) }),
        );
        const blocks: number[] = [];
        for await (const page of query.rest())
          for (const log of page.logs) blocks.push(Number(log.blockNumber));
        assert.deepEqual(blocks, toBlock ? [19] : [19, 20]);
        assert.ok(!query.verdict?.reasons.some(({ code }) => code === 'beyondHead'));
      });
});

describe('A range whose end is above a lagging head', () => {
  const LATER = 2000;
  /** Reads up to this block from a node whose replicas report these heads, and `LATER` from then on. */
  async function read(toBlock: string, heads: readonly number[]) {
    let at = 0;
    const topics = [`0x${'ab'.repeat(32)}`];
    const logs = [18, LATER].map((block) => ({ block, address: TOKEN, topics }));
    const { fetch } = createNodeFetch(logs, {
      head: LATER,
      other: (method) =>
        method === 'eth_blockNumber' ? `0x${(heads[at++] ?? LATER).toString(16)}` : undefined,
    });
    const client = createChainClient({ url: 'https://node.example', fetch, clock: createTestClock() });
    const query = client.openLogQuery(parseLogFilter({ address: TOKEN, toBlock }));
    let rows = 0;
    for await (const page of query.rest()) rows += page.logs.length;
    const { verdict } = query;
    return { rows, state: verdict?.state, codes: verdict?.reasons.map(({ code }) => code), heads: at };
  }

  it('is read to its end once another replica reports it', async () => {
    const { rows, codes } = await read(`${LATER}`, [1997, 1997, 1997]);
    assert.equal(rows, 2);
    assert.ok(!codes?.includes('endNotReached'), `${codes}`);
  });

  it('is not reached if no replica reports it, at once if it is far above', async () => {
    const near = await read(`${LATER + 1}`, []);
    const far = await read(`${LATER + 100_000}`, []);
    assert.deepEqual([near.codes?.[0], far.codes?.[0]], ['endNotReached', 'endNotReached']);
    assert.equal(near.heads - far.heads, 3);
  });
});

describe('A query up to the latest block', () => {
  /** Reads from a node that takes no batches. Its replicas report 800 to so many requests, and 1000 from then on. */
  async function read(lagging: number) {
    let at = 0;
    const node = createNodeFetch([], {
      head: 1000,
      other: (method) => (method === 'eth_blockNumber' ? (at++ < lagging ? '0x320' : '0x3e8') : undefined),
    });
    const fetch: FetchLike = async (url, init) =>
      init.body?.startsWith('[')
        ? Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches.' } })
        : node.fetch(url, init);
    const client = createChainClient({ url: 'https://node.example', fetch, clock: createTestClock() });
    const query = client.openLogQuery(parseLogFilter({ address: TOKEN, fromBlock: 700 }));
    for await (const _ of query.rest());
    const { verdict } = query;
    return [verdict?.toBlock, verdict?.reasons.map(({ code }) => code)] as const;
  }

  it('ends at the newer of two heads', async () => {
    assert.equal((await read(1))[0], 1000n);
  });

  it('is uncertain where a newer head is reported at its end', async () => {
    for (const lagging of [3, 5, 8]) {
      const [toBlock, codes] = await read(lagging);
      assert.deepEqual([toBlock, codes], [800n, ['serversDiffer']]);
    }
  });
});

describe('A query at an endpoint without batches, half of whose replicas are behind', () => {
  it('has all logs where those of the newest blocks were seen before others', async () => {
    const topics = [`0x${'ab'.repeat(32)}`];
    const logs = [300, 990, 999].map((block) => ({ block, address: TOKEN, topics }));
    let [heads, requests] = [0, 0];
    const node = createNodeFetch(logs, {
      head: 1000,
      other: (method, [filter]) => {
        if (method === 'eth_blockNumber') return heads++ < 2 || heads % 2 > 0 ? '0x3e8' : '0x3e5';
        if (method !== 'eth_getLogs') return undefined;
        const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string };
        // The first requests of three attempts reach a replica that is behind; those that are compared with them do not.
        const isBehind = toBlock === '0x3e8' && (fromBlock === '0x0' || [1, 4, 8].includes(++requests));
        if (isBehind) throw { code: -32602, message: 'block range extends beyond current head block' };
        return undefined;
      },
    });
    const fetch: FetchLike = async (url, init) =>
      init.body?.startsWith('[')
        ? Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches.' } })
        : node.fetch(url, init);
    const client = createChainClient({ url: 'https://node.example', fetch, clock: createTestClock() });
    const query = client.openLogQuery(parseLogFilter({ address: TOKEN, fromBlock: 0 }));
    const blocks: number[] = [];
    for await (const page of query.rest()) for (const log of page.logs) blocks.push(Number(log.blockNumber));
    assert.deepEqual(blocks, [300, 990, 999]);
    assert.deepEqual(
      query.verdict?.reasons.map(({ code }) => code),
      [],
    );
    assert.equal(query.verdict?.readThrough, 1000n);
  });
});

describe('A query where every third request reaches a replica that is far behind', () => {
  it('is read to its end, though that replica refuses each first request for some blocks', async () => {
    const message = 'maximum [from, to] blocks distance: 154';
    const fetch = createAnyNode(
      { head: 4487, logs: [], busyEvery: 1 },
      {
        ...{ name: undefined, batches: false, index: 'block', blooms: 'empty' },
        width: { maxBlocks: 154, code: -32000, message },
        lag: { every: 3, blocks: 1717, refuses: true },
      },
    );
    const client = createChainClient({ url: 'https://node.example', fetch, clock: createTestClock() });
    const { verdict } = await readAll(client.openLogQuery(parseLogFilter({ address: TOKEN })));
    const codes = verdict.reasons.map(({ code }) => code);
    assert.deepEqual([verdict.toBlock, ...codes], [4487n, 'serversDiffer']);
  });
});

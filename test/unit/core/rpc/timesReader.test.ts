import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import type { RecordingServer } from '../../../../localnet/http/recordingServer.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { formatIsoTime } from '../../../../src/core/index.ts';
import {
  forwardHeaders,
  TIMED_ADDRESS,
  TIMED_TOPIC,
  timedChain,
  timeOfBlock,
} from '../../../support/chains.ts';
import { createTestClient } from '../../../support/logReading.ts';

const HEAD = 299;
const index = timedChain(HEAD + 1);
const blocksFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => BigInt(first + place));

type Server = RecordingServer & { readonly rpcUrl: string };
type Client = ReturnType<typeof createTestClient>;

async function withServer<T>(
  server: Promise<Server>,
  work: (client: Client, requests: () => number) => Promise<T>,
): Promise<T> {
  const started = await server;
  try {
    return await work(createTestClient(started.rpcUrl), () => started.requests.length);
  } finally {
    await started.stop();
  }
}

const explorer = (dialect: DialectName, more: { readonly headers?: false } = {}) =>
  startExplorer({
    ...{ index, dialect },
    ...(more.headers !== false && { forward: forwardHeaders(index) }),
  });

describe('times of blocks, by what an endpoint has', () => {
  for (const profile of Object.keys(nodeProfiles) as NodeProfileName[]) {
    it(`are those of the headers in one request, of a node as ${profile}`, async () => {
      await withServer(startNode({ index, profile }), async (client, requests) => {
        const times = await client.fetchBlockTimes(blocksFrom(100, 60));
        if (profile === 'gateway') return assert.equal(times, undefined);
        assert.equal(requests(), 1);
        assert.equal(times?.size, 60);
        assert.deepEqual(times?.get(117n), { time: timeOfBlock(117), source: 'eth_getBlockByNumber' });
      });
    });
  }

  for (const dialect of Object.keys(dialects) as DialectName[]) {
    it(`are those of the logs in one request, or of single blocks, of an explorer as ${dialect}`, async () => {
      await withServer(explorer(dialect), async (client, requests) => {
        const logs = { address: TIMED_ADDRESS, topic0: TIMED_TOPIC };
        const times = await client.fetchBlockTimes(blocksFrom(100, 60), { logs });
        assert.equal(requests(), 1);
        assert.equal(times?.size, 60);
        assert.deepEqual(times?.get(117n), { time: timeOfBlock(117), source: 'module=logs' });
        const source = dialect.startsWith('v5') ? 'api/v2/blocks' : 'eth_getBlockByNumber';
        assert.deepEqual(
          [...((await client.fetchBlockTimes([7n, 250n])) ?? [])],
          [7, 250].map((block) => [BigInt(block), { time: timeOfBlock(block), source }]),
        );
        for (const [offset, closest, block] of [
          [0, 'after', 120],
          [0, 'before', 120],
          [1, 'after', 121],
          [-1, 'before', 119],
          [-500, 'after', 120],
        ] as const) {
          const found = await client.findBlockAt({ time: timeOfBlock(120) + offset, closest });
          assert.deepEqual(
            [found.block, formatIsoTime(found.time), found.source],
            [BigInt(block), formatIsoTime(timeOfBlock(block)), 'getblocknobytime'],
          );
        }
      });
    });
  }

  it('lead to the block at a moment by headers, in few requests, where a node has no more', async () => {
    await withServer(startNode({ index, profile: 'besu' }), async (client, requests) => {
      const found = await client.findBlockAt({ time: timeOfBlock(120) + 1, closest: 'after' });
      assert.deepEqual(found, { block: 121n, time: timeOfBlock(121), source: 'eth_getBlockByNumber' });
      assert.ok(requests() <= 4, `${requests()} requests`);
    });
    await withServer(startNode({ index, profile: 'besu', batches: false }), async (client) => {
      assert.equal((await client.findBlockAt({ time: timeOfBlock(7), closest: 'before' })).block, 7n);
    });
  });

  it('are asked for on, where an explorer without headers did not know the first block that was asked', async () => {
    await withServer(explorer('v5.1.4', { headers: false }), async (client) => {
      assert.deepEqual(await client.fetchBlockTimes([BigInt(HEAD + 1)]), new Map());
      assert.equal((await client.fetchBlockTimes([7n]))?.get(7n)?.time, timeOfBlock(7));
    });
  });

  it('are not offered where nothing tells, and the block at a moment says why', async () => {
    await withServer(startNode({ index, profile: 'gateway' }), async (client) => {
      await assert.rejects(client.findBlockAt({ time: timeOfBlock(1), closest: 'after' }), {
        kind: 'notServed',
        message: /returns no block times: it supports neither/,
      });
    });
  });
});

/** An explorer of three methods whose other routes answer so. */
function answering(bodies: Readonly<Record<string, unknown>>): Promise<Server> {
  return startExplorer({
    ...{ index, dialect: 'v5.1.4' },
    intercept: ({ url }) => {
      const found = Object.entries(bodies).find(([part]) => url.includes(part));
      if (!found) return undefined;
      const headers = { 'content-type': 'application/json' };
      return {
        kind: 'respond',
        status: 200,
        headers,
        body: typeof found[1] === 'string' ? found[1] : JSON.stringify(found[1]),
      };
    },
  });
}

describe('times of an explorer that is not to be relied on', () => {
  const logs = { address: TIMED_ADDRESS };

  it('are left out where they are none: before 1970, after every date, no number, of another block', async () => {
    const row = (blockNumber: string, timeStamp: unknown) => ({ blockNumber, timeStamp });
    const result = [
      ...[row('0x1', '-0x5'), row('0x2', '0xffffffffffffffffff'), row('0x3', 'soon'), row('0x4', null)],
      ...[row('0x5', '0x65937f45'), row('0x5', '0x1'), row('0x900', '0x65937f45'), 7, null, row('x', '0x1')],
    ];
    await withServer(answering({ 'module=logs': { result }, 'api/v2/blocks': 'no' }), async (client) => {
      const times = await client.fetchBlockTimes(blocksFrom(1, 10), { logs });
      assert.deepEqual([...(times ?? [])], [[5n, { time: 0x65937f45 * 1000, source: 'module=logs' }]]);
    });
  });

  it('are those of no other block, and in no other form, by the REST interface', async () => {
    for (const body of [
      { height: 8, timestamp: '2026-11-01T00:00:00.000000Z' },
      { height: 7, timestamp: 'Sun, 01 Nov 2026' },
      { height: 7, timestamp: 1_793_491_200 },
      { height: 7, timestamp: '2026-99-99T00:00:00Z' },
      [],
    ]) {
      await withServer(answering({ 'api/v2/blocks': body }), async (client) => {
        assert.equal(await client.fetchBlockTimes([7n]), undefined, JSON.stringify(body));
      });
    }
  });

  it('do not lead to a block that the explorer names wrongly, however it does', async () => {
    for (const result of [
      ...['-1', '999999999999', '12', { blockNumber: '299' }, { blockNumber: 5 }, '0x10', '1e3', '', null],
      ...[{ blockNumber: `${'9'.repeat(400)}` }, { blockNumber: '-1' }, [], { blockNumber: null }],
    ]) {
      await withServer(answering({ getblocknobytime: { status: '1', result } }), async (client) => {
        const found = await client.findBlockAt({ time: timeOfBlock(120), closest: 'before' });
        assert.equal(found.block, 120n, JSON.stringify(result));
      });
    }
  });

  it('come by headers where the page of logs fails', async () => {
    const failing = startExplorer({
      ...{ index, dialect: 'v11.2', forward: forwardHeaders(index) },
      intercept: ({ url }) =>
        url.includes('module=logs') ? { kind: 'respond', status: 500, body: 'oh' } : undefined,
    });
    await withServer(failing, async (client) => {
      const times = await client.fetchBlockTimes(blocksFrom(1, 12), { logs });
      assert.equal(times?.size, 12);
      assert.equal(times?.get(3n)?.source, 'eth_getBlockByNumber');
    });
  });
});

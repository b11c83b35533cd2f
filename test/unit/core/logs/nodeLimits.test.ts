import assert from 'node:assert/strict';
import type { NodeLimits } from '../../../../localnet/node/nodeProfile.ts';
import type { NodeProfileName } from '../../../../localnet/node/nodeProfiles.ts';
import { type NodeServer, startNode } from '../../../../localnet/node/server.ts';
import { addresses, buildChain, buildDataSet, type LogDataSet } from '../../../support/logDataSets.ts';
import {
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const [A = ''] = addresses;
const query = { address: A };

describe('log query within the limits of a node', () => {
  const BLOCKS = 2000;
  let set: LogDataSet;
  let server: NodeServer | undefined;
  before(() => {
    const dense = (block: number) => (block > 800 && block < 960 ? 25 : 2);
    set = buildChain(BLOCKS, dense);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  /** Loads all and counts the requests for logs, and how many of them were refused. */
  async function load(profile: NodeProfileName, limits: NodeLimits) {
    server = await startNode({ index: set.index, profile, limits });
    const { logs, verdict } = await readAll(openInjectQuery(server, query));
    assert.equal(verdict.state, 'complete');
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, query));
    return { asked: server.requestCount, refused: server.refusedCount };
  }

  it('asks once for each ten blocks where no more are given', async () => {
    const { asked, refused } = await load('alchemyFree', { maxDistance: 9 });
    assert.equal(refused, 1);
    // The blocks, those of the end once more, the head and the name of the server; and twice what comes in round numbers.
    assert.ok(asked <= (BLOCKS / 10) * 1.05 + 13 + 6, `${asked} requests`);
  });

  const learnt: readonly [string, NodeProfileName, NodeLimits][] = [
    ['tells the widest range', 'geth', { maxDistance: 100 }],
    ['tells the widest range and what was asked', 'infura', { maxDistance: 100 }],
    ['tells how many logs it gives', 'nethermind', { maxLogs: 200 }],
    ['tells a range that works', 'infura', { maxLogs: 200 }],
    ['tells that a range is too wide, but not by how much', 'besu', { maxDistance: 100 }],
    ['tells as little in words', 'polygonEdge', { maxDistance: 60 }],
  ];
  for (const [what, profile, limits] of learnt) {
    it(`is refused seldom by a server that ${what}`, async () => {
      const { asked, refused } = await load(profile, limits);
      assert.ok(refused <= asked / 3, `${refused} of ${asked} requests were refused`);
      assert.ok(asked <= 120, `${asked} requests`);
    });
  }

  it('ends in the words of a server that refuses even one block', async () => {
    server = await startNode({ index: set.index, profile: 'besu', limits: { maxDistance: -1 } });
    const running = openInjectQuery(server, query);
    await assert.rejects(readPages(running), { kind: 'rpc', message: /exceeds maximum RPC range limit/ });
    assert.ok(server.requestCount < 20, `${server.requestCount} requests`);
  });

  it('keeps the other blocks where one holds more than the server gives', async () => {
    const crowded = buildDataSet(
      new Map([
        [3, 40],
        [5, 400],
        [9, 30],
      ]),
    );
    server = await startNode({ index: crowded.index, profile: 'infura', limits: { maxLogs: 100 } });
    for (const read of [readPages, readAll]) {
      const { logs, verdict } = await read(openInjectQuery(server, query));
      assert.deepEqual(verdict.reasons, [{ code: 'blockNotWhole', block: 5n }]);
      assert.deepEqual(
        getLogKeys(logs),
        expectedKeys(crowded, query).filter((key) => !key.startsWith('5:')),
      );
    }
  });

  it('asks no node for blocks above its head', async () => {
    server = await startNode({ index: set.index, profile: 'reth' });
    const asked = { ...query, fromBlock: BLOCKS - 10, toBlock: BLOCKS + 1000 };
    const { logs, verdict } = await readAll(openInjectQuery(server, asked));
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, asked));
    assert.equal(verdict.toBlock, BigInt(BLOCKS - 1));
  });
});

import assert from 'node:assert/strict';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import type { NodeLimits } from '../../../../localnet/node/nodeProfile.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import {
  type ConformanceFilters,
  dataSetsFor,
  describeDataSet,
  filtersFor,
} from '../../../support/conformance.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { addresses, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  densestBlock,
  getLogKeys,
  openQuery,
  type QueryJson,
  readAll,
  readPages,
} from '../../../support/logReading.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../support/sharedLocalnet.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: ConformanceFilters = {
  plain: {
    'an address': { address: A },
    'topic0 alone': { topics: [T1] },
    'several addresses': { address: [A, B, C] },
    everything: {},
  },
  byTopics: {
    'a null after the topics': { address: A, topics: [T0, null] },
    'a null before a topic': { address: A, topics: [T0, null, T4] },
    'a null first, no address': { topics: [null, T2] },
    'either of two topics, then either of two': {
      topics: [
        [T0, T1],
        [T2, T3],
      ],
    },
  },
};

/** Small enough that the data sets go over them, each in the way of its profile. */
const limits: Readonly<Record<NodeProfileName, NodeLimits>> = {
  geth: { maxDistance: 50 },
  reth: { maxDistance: 120, maxLogs: 700 },
  anvil: {},
  besu: { maxDistance: 40 },
  hardhat: {},
  nethermind: { maxLogs: 150 },
  erigon: {},
  polygonEdge: { maxDistance: 60 },
  infura: { maxDistance: 200, maxLogs: 500 },
  alchemy: { maxLogs: 300 },
  alchemyFree: { maxDistance: 9 },
  quicknode: { maxDistance: 30 },
  gateway: { maxLogs: 400 },
};

for (const [turn, profile] of (Object.keys(nodeProfiles) as NodeProfileName[]).entries()) {
  describe(`log query on ${profile}`, () => {
    for (const [setName, makeSet] of dataSetsFor(turn)) {
      describeDataSet(setName, makeSet, {
        start: ({ index }) => startNode({ index, profile, limits: limits[profile] }),
        queries: filtersFor(setName, filters, turn),
        mayDoubt: (set, query) => cannotReach(profile, set, query),
        // Some of these servers take two thousand million blocks in no number of requests that anyone would send.
        asked: ({ head }, query) => ({ ...query, fromBlock: Math.max(0, head - 1000) }),
      });
    }
  });
}

/** A node refuses a block that holds more than it gives out; reth gives a single block whole. */
function cannotReach(profile: NodeProfileName, set: LogDataSet, query: QueryJson): boolean {
  const { maxLogs = Number.POSITIVE_INFINITY } = limits[profile];
  return profile !== 'reth' && densestBlock(set.truth, query) > maxLogs;
}

describe('log query on the real anvil', () => {
  let localnet: SharedLocalnet;
  before(async () => {
    localnet = await sharedLocalnet();
  });

  it('gives every log that the node itself has, and by the explorer beside it the same', async () => {
    const { usd, tide, badge, items } = localnet.chain.contracts;
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const queries: readonly QueryJson[] = [
      { topics: [transfer] },
      { address: [usd, tide, badge, items].map(({ address }) => address) },
      { address: usd.address, topics: [transfer, null, null] },
      {},
    ];
    for (const [nth, query] of queries.entries()) {
      const raw = await createNodeRpc(localnet.anvilUrl).call('eth_getLogs', [
        { ...query, fromBlock: 'earliest', toBlock: 'latest' },
      ]);
      const wanted = (raw as readonly { blockNumber: string; logIndex: string }[]).map(
        (log) => `${Number(log.blockNumber)}:${Number(log.logIndex)}`,
      );
      assert.ok(wanted.length > 0);
      for (const read of byTurns([readPages, readAll], 2, nth)) {
        const answer = await read(openQuery(localnet.anvilUrl, query));
        assert.equal(answer.verdict.state, 'complete');
        assert.deepEqual(getLogKeys(answer.logs), wanted);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { answerChainModules } from '../../../../localnet/etherscan/chainModules.ts';
import type { Reply } from '../../../../localnet/http/recordingServer.ts';
import type { ExplorerIndex } from '../../../../localnet/index/explorerIndex.ts';
import { createNodeAnswer } from '../../../../localnet/node/server.ts';
import { type ConformanceFilters, describeDataSet, filtersFor } from '../../../support/conformance.ts';
import type { InjectableServer } from '../../../support/injectFetch.ts';
import { addresses, buildDataSet, dataSets, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  densestBlock,
  expectedKeys,
  openInjectQuery,
  readAll,
} from '../../../support/logReading.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: ConformanceFilters = {
  plain: {
    'an address': { address: A },
    'topic0 alone': { topics: [T1] },
    'several addresses': { address: [A, B, C] },
  },
  byTopics: {
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

/** The newest blocks, which the engine leaves out. */
const LAG_BLOCKS = 12;
/** A single block that has more cannot be read. */
const MAX_BLOCK_LOGS = 10_000;

describe("log query on Etherscan's API", () => {
  for (const [setName, makeSet] of Object.entries(dataSets)) {
    describeDataSet(setName, makeSet, {
      start: async ({ index }) => createEtherscan(index),
      queries: filtersFor(setName, filters, 0),
      mayDoubt: (set, query) => densestBlock(set.truth, query) >= MAX_BLOCK_LOGS,
      asked: ({ head }, query) => ({ ...query, toBlock: Math.max(0, head - LAG_BLOCKS) }),
    });
  }

  it('reads a block of more than 1,000 logs by pages', async () => {
    const set = buildDataSet(new Map([[3, 1_600]]), { head: 40 });
    const query = { address: A };
    const read = await readAll(openInjectQuery(createEtherscan(set.index), query));
    assertVerdictHolds(read, expectedKeys(set, query), () => false);
    assert.equal(read.verdict.state, 'complete');
    assert.ok(read.logs.length > 1_000);
  });

  it('says that a block of more than 10,000 logs is not complete', async () => {
    const set = buildDataSet(new Map([[3, 12_800]]), { head: 40 });
    const read = await readAll(openInjectQuery(createEtherscan(set.index), { address: A }));
    assert.notEqual(read.verdict.state, 'complete');
  });

  it('leaves out the newest blocks, whose logs may not be indexed', async () => {
    const set = buildDataSet(
      new Map([
        [3, 5],
        [39, 5],
      ]),
      { head: 40 },
    );
    const { logs, verdict } = await readAll(openInjectQuery(createEtherscan(set.index), { address: A }));
    assert.deepEqual([...new Set(logs.map(({ blockNumber }) => blockNumber))], [3n]);
    assert.equal(verdict.toBlock, 28n);
  });
});

/** Etherscan's API over what an explorer has indexed. */
function createEtherscan(index: ExplorerIndex): InjectableServer & { stop(): Promise<void> } {
  const answer = createNodeAnswer({ index, profile: 'geth', limits: {} });
  const results = new Map<string, unknown>();
  async function call(method: string, params: readonly unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    if (results.has(body)) return results.get(body);
    const reply = answer({ number: 1, method: 'POST', url: '/', headers: {}, body });
    const { result, error } = JSON.parse(reply.body ?? '');
    if (error) throw new Error(error.message);
    results.set(body, result);
    return result;
  }
  return {
    stop: async () => {},
    rpcUrl: 'http://etherscan.test/v2/api?chainid=31337&apikey=KEY',
    async inject({ url }): Promise<Reply> {
      const body = await answerChainModules(new URL(url, 'http://etherscan.test').searchParams, call);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    },
  };
}

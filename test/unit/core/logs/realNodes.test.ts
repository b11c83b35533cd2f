import assert from 'node:assert/strict';
import {
  createChainClient,
  describeReasons,
  type FetchLike,
  formatMessage,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { type Chain, createAnyNode, type NodeTraits } from '../../../support/anyNode.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type QueryJson, readAll, readPages } from '../../../support/logReading.ts';

const A = `0x${'11'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const listOtherAddresses = (length: number) =>
  Array.from({ length }, (_, nth) => `0x${(nth + 0x2000).toString(16).padStart(40, '0')}`);
const GETH: NodeTraits = { name: 'Geth/v1.17.0', batches: true, index: 'block' };

/** A chain with one log in each of these blocks; the same block may come several times. */
function chainOf(head: number, blocks: readonly number[]): Chain {
  const logs = blocks.map((block, nth) => ({
    ...{ block, place: nth - blocks.indexOf(block), address: A, data: '0x' },
    topics: [TRANSFER, word(1), word(2), word(100 + nth)],
  }));
  return { head, logs };
}

const nodeOf =
  (chain: Chain, traits: Partial<NodeTraits> = {}) =>
  () =>
    createAnyNode(chain, { ...GETH, ...traits });

const clientOf = (fetch: FetchLike) =>
  createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });

interface Expected {
  readonly blocks?: readonly number[];
  /** What the doubt is; none by default. */
  readonly because?: RegExp;
  readonly requests?: number;
  readonly query?: QueryJson;
}

/** Reads a query of a node in each way. */
function holds(
  name: string,
  node: () => FetchLike,
  { because, requests = 400, blocks, query = { address: A } }: Expected,
): void {
  it(name, async () => {
    for (const [read, order] of [
      [readAll, 'oldestFirst'],
      [readAll, 'newestFirst'],
      [readPages, 'oldestFirst'],
    ] as const) {
      const running = clientOf(node()).openLogQuery(parseLogFilter(query), { order });
      const { logs, verdict } = await read(running);
      const given = logs.map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b);
      if (blocks) assert.deepEqual(given, blocks);
      assert.equal(verdict.state, because ? 'uncertain' : 'complete');
      const reasons = describeReasons(verdict.reasons).map(formatMessage).join(' ');
      if (because) assert.match(reasons, because);
      assert.ok(verdict.requests < requests, `${verdict.requests} requests`);
    }
  });
}

describe('a node that refuses wide ranges in its own words', () => {
  const harmony = 'query must be smaller than size 1024';
  const morph = 'block range is larger than max block range, block range = 5120, max block range = 5000';
  const erigon = 'query block range exceeds server limit, narrow your filter: 5.';
  for (const [who, code, message, maxBlocks] of [
    ['Ethermint', -32000, 'maximum [from, to] blocks distance: 10000', 10_000],
    ['PublicNode', -32701, 'exceed maximum block range: 50000', 50_000],
    ['Harmony', -32000, harmony, 1024],
    ['Morph', -32000, morph, 5000],
    ['Erigon', -32602, erigon, 1000],
    ['a server of words that nobody knows', -39999, 'computer says no', 1000],
    ['a server that fails instead', -32603, 'Internal error', 1000],
  ] as const) {
    const head = 3 * maxBlocks;
    const blocks = [5, head / 2, head - 1];
    const width = { maxBlocks, code, message };
    holds(`as ${who}: gives every log`, nodeOf(chainOf(head, blocks), { width }), { blocks, requests: 40 });
  }
});

describe('a node that has pruned old blocks', () => {
  const seek =
    'failed: seek with txNum=1962853355 but data before txNum=2662500000 is not available: blockNum=16999999';
  const gone = { code: 4444, message: 'pruned history unavailable' };
  const width = { maxBlocks: 100, code: -32602, message: 'query exceeds max block range 100' };
  for (const [name, error, traits, requests] of [
    ['in plain words', gone, {}, 60],
    ['in numbers of transactions', { code: -32000, message: seek }, {}, 60],
    [
      'in words of a range',
      { code: -32001, message: 'block range starts before the earliest block' },
      {},
      60,
    ],
    ['in words that nobody knows', { code: -39999, message: 'gone' }, {}, 60],
    // As one that has not seen a block yet.
    ['without batches', { code: -32000, message: 'header not found' }, { batches: false }, 400],
    ['with a limit, so that no window reaches up to its first block', gone, { width }, 400],
  ] as const) {
    holds(
      `and says so ${name}: is found out`,
      nodeOf(chainOf(3000, [3, 1500, 2999]), { ...traits, pruned: { below: 1200, error } }),
      { blocks: [1500, 2999], because: /no blocks before 1200/, requests },
    );
  }

  it('and has none of the range: the query ends with what it says', async () => {
    const fetch = nodeOf(chainOf(3000, [3]), { pruned: { below: 1200, error: gone } })();
    const running = clientOf(fetch).openLogQuery(parseLogFilter({ address: A, toBlock: 1000 }));
    await assert.rejects(readAll(running), { kind: 'rpc', message: /pruned history unavailable/ });
  });
});

describe('a node that leaves out the logs of old blocks without a word', () => {
  const silent = { below: 1000, error: undefined };
  const chain = chainOf(2000, [5, 1500]);

  holds('is found out', nodeOf(chain, { pruned: silent }), {
    ...{ blocks: [1500], because: /no logs for block 5, although its header says that it has some/ },
  });

  it('is found out in two requests, once', async () => {
    const requestsOf = async (pruned: NodeTraits['pruned'], fromBlock: number) => {
      const client = clientOf(nodeOf(chain, { pruned })());
      const counts: number[] = [];
      for (let run = 0; run < 2; run++) {
        const { verdict } = await readAll(client.openLogQuery(parseLogFilter({ address: A, fromBlock })));
        counts.push(verdict.requests);
      }
      return counts;
    };
    // From block 1500 on there is nothing before the first row to check.
    const [unchecked = 0] = await requestsOf(undefined, 1500);
    const [first = 0, second = 0] = await requestsOf(undefined, 0);
    assert.ok(first <= unchecked + 2, `${first} and not ${unchecked}`);
    // The first query requests the latest block twice.
    assert.equal(second, unchecked - 1, `${second} after ${first}`);
    const [found = 0] = await requestsOf(silent, 0);
    assert.ok(found <= unchecked + 2, `${found} and not ${unchecked}`);
  });

  it('is found out although blocks without logs were read before', async () => {
    const client = clientOf(nodeOf(chain, { pruned: silent })());
    const stateOf = async (query: QueryJson) =>
      (await readAll(client.openLogQuery(parseLogFilter(query)))).verdict.state;
    assert.equal(await stateOf({ address: A, toBlock: 4 }), 'complete');
    assert.equal(await stateOf({ address: A }), 'uncertain');
  });

  it('is not what a lagging replica looks like, which has no logs of the newest blocks', async () => {
    for (const every of [3, 4, 5, 6, 7, 8]) {
      const node = nodeOf(chainOf(95, [93]), { lag: { every, blocks: 3, refuses: false } });
      const query = { address: A, topics: [word(7)], fromBlock: 'latest-2' };
      const { verdict } = await readAll(clientOf(node()).openLogQuery(parseLogFilter(query)));
      assert.ok(!verdict.reasons.some(({ code }) => code === 'prunedLogs'), `every ${every}`);
    }
  });

  const lacksBlock5 = /no logs for block 5, although its header says that it has some/;
  const unchecked = /did not show whether it has the logs of blocks from 0 on/;
  const B = `0x${'22'.repeat(20)}`;
  const both: Chain = {
    head: 2000,
    logs: [...chain.logs, ...chain.logs.map((log) => ({ ...log, address: B, place: 1 }))].sort(
      (a, b) => a.block - b.block,
    ),
  };

  holds('is found out without batches', nodeOf(chain, { pruned: silent, batches: false }), {
    ...{ blocks: [1500], because: lacksBlock5 },
  });
  holds('is found out below the last 128 blocks', nodeOf(chain, { pruned: silent }), {
    ...{ blocks: [], because: lacksBlock5, query: { address: A, toBlock: 900 } },
  });
  holds(
    'is found out where the node demands an address',
    nodeOf(chain, { pruned: silent, needsAddress: true }),
    {
      ...{ blocks: [1500], because: lacksBlock5 },
    },
  );
  holds('is in doubt where headers are limited', nodeOf(chain, { pruned: silent, headers: 'limited' }), {
    because: unchecked,
  });
  holds('is in doubt where the node has no headers of its blocks', nodeOf(chain, { headers: 'missing' }), {
    ...{ blocks: [5, 1500], because: unchecked },
  });
  holds(
    'is found out where it keeps the logs of another contract',
    nodeOf(both, { pruned: { ...silent, keeps: [B] } }),
    { blocks: [1500], because: /only some of the logs of block 5/ },
  );
  for (const query of [{ address: [A, B] }, { topics: [TRANSFER] }]) {
    holds(
      `is found out where it keeps those of one of several contracts: ${Object.keys(query)}`,
      nodeOf(both, { pruned: { ...silent, keeps: [B] } }),
      { blocks: [5, 1500, 1500], because: /only some of the logs of block 5/, query },
    );
  }
  const leftOut = /matching logs if asked for block 5 alone, but left them out of a longer range/;
  for (const traits of [{}, { batches: false }, { needsAddress: true }]) {
    for (const query of [{ address: A }, { address: A, toBlock: 900 }, { address: [A, B] }]) {
      holds(
        `is found out where another node returns single blocks: ${JSON.stringify({ ...traits, ...query })}`,
        nodeOf(both, { ...traits, pruned: { ...silent, unlessWithin: 1 } }),
        { because: traits.needsAddress ? leftOut : /returns no logs for block 5,/, query },
      );
      holds(
        `is found out where another node returns short ranges: ${JSON.stringify({ ...traits, ...query })}`,
        nodeOf(both, { ...traits, pruned: { ...silent, unlessWithin: 2 } }),
        { because: leftOut, query },
      );
    }
  }
  it('is found out where replicas that are far behind refuse the range of two blocks', async () => {
    for (const every of [2, 3, 4, 5]) {
      const lag = { every, blocks: 2000, refuses: true };
      const node = nodeOf(chainOf(2000, [0, 1, 1500]), {
        lag,
        batches: false,
        pruned: { ...silent, unlessWithin: 1 },
      });
      const query = clientOf(node()).openLogQuery(
        parseLogFilter({ address: A, topics: [word(7)], toBlock: 1500 }),
      );
      const { reasons } = (await readAll(query)).verdict;
      assert.ok(
        reasons.some(({ code }) => code === 'prunedLogs'),
        `every ${every}`,
      );
    }
  });

  const everyBlock = chainOf(400, [...Array(400).keys()].slice(5));
  const hole = { from: 100, below: 200, error: undefined };
  for (const traits of [{}, { unlessWithin: 2 }]) {
    holds(
      `is found out where it lacks blocks between those with rows: ${JSON.stringify(traits)}`,
      nodeOf(everyBlock, { pruned: { ...hole, ...traits } }),
      { because: /block 1\d\d/ },
    );
  }

  it('is found out between rows after it has shown logs, by headers that are known', async () => {
    const client = clientOf(nodeOf(everyBlock, { pruned: hole })());
    const read = async (query: QueryJson) =>
      (await readAll(client.openLogQuery(parseLogFilter(query)))).verdict.state;
    assert.equal(await read({ address: B }), 'complete');
    assert.equal(await read({ address: A, fromBlock: 50 }), 'uncertain');
  });

  holds('is not one that demands an address', nodeOf(chain, { needsAddress: true }), { blocks: [5, 1500] });
  holds('is not one whose chain has no blooms', nodeOf(chain, { blooms: 'empty' }), { blocks: [5, 1500] });

  it('is found out after a query that was not shown anything', async () => {
    const sparse = { head: 20_000, logs: chainOf(20_000, [7, 15_000]).logs };
    const client = clientOf(nodeOf(sparse, { pruned: { below: 1000, error: undefined } })());
    const read = async (query: QueryJson) =>
      (await readAll(client.openLogQuery(parseLogFilter(query)))).verdict.state;
    assert.equal(await read({ address: A, fromBlock: 8, toBlock: 16_000 }), 'complete');
    assert.equal(await read({ address: A, fromBlock: 0, toBlock: 16_000 }), 'uncertain');
  });

  const everyBloomIsFull: FetchLike = async (url, init) => {
    const response = await nodeOf(chain)()(url, init);
    const text = (await response.text()).replace(
      /"logsBloom":"0x[0-9a-f]*"/g,
      `"logsBloom":"0x${'f'.repeat(512)}"`,
    );
    return new Response(text, { status: response.status });
  };
  // As that of a block of Polygon with nothing but logs of its system.
  const oneBloomIsEmpty: FetchLike = async (url, init) => {
    const response = await nodeOf(dense, { pruned: silent })()(url, init);
    const text = (await response.text()).replace(
      /("number":"0x5dc"[^}]*"logsBloom":"0x)[0-9a-f]*"/g,
      `$1${'0'.repeat(512)}"`,
    );
    return new Response(text, { status: response.status });
  };
  const dense = chainOf(2000, [1, 4, 5, 9, 1500]);
  holds('is found out where the bloom of a row is empty', () => oneBloomIsEmpty, {
    ...{ blocks: [1500], because: /no logs for block 1, although its header says that it has some/ },
  });
  holds('is not one whose headers all have the same bloom', () => everyBloomIsFull, { blocks: [5, 1500] });
});

describe('rows of a node', () => {
  const alike = [101, 102, 103].map((id, place) => ({
    ...{ block: 7, place, address: A, data: word(1) },
    topics: [TRANSFER, word(0), word(2), word(id)],
  }));
  for (const index of ['transaction', 'nothing'] as const) {
    holds(`are told apart where an index counts ${index}`, nodeOf({ head: 20, logs: alike }, { index }), {
      blocks: [7, 7, 7],
    });
  }

  const same = [0, 0].map((place) => ({ block: 7, place, address: A, data: '0x', topics: [TRANSFER] }));
  holds('are in doubt where nothing sets two apart', nodeOf({ head: 20, logs: same }), {
    ...{ blocks: [7], because: /same log twice in block 7/ },
  });

  for (const kind of ['removed', 'noBlock', 'noHash', 'noIndex'] as const) {
    holds(
      `are left out where they contradict themselves: ${kind}`,
      nodeOf(chainOf(20, [5, 9]), { flaw: { nth: 0, kind } }),
      { blocks: [9], because: /marks as removed, or that have no block/ },
    );
  }

  holds('are in doubt where null comes in place of a list', nodeOf(chainOf(20, []), { nullEvery: 1 }), {
    ...{ blocks: [], because: /null instead of a list/ },
  });
});

describe('block times of a node', () => {
  holds('are in doubt where they fall', nodeOf(chainOf(100, [5]), { times: 'fall' }), {
    query: { address: A, fromBlock: '2023-11-14T22:00:00Z', toBlock: '2023-11-14T22:13:00Z' },
    because: /block times of the server go backwards/,
  });
});

describe('a query of more addresses than a node takes at once', () => {
  const many = listOtherAddresses(1201);
  const address = [...many.slice(0, 1100), A, ...many.slice(1100)];
  const whole = createAnyNode(chainOf(3000, [5]), GETH);
  for (const [message, most] of [
    ['exceed max addresses or topics per search position', 1000],
    ['too many addresses, at most 200', 200],
    ['address list too long', 300],
    ['Please specify less number of addresses', 300],
    ['eth_getLogs is limited to 300 addresses', 300],
    ['computer says no', 300],
  ] as const) {
    const limited: FetchLike = async (url, init) => {
      const calls = [JSON.parse(init.body ?? '[]')].flat() as {
        id: number;
        params: { address?: unknown }[];
      }[];
      const tooMany = calls.find(({ params }) => [params?.[0]?.address].flat().length > most);
      if (!tooMany) return whole(url, init);
      const refusal = { jsonrpc: '2.0', id: tooMany.id, error: { code: -32602, message } };
      const head = { jsonrpc: '2.0', id: calls[0]?.id, result: '0xbb8' };
      return Response.json(calls.length > 1 ? [head, refusal] : refusal);
    };
    holds(`is split where it says: ${message}`, () => limited, {
      blocks: [5],
      query: { address },
      requests: 60,
    });
  }

  const proxied: FetchLike = async (url, init) =>
    (init.body?.length ?? 0) > 20_000
      ? new Response('<html>413 Request Entity Too Large</html>', { status: 413 })
      : whole(url, init);
  holds('is split where it is too long for its proxy', () => proxied, {
    blocks: [5],
    query: { address },
    requests: 60,
  });
});

describe('replicas that are behind and refuse later blocks', () => {
  const blocks = Array.from({ length: 60 }, (_, nth) => 50 * nth + 48);
  for (const batches of [true, false]) {
    for (const refuses of [true, false]) {
      holds(
        `${batches ? 'with' : 'without'} batches, ${refuses ? 'refusing' : 'leaving out'} them: lose no log`,
        nodeOf(chainOf(3000, blocks), { batches, lag: { every: 3, blocks: 5, refuses } }),
        { blocks },
      );
    }
  }
});

describe('replicas that are far behind', () => {
  const blocks = Array.from({ length: 100 }, (_, nth) => 20 * nth + 19);
  const headOf = (every: number) => ({ lag: { every, blocks: 300, refuses: false } });
  for (const every of [2, 3, 4]) {
    holds(`lose no log with batches, every ${every}`, nodeOf(chainOf(2000, blocks), headOf(every)), {
      blocks,
    });
    it(`are told without batches, every ${every}`, async () => {
      const node = nodeOf(chainOf(2000, blocks), { ...headOf(every), batches: false })();
      const { logs, verdict } = await readAll(clientOf(node).openLogQuery(parseLogFilter({ address: A })));
      assert.ok(logs.length === blocks.length || verdict.state === 'uncertain', `${logs.length}`);
    });
  }

  it('are told without batches where only the last blocks are compared, newest first', async () => {
    const node = (every: number) =>
      nodeOf(chainOf(3000, [500]), { lag: { every, blocks: 2950, refuses: false }, batches: false })();
    for (const every of [4, 5, 8]) {
      for (const read of [readAll, readPages]) {
        const query = clientOf(node(every)).openLogQuery(parseLogFilter({ address: A, fromBlock: 0 }), {
          order: 'newestFirst',
        });
        const { logs, verdict } = await read(query);
        assert.ok(logs.length === 1 || verdict.state === 'uncertain', `every ${every}`);
      }
    }
  });
});

describe('refusals that pass, in words that nobody knows', () => {
  const blocks = [5, 9, 50, 90];
  const everySecondFails = (): FetchLike => {
    const whole = createAnyNode(chainOf(100, blocks), GETH);
    let requests = 0;
    return async (url, init) => {
      const response = await whole(url, init);
      if (!init.body?.includes('eth_getLogs') || requests++ % 2 > 0) return response;
      const error = { code: -32000, message: 'relay failed: no suitable endpoint' };
      const answers = (await response.json()) as { id: number; result?: unknown } | { id: number }[];
      const fail = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, error });
      return Response.json(
        Array.isArray(answers)
          ? answers.map((each, nth) => (nth < answers.length - 1 ? each : fail(each)))
          : fail(answers),
      );
    };
  };
  holds('lose no log', everySecondFails, { blocks });
});

describe('a node that takes few calls in one request', () => {
  for (const form of ['list', 'object', 'one', 'status', 'null'] as const) {
    for (const calls of [1, 3, 10]) {
      holds(
        `refuses more than ${calls} as ${form}: gives every log`,
        nodeOf(chainOf(3000, [700, 2999]), { maxBatch: { calls, form } }),
        {
          ...{ blocks: [700, 2999], requests: calls === 1 ? 500 : 400 },
        },
      );
    }
  }
});

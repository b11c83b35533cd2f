import assert from 'node:assert/strict';
import {
  createChainClient,
  describeReasons,
  type FetchLike,
  formatMessage,
  type LogOrder,
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

const ways = [
  ['all, oldest first', readAll, 'oldestFirst'],
  ['all, newest first', readAll, 'newestFirst'],
  ['page by page', readPages, 'oldestFirst'],
] as const;

/** A chain with one log in each of these blocks; the same block may come several times. */
function chainOf(head: number, blocks: readonly number[]): Chain {
  const logs = blocks.map((block, nth) => ({
    ...{ block, place: nth - blocks.indexOf(block), address: A, data: '0x' },
    topics: [TRANSFER, word(1), word(2), word(100 + nth)],
  }));
  return { head, logs };
}

interface Result {
  readonly blocks: readonly number[];
  readonly state: string;
  readonly reasons: string;
  readonly requests: number;
  readonly verdict: Awaited<ReturnType<typeof readAll>>['verdict'];
}

function assertOneLogInFewRequests({ blocks, state, requests }: Result): void {
  assert.deepEqual([blocks, state], [[5], 'complete']);
  assert.ok(requests < 60, `${requests} requests`);
}

/** Reads a query of a node, in each way, and hands over what came, with the number of requests. */
function eachWay(node: () => FetchLike, query: QueryJson, assertResult: (result: Result) => void): void {
  for (const [name, read, order] of ways) {
    it(name, async () => {
      const client = createChainClient({ fetch: node(), clock: createTestClock(), url: 'http://node.test/' });
      const { logs, verdict } = await read(
        client.openLogQuery(parseLogFilter(query), { order: order as LogOrder }),
      );
      assertResult({
        blocks: logs.map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b),
        state: verdict.state,
        reasons: describeReasons(verdict.reasons).map(formatMessage).join(' '),
        requests: verdict.requests,
        verdict,
      });
    });
  }
}

describe('a node that refuses wide ranges in its own words', () => {
  const refusals: readonly (readonly [who: string, code: number, message: string, maxBlocks: number])[] = [
    ['Ethermint', -32000, 'maximum [from, to] blocks distance: 10000', 10_000],
    ['PublicNode', -32701, 'exceed maximum block range: 50000', 50_000],
    ['Harmony', -32000, 'query must be smaller than size 1024', 1024],
    [
      'Morph',
      -32000,
      'block range is larger than max block range, block range = 5120, max block range = 5000',
      5000,
    ],
    ['Erigon', -32602, 'query block range exceeds server limit, narrow your filter: 5.', 1000],
    ['a server of words that nobody knows', -39999, 'computer says no', 1000],
    ['a server that fails instead', -32603, 'Internal error', 1000],
  ];
  for (const [who, code, message, maxBlocks] of refusals) {
    describe(who, () => {
      const head = 3 * maxBlocks;
      const blocks = [5, head / 2, head - 1];
      const node = () =>
        createAnyNode(chainOf(head, blocks), { ...GETH, width: { maxBlocks, code, message } });
      eachWay(node, { address: A }, (result) => {
        assert.deepEqual([result.blocks, result.state], [blocks, 'complete']);
        assert.ok(result.requests < 40, `${result.requests} requests`);
      });
    });
  }
});

describe('a node that has pruned old blocks', () => {
  const errors: readonly (readonly [code: number, message: string])[] = [
    [4444, 'pruned history unavailable'],
    [
      -32000,
      'failed: seek with txNum=1962853355 but data before txNum=2662500000 is not available: blockNum=16999999',
    ],
    [-32001, 'block range starts before the earliest block'],
    [-39999, 'gone'],
  ];
  for (const [code, message] of errors) {
    describe(`and says so: ${message.slice(0, 40)}`, () => {
      const pruned = { below: 1200, error: { code, message } };
      const node = () => createAnyNode(chainOf(3000, [3, 1500, 2999]), { ...GETH, pruned });
      eachWay(node, { address: A }, (result) => {
        assert.deepEqual([result.blocks, result.state], [[1500, 2999], 'uncertain']);
        assert.match(result.reasons, /no blocks before 1200/);
        assert.ok(result.requests < 60, `${result.requests} requests`);
      });
    });
  }

  describe('in words of a node that has not seen a block yet, without batches', () => {
    const pruned = { below: 1200, error: { code: -32000, message: 'header not found' } };
    const node = () => createAnyNode(chainOf(3000, [3, 1500, 2999]), { ...GETH, batches: false, pruned });
    eachWay(node, { address: A }, (result) => {
      assert.deepEqual([result.blocks, result.state], [[1500, 2999], 'uncertain']);
      assert.match(result.reasons, /no blocks before 1200/);
    });
  });

  describe('with a narrow limit too, so that no window reaches up to its first block', () => {
    const width = { maxBlocks: 100, code: -32602, message: 'query exceeds max block range 100' };
    const pruned = { below: 1200, error: { code: 4444, message: 'pruned history unavailable' } };
    const node = () => createAnyNode(chainOf(3000, [3, 1500, 2999]), { ...GETH, pruned, width });
    eachWay(node, { address: A }, (result) => {
      assert.deepEqual([result.blocks, result.state], [[1500, 2999], 'uncertain']);
      assert.match(result.reasons, /no blocks before 1200/);
    });
  });

  it('and has none of the range: the query ends with what it says', async () => {
    const pruned = { below: 1200, error: { code: 4444, message: 'pruned history unavailable' } };
    const fetch = createAnyNode(chainOf(3000, [3]), { ...GETH, pruned });
    const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
    const running = client.openLogQuery(parseLogFilter({ address: A, toBlock: 1000 }));
    await assert.rejects(readAll(running), { kind: 'rpc', message: /pruned history unavailable/ });
  });
});

describe('a node that leaves out the logs of old blocks without a word', () => {
  const silent = { below: 1000, error: undefined };
  const chain = chainOf(2000, [5, 1500]);

  eachWay(
    () => createAnyNode(chain, { ...GETH, pruned: silent }),
    { address: A },
    (result) => {
      assert.deepEqual([result.blocks, result.state], [[1500], 'uncertain']);
      assert.match(result.reasons, /no logs for block 5, although its header says that it has some/);
    },
  );

  it('is found out in two requests, once', async () => {
    const requestsOf = async (pruned: NodeTraits['pruned'], fromBlock: number) => {
      const fetch = createAnyNode(chain, { ...GETH, pruned });
      const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
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
    assert.equal(second, unchecked, `${second} after ${first}`);
    const [found = 0] = await requestsOf(silent, 0);
    assert.ok(found <= unchecked + 2, `${found} and not ${unchecked}`);
  });

  it('is found out although blocks without logs were read before', async () => {
    const fetch = createAnyNode(chain, { ...GETH, pruned: silent });
    const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
    const stateOf = async (query: QueryJson) =>
      (await readAll(client.openLogQuery(parseLogFilter(query)))).verdict.state;
    assert.equal(await stateOf({ address: A, toBlock: 4 }), 'complete');
    assert.equal(await stateOf({ address: A }), 'uncertain');
  });

  it('is not what a lagging replica looks like, which has no logs of the newest blocks', async () => {
    const others = chainOf(95, [93]);
    for (const every of [3, 4, 5, 6, 7, 8]) {
      const fetch = createAnyNode(others, { ...GETH, lag: { every, blocks: 3, refuses: false } });
      const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
      const query = { address: A, topics: [word(7)], fromBlock: 'latest-2' };
      const { verdict } = await readAll(client.openLogQuery(parseLogFilter(query)));
      assert.ok(!verdict.reasons.some(({ code }) => code === 'prunedLogs'), `every ${every}`);
    }
  });

  describe('and its headers say nothing, as every one has the same bloom', () => {
    const full: FetchLike = async (url, init) => {
      const response = await createAnyNode(chain, GETH)(url, init);
      const text = (await response.text()).replace(
        /"logsBloom":"0x[01]*"/g,
        `"logsBloom":"0x${'f'.repeat(512)}"`,
      );
      return new Response(text, { status: response.status });
    };
    eachWay(
      () => full,
      { address: A },
      ({ state }) => assert.equal(state, 'complete'),
    );
  });
});

describe('a log index that is no identity', () => {
  const logs = [101, 102, 103].map((id, place) => ({
    ...{ block: 7, place, address: A, data: word(1) },
    topics: [TRANSFER, word(0), word(2), word(id)],
  }));
  for (const index of ['transaction', 'nothing'] as const) {
    describe(`counts ${index === 'nothing' ? 'nothing' : 'within a transaction'}`, () => {
      const node = (name?: string) => () => createAnyNode({ head: 20, logs }, { ...GETH, index, name });
      eachWay(node('Geth/v1.17.0'), { address: A }, (result) =>
        assert.deepEqual([result.blocks, result.state], [[7, 7, 7], 'complete']),
      );
    });
  }

  describe('and two logs that nothing sets apart', () => {
    const same = [0, 0].map((place) => ({ block: 7, place, address: A, data: '0x', topics: [TRANSFER] }));
    eachWay(
      () => createAnyNode({ head: 20, logs: same }, GETH),
      { address: A },
      (result) => {
        assert.equal(result.state, 'uncertain');
        assert.match(result.reasons, /same log twice in block 7/);
      },
    );
  });
});

describe('rows that contradict themselves', () => {
  for (const kind of ['removed', 'noBlock', 'noHash', 'noIndex'] as const) {
    describe(kind, () => {
      const node = () => createAnyNode(chainOf(20, [5, 9]), { ...GETH, flaw: { nth: 0, kind } });
      eachWay(node, { address: A }, (result) => {
        assert.deepEqual([result.blocks, result.state], [[9], 'uncertain']);
        assert.match(result.reasons, /marks as removed, or that have no block/);
      });
    });
  }
});

describe('null in place of a list', () => {
  const node = () => createAnyNode(chainOf(20, []), { ...GETH, nullEvery: 1 });
  eachWay(node, { address: A }, (result) => {
    assert.deepEqual([result.blocks, result.state], [[], 'uncertain']);
    assert.match(result.reasons, /null instead of a list/);
  });
});

describe('a query of more addresses than a node takes at once', () => {
  const many = listOtherAddresses(1201);
  const address = [...many.slice(0, 1100), A, ...many.slice(1100)];
  const messages = [
    ['exceed max addresses or topics per search position', 1000],
    ['too many addresses, at most 200', 200],
    ['address list too long', 300],
    ['Please specify less number of addresses', 300],
    ['eth_getLogs is limited to 300 addresses', 300],
    ['computer says no', 300],
  ] as const;
  for (const [message, most] of messages) {
    describe(message, () => {
      const whole = createAnyNode(chainOf(3000, [5]), GETH);
      const limited: FetchLike = async (url, init) => {
        const calls = [JSON.parse(init.body ?? '[]')].flat() as {
          id: number;
          params: { address?: unknown }[];
        }[];
        const tooMany = calls.find(({ params }) => [params?.[0]?.address].flat().length > most);
        if (!tooMany) return whole(url, init);
        const error = { code: -32602, message };
        const head = calls.length > 1 ? [{ jsonrpc: '2.0', id: calls[0]?.id, result: '0xbb8' }] : [];
        const answer = [...head, { jsonrpc: '2.0', id: tooMany.id, error }];
        return Response.json(answer.length > 1 ? answer : answer[0]);
      };
      eachWay(() => limited, { address }, assertOneLogInFewRequests);
    });
  }
});

describe('a query whose request is too long for the proxy of a node', () => {
  const address = [A, ...listOtherAddresses(1200)];
  const whole = createAnyNode(chainOf(3000, [5]), GETH);
  const limited: FetchLike = async (url, init) =>
    (init.body?.length ?? 0) > 20_000
      ? new Response('<html>413 Request Entity Too Large</html>', { status: 413 })
      : whole(url, init);
  eachWay(() => limited, { address }, assertOneLogInFewRequests);
});

describe('replicas that are behind and refuse later blocks', () => {
  for (const batches of [true, false]) {
    for (const refuses of [true, false]) {
      describe(`${batches ? 'with' : 'without'} batches, ${refuses ? 'refusing' : 'leaving out'} them`, () => {
        const blocks = Array.from({ length: 60 }, (_, nth) => 50 * nth + 48);
        const lag = { every: 3, blocks: 5, refuses };
        eachWay(
          () => createAnyNode(chainOf(3000, blocks), { ...GETH, batches, lag }),
          { address: A },
          (result) => assert.deepEqual([result.blocks, result.state], [blocks, 'complete']),
        );
      });
    }
  }
});

describe('internal errors that pass', () => {
  for (const batches of [true, false]) {
    describe(`at every fourth request, ${batches ? 'with' : 'without'} batches`, () => {
      const node = () => createAnyNode(chainOf(3000, [5, 1500, 2999]), { ...GETH, batches, failEvery: 4 });
      eachWay(node, { address: A }, (result) =>
        assert.deepEqual([result.blocks, result.state], [[5, 1500, 2999], 'complete']),
      );
    });
  }
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
  eachWay(everySecondFails, { address: A }, (result) =>
    assert.deepEqual([result.blocks, result.state], [blocks, 'complete']),
  );
});

describe('a range that is not reached', () => {
  for (const [name, toBlock] of [
    ['by number', 5000],
    ['by time', '2999-01-01'],
  ] as const) {
    describe(name, () => {
      eachWay(
        () => createAnyNode(chainOf(3000, [5]), GETH),
        { address: A, toBlock },
        (result) => {
          assert.deepEqual([result.blocks, result.state], [[5], 'unreached']);
          assert.match(result.reasons, /ends after the latest block, 3000/);
        },
      );
    });
  }
});

describe('times that go backwards', () => {
  const query = { address: A, fromBlock: '2023-11-14T22:00:00Z', toBlock: '2023-11-14T22:13:00Z' };
  eachWay(
    () => createAnyNode(chainOf(100, [5]), { ...GETH, times: 'fall' }),
    query,
    (result) => {
      assert.equal(result.state, 'uncertain');
      assert.match(result.reasons, /block times of the server go backwards/);
    },
  );
});

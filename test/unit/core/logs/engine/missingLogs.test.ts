import assert from 'node:assert/strict';
import { createChainClient, type FetchLike, parseLogFilter } from '../../../../../src/core/index.ts';
import { encodeRlp, hashBytes, toRlpInteger } from '../../../../../src/core/logs/proof/merkleTrie.ts';
import { type Chain, createAnyNode, type NodeTraits } from '../../../../support/anyNode.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { type QueryJson, readAll } from '../../../../support/logReading.ts';

const TOKEN = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'33'.repeat(20)}`;
const SYSTEM = `0x${'1001'.padStart(40, '0')}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const listBlocks = (count: number, from: number, step = 1) =>
  Array.from({ length: count }, (_, nth) => from + nth * step);

/** A chain with so many logs of a contract in each of these blocks. */
function chainOf(
  head: number,
  contracts: readonly {
    readonly address: string;
    readonly blocks: readonly number[];
    readonly each?: number;
  }[],
): Chain {
  const logs = contracts
    .flatMap(({ address, blocks, each = 1 }) =>
      blocks.flatMap((block) =>
        Array.from({ length: each }, (_, nth) => ({ block, address, topics: [TRANSFER, word(nth)] })),
      ),
    )
    .sort((one, other) => one.block - other.block)
    .map((log, place) => ({ ...log, place, data: '0x' }));
  return { head, logs };
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node responds to a call, given the result that an honest one has. */
type Change = (call: Call, result: unknown) => object | undefined;

interface Reply {
  readonly id: number;
  readonly result?: unknown;
}

interface Row {
  readonly address: string;
  readonly blockNumber: string;
}

const keeping =
  (isKept: (row: Row) => boolean): Change =>
  ({ method }, result) =>
    method === 'eth_getLogs' && Array.isArray(result) ? { result: result.filter(isKept) } : undefined;

const inHeaders =
  (change: (block: number, header: object) => object | undefined): Change =>
  ({ method, params: [tag] }, result) =>
    method === 'eth_getBlockByNumber' && typeof tag === 'string' && tag.startsWith('0x')
      ? change(Number(tag), result as object)
      : undefined;

/** A client of a node that changes the responses of an honest one, by the first change that has one. */
function open(chain: Chain, changes: readonly Change[], traits: Partial<NodeTraits> = {}) {
  const node = createAnyNode(chain, { name: 'Geth/v1.17.0', batches: true, index: 'block', ...traits });
  const fetch: FetchLike = async (url, init) => {
    const response = await node(url, init);
    if (init.body === undefined) return response;
    const calls: readonly Call[] = [JSON.parse(init.body)].flat();
    const json = (await response.json()) as Reply | readonly Reply[];
    const changed = [json].flat().map((reply: Reply) => {
      const call = calls.find(({ id }) => id === reply.id);
      if (!call) return reply;
      return changes.reduce((so: Reply, change) => {
        const made = change(call, so.result);
        return made ? { jsonrpc: '2.0', id: call.id, ...made } : so;
      }, reply);
    });
    return Response.json(Array.isArray(json) ? changed : changed[0]);
  };
  const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
  return async (query: QueryJson) => {
    const { logs, verdict } = await readAll(client.openLogQuery(parseLogFilter(query)));
    return [logs.length, ...verdict.reasons.map(({ code }) => code)];
  };
}

describe('a node whose headers have no blooms', () => {
  it('is not asked for its newest header again', async () => {
    let isRead = false;
    const read = open(chainOf(1, []), [
      inHeaders((block, header) => {
        if (block === 1 && isRead) return { result: null };
        isRead ||= block === 1;
        return { result: { ...header, logsBloom: undefined } };
      }),
    ]);
    assert.deepEqual(await read({ address: TOKEN }), [0]);
  });
});

describe('a node that has no headers of new blocks yet', () => {
  for (const blooms of ['with', 'without'] as const) {
    it(`is asked for them until it has, ${blooms} blooms`, async () => {
      let [requests, newest] = [0, 0];
      const late = inHeaders((block, header) => {
        if (block > 0 && requests++ < 12) return { result: null };
        newest = Math.max(newest, block);
        return blooms === 'with' ? undefined : { result: { ...header, logsBloom: undefined } };
      });
      assert.deepEqual(await open(chainOf(2, []), [late])({ address: TOKEN }), [0]);
      assert.equal(newest, 2);
    });
  }
});

describe('a node that lacks logs of old blocks, and some of their headers', () => {
  const chain = chainOf(400, [{ address: TOKEN, blocks: listBlocks(40, 10, 7) }]);
  const pruned = keeping(({ blockNumber }) => Number(blockNumber) >= 200);
  const gone = { error: { code: -32002, message: 'Requested resource not available' } };
  const unknown = { error: { code: -32601, message: 'the method does not exist' } };
  for (const [name, change] of [
    ['refuses old headers', inHeaders((block) => (block < 200 ? gone : undefined))],
    ['refuses one header', inHeaders((block) => (block === 3 ? unknown : undefined))],
    [
      'has old headers without bloom',
      inHeaders((block, header) => (block < 200 ? { result: { ...header, logsBloom: null } } : undefined)),
    ],
  ] as const) {
    for (const traits of [{}, { batches: false }]) {
      it(`${name} ${JSON.stringify(traits)}: is unchecked`, async () => {
        const read = open(chain, [pruned, change], traits);
        assert.deepEqual(await read({ address: TOKEN }), [12, 'historyUnchecked']);
        assert.deepEqual(await read({ address: TOKEN, toBlock: 150 }), [0, 'historyUnchecked']);
      });
    }
  }

  it('has no header of most new blocks: is unchecked', async () => {
    const recent = chainOf(400, [{ address: TOKEN, blocks: listBlocks(40, 290, 2) }]);
    const lacking = inHeaders((block) => (block > 285 ? { result: null } : undefined));
    const read = open(recent, [keeping(() => false), lacking]);
    for (const fromBlock of [285, 100])
      assert.deepEqual(await read({ address: TOKEN, fromBlock }), [0, 'historyUnchecked']);
  });

  it('refuses the headers of the first half of a short chain: is unchecked', async () => {
    const short = chainOf(28, [{ address: TOKEN, blocks: [0] }]);
    const later = keeping(({ blockNumber }) => Number(blockNumber) > 0);
    const refused = inHeaders((block) => (block < 14 ? gone : undefined));
    const read = open(short, [later, refused], { batches: false });
    assert.deepEqual(await read({ address: TOKEN }), [0, 'historyUnchecked']);
  });

  it('has no headers at all: is complete', async () => {
    const without: Change = ({ method }) => (method === 'eth_getBlockByNumber' ? unknown : undefined);
    assert.deepEqual(await open(chain, [without])({ address: TOKEN }), [40]);
  });

  it('has old headers without bloom, and all of the range are old: is unchecked', async () => {
    const change = inHeaders((block, header) =>
      block < 200 ? { result: { ...header, logsBloom: null } } : undefined,
    );
    const read = open(chain, [pruned, change]);
    assert.deepEqual(await read({ address: TOKEN, toBlock: 150 }), [0, 'historyUnchecked']);
  });

  it('has full blooms only, and no header of some blocks: is complete', async () => {
    const nullRound = { error: { code: 12, message: 'requested epoch was a null round' } };
    const full = { logsBloom: `0x${'f'.repeat(512)}` };
    for (const absent of [nullRound, { result: null }])
      for (const step of [2, 4]) {
        const change = inHeaders((block, header) =>
          block % 10 === step ? absent : { result: { ...header, ...full } },
        );
        for (const traits of [{}, { batches: false }])
          assert.deepEqual(await open(chain, [change], traits)({ address: TOKEN }), [40]);
      }
    const refused = inHeaders((block, header) => (block < 200 ? gone : { result: { ...header, ...full } }));
    assert.deepEqual(await open(chain, [pruned, refused])({ address: TOKEN }), [12, 'historyUnchecked']);
  });

  it('has headers without bloom only: is complete', async () => {
    const without: Change = ({ method }, result) =>
      method === 'eth_getBlockByNumber' ? { result: { ...(result as object), logsBloom: null } } : undefined;
    assert.deepEqual(await open(chain, [without])({ address: TOKEN }), [40]);
    assert.deepEqual(await open(chain, [without])({ address: OTHER }), [0]);
  });

  it('has system logs in no bloom: is detected after a query of these', async () => {
    const tokens = chainOf(800, [{ address: TOKEN, blocks: listBlocks(60, 100) }]);
    const withSystem = withSystemLogs(16);
    const read = open(tokens, [pruned, withSystem]);
    assert.deepEqual(await read({ address: SYSTEM }), [50]);
    assert.deepEqual(await read({ address: TOKEN }), [0, 'prunedLogs']);
  });
});

/** Each nth block has one more log, which its bloom does not have. */
function withSystemLogs(every: number): Change {
  return ({ method, params: [filter] }, result) => {
    if (method !== 'eth_getLogs' || !Array.isArray(result)) return undefined;
    const { fromBlock, toBlock, address } = filter as {
      readonly fromBlock: string;
      readonly toBlock: string;
      readonly address?: string | readonly string[];
    };
    if (address !== undefined && ![address].flat().includes(SYSTEM)) return undefined;
    const first = Math.max(every, Math.ceil(Number(fromBlock) / every) * every);
    const count = Math.max(0, Math.floor((Number(toBlock) - first) / every) + 1);
    const rows = listBlocks(count, first, every).map((block) => ({
      ...{ address: SYSTEM, topics: [word(7)], data: '0x', blockNumber: `0x${block.toString(16)}` },
      ...{
        blockHash: `0xaaaaaaaa${block.toString(16).padStart(56, '0')}`,
        transactionHash: word(1e6 + block),
      },
      ...{ transactionIndex: '0x9', logIndex: '0x99', removed: false },
    }));
    return { result: [...result, ...rows].sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber)) };
  };
}

describe('a node that keeps the logs of some contracts', () => {
  const chain = chainOf(400, [
    { address: OTHER, blocks: listBlocks(90, 5) },
    { address: TOKEN, blocks: listBlocks(60, 100) },
  ]);
  const keepsOther = keeping(({ address }) => address === OTHER);
  for (const traits of [{}, { needsAddress: true }, { batches: false }]) {
    const name = JSON.stringify(traits);
    it(`is detected after a query that it has the logs of ${name}`, async () => {
      const read = open(chain, [keepsOther], traits);
      const first = await read({ address: OTHER, topics: [TRANSFER], toBlock: 99 });
      assert.deepEqual(first, [90]);
      const [rows, ...codes] = await read({ address: TOKEN });
      assert.deepEqual([rows, codes], [0, ['prunedLogs']]);
      assert.deepEqual(await read({ address: OTHER, toBlock: 120 }), [90]);
    });

    it(`is detected in a query of both ${name}`, async () => {
      assert.deepEqual(await open(chain, [keepsOther], traits)({ address: [TOKEN, OTHER] }), [
        90,
        'prunedLogs',
      ]);
    });
  }

  it('is detected after a query of any contract', async () => {
    const read = open(chain, [keepsOther]);
    assert.deepEqual(await read({ topics: [TRANSFER], toBlock: 99 }), [90]);
    assert.deepEqual(await read({ address: TOKEN }), [0, 'prunedLogs']);
  });

  it('is detected in blocks with as many other logs as a limit', async () => {
    const blocks = listBlocks(50, 10);
    const crowded = chainOf(300, [
      { address: OTHER, blocks, each: 100 },
      { address: TOKEN, blocks },
    ]);
    const [rows, ...codes] = await open(crowded, [keepsOther])({ address: TOKEN });
    assert.equal(rows, 0);
    assert.ok(codes.includes('partialLogs') || codes.includes('historyUnchecked'), `${codes}`);
  });

  it('is detected in blocks with a log that is not in their bloom', async () => {
    const tokens = chainOf(400, [{ address: TOKEN, blocks: listBlocks(40, 10, 7) }]);
    const read = open(tokens, [keeping(() => false), withSystemLogs(1)]);
    assert.deepEqual(await read({ address: TOKEN }), [0, 'partialLogs']);
    assert.deepEqual(await open(tokens, [withSystemLogs(1)])({ address: TOKEN }), [40]);
    assert.deepEqual(await open(tokens, [withSystemLogs(1)])({ address: OTHER }), [0]);
  });

  it('costs a request for each contract at most where it has all logs', async () => {
    const requestsOf: number[] = [];
    const node = createAnyNode(chain, { name: 'Geth/v1.17.0', batches: true, index: 'block' });
    const client = createChainClient({ fetch: node, clock: createTestClock(), url: 'http://node.test/' });
    for (let run = 0; run < 3; run++) {
      const { verdict } = await readAll(client.openLogQuery(parseLogFilter({ address: [TOKEN, OTHER] })));
      assert.equal(verdict.state, 'complete');
      requestsOf.push(verdict.requests);
    }
    assert.ok((requestsOf[1] ?? 0) < (requestsOf[0] ?? 0), `${requestsOf}`);
    assert.equal(requestsOf[2], requestsOf[1]);
  });
});

describe('a quiet range whose blocks are all looked at', () => {
  const QUIET = { ...chainOf(2000, [{ address: OTHER, blocks: listBlocks(20, 5, 97) }]) };

  for (const [calls, most] of [
    [1, 20],
    [2, 25],
    [3, 25],
    [10, 25],
    [100, 12],
  ] as const)
    it(`costs ${most} requests for headers at most at an endpoint with batches of ${calls}`, async () => {
      let requests = 0;
      const maxBatch = calls < 100 ? { maxBatch: { calls, form: 'list' as const } } : {};
      const traits = { name: 'Geth/v1.17.0', batches: calls > 1, index: 'block', ...maxBatch } as const;
      const node = createAnyNode(QUIET, traits);
      const fetch: FetchLike = (url, init) => {
        if (init.body?.includes('eth_getBlockByNumber')) requests++;
        return node(url, init);
      };
      const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
      const filter = parseLogFilter({ address: TOKEN, fromBlock: 900, toBlock: 1800 });
      const { verdict } = await readAll(client.openLogQuery(filter));
      assert.equal(verdict.state, 'complete');
      assert.ok(requests <= most, `${requests}`);
    });
});

describe('a node that empties the blooms of old blocks, and leaves out their logs', () => {
  const word32 = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
  /** A header with the hash of its fields. */
  function headerOf(block: number, logsBloom: string) {
    const quantity = (value: number) => `0x${value.toString(16)}`;
    const fields = {
      ...{ parentHash: word32(block), sha3Uncles: word32(1), miner: OTHER, stateRoot: word32(2) },
      ...{ transactionsRoot: word32(3), receiptsRoot: word32(4), logsBloom, difficulty: '0x0' },
      ...{ number: quantity(block), gasLimit: '0x0', gasUsed: '0x5208', timestamp: quantity(block + 1) },
      ...{ extraData: '0x', mixHash: word32(5), nonce: `0x${'0'.repeat(16)}` },
    } as const;
    const quantities = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'];
    const values = Object.entries(fields).map(([name, value]) =>
      quantities.includes(name) ? toRlpInteger(BigInt(value)) : (value as `0x${string}`),
    );
    return { ...fields, hash: hashBytes(encodeRlp(values)), transactions: [word32(6)] };
  }

  const EMPTY = `0x${'0'.repeat(512)}`;
  const old = listBlocks(40, 3, 20);
  const chain = chainOf(2000, [{ address: TOKEN, blocks: [...old, ...listBlocks(300, 1701)] }]);
  const hashed = inHeaders((block, header) => ({
    result: headerOf(block, (header as { readonly logsBloom: string }).logsBloom),
  }));
  const emptied = (isAll: boolean) =>
    inHeaders((block, header) =>
      isAll || block < 1000 ? { result: { ...header, logsBloom: EMPTY } } : undefined,
    );
  const isNew = keeping(({ blockNumber }) => Number(blockNumber) >= 1000);

  it('is detected by the hashes of the headers', async () => {
    const [, ...codes] = await open(chain, [hashed, emptied(false), isNew])({ address: TOKEN });
    assert.deepEqual(codes, ['alteredBlock']);
  });

  it('is none where old blocks have transactions without logs, or the chain has no blooms', async () => {
    const quiet = chainOf(2000, [{ address: TOKEN, blocks: listBlocks(300, 1701) }]);
    assert.deepEqual(await open(quiet, [hashed])({ address: TOKEN }), [300]);
    assert.deepEqual(await open(chain, [hashed, emptied(true)])({ address: TOKEN }), [340]);
  });

  it('is none where headers have hashes of another kind', async () => {
    const other = inHeaders((_, header) => ({ result: { ...header, hash: word32(7) } }));
    assert.deepEqual(await open(chain, [hashed, emptied(false), other])({ address: TOKEN }), [340]);
  });
});

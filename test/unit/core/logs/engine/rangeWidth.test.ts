import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../../../localnet/explorer/server.ts';
import { AppError, type Log } from '../../../../../src/core/index.ts';
import { createDialectMemory } from '../../../../../src/core/logs/engine/dialectMemory.ts';
import { createRangeNarrowing } from '../../../../../src/core/logs/engine/rangeWidth.ts';
import { parseRangeLimitError } from '../../../../../src/core/logs/engine/refusals.ts';
import { getDirection } from '../../../../../src/core/logs/log.ts';
import { addresses, dataSets } from '../../../../support/logDataSets.ts';
import { openInjectQuery, readAll } from '../../../../support/logReading.ts';

const FROM = 0x100n;

function refused(serverMessage: string, code?: number, details: object = {}) {
  return new AppError('rpc', serverMessage, {
    serverMessage,
    ...(code === undefined ? {} : { code }),
    ...details,
  });
}

describe('refusal of a range', () => {
  const refusals: readonly [string, AppError, object][] = [
    ['geth', refused('exceed maximum block range 5000', -32602), { maxBlocks: 5000n }],
    ['reth, blocks', refused('query exceeds max block range 100000', -32602), { maxBlocks: 100_000n }],
    [
      'reth, results',
      refused('query exceeds max results 20000, retry with the range 256-300', -32602),
      { suggestedEnd: 300n, maxLogs: 20_000, ofContent: true },
    ],
    ['Besu', refused('Requested range exceeds maximum RPC range limit', -32005), {}],
    [
      'Nethermind',
      refused('Too many logs requested. Max logs per response is 10000.', -32005),
      { maxLogs: 10_000, ofContent: true },
    ],
    ['Polygon Edge', refused('block range too high', -32600), {}],
    [
      'Infura',
      refused('query returned more than 10000 results. Try with this block range [0x100, 0x1ff].', -32005),
      { suggestedEnd: 0x1ffn, maxLogs: 10_000, ofContent: true },
    ],
    [
      'Infura, data',
      refused('query returned more than 10000 results', -32005, {
        data: { from: '0x100', limit: 10000, to: '0x180' },
      }),
      { suggestedEnd: 0x180n, maxLogs: 10_000, ofContent: true },
    ],
    ['Infura, range', refused('range 12345 exceeds limit of 10000', -32602), { maxBlocks: 10_000n }],
    [
      'Alchemy',
      refused(
        'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range, or any range with a cap of 10K logs. this block range should work: [0x100, 0x120]',
        -32602,
      ),
      { suggestedEnd: 0x120n, maxLogs: 10_000, ofContent: true },
    ],
    [
      'Alchemy, free',
      refused('You can make eth_getLogs requests with up to a 10 block range.', -32600, { status: 400 }),
      { maxBlocks: 10n },
    ],
    [
      'QuickNode',
      refused('eth_getLogs is limited to a 10,000 range', -32614, { status: 413 }),
      { maxBlocks: 10_000n },
    ],
    ['Ankr', refused('block range is too wide', -32600), {}],
    ['Cloudflare', refused('Max range: 800', -32600), { maxBlocks: 800n }],
    ['dRPC', refused('ranges over 10000 blocks are not supported on freetier', 35), { maxBlocks: 10_000n }],
    ['BlockPI', refused('eth_getLogs is limited to 1024 block range', -32602), { maxBlocks: 1024n }],
    ['Merkle', refused('range is too large, max is 1k blocks', -32603), { maxBlocks: 1000n }],
    [
      'Arbitrum',
      refused('logs matched by query exceeds limit of 10000', -32000),
      { maxLogs: 10_000, ofContent: true },
    ],
    ['our own size limit', new AppError('tooLarge', 'over 32 MiB'), { ofContent: true }],
    ['a time limit', refused('query timeout exceeded limit of 10 seconds', -32000), {}],
    ['a paid plan', refused('block range is too wide (12 blocks), upgrade to tier 2', -32600), {}],
    ['the tier of a plan', refused('range too wide for tier 1', -32000), {}],
    ['a time', refused('block range must be at most 1 day', -32000), {}],
    ['several limits', refused('block range exceeded: up to 3 addresses and 1000 blocks', -32000), {}],
    ['parallel requests', refused('limit: 2 concurrent requests, block range too large', -32000), {}],
    ['a grouped number', refused("max range is 1'000 blocks", -32000), {}],
    ['a grouped number with a dot', refused('max range is 1.000 blocks', -32000), {}],
    [
      'the requested blocks',
      refused('block range 5-3000 is too large, max 1000', -32000),
      { maxBlocks: 1000n },
    ],
  ];
  for (const [who, error, expected] of refusals) {
    it(`is understood from ${who}`, () => {
      const refusal = parseRangeLimitError(error, FROM);
      assert.ok(refusal);
      assert.deepEqual(
        Object.fromEntries(Object.entries(refusal).filter(([, value]) => value !== undefined)),
        { ofContent: false, ...expected },
      );
    });
  }

  const others: readonly [string, unknown][] = [
    ['a rate limit', refused('rate limit exceeded', -32005)],
    ['a range beyond the head', refused('block range extends beyond current head block', -32602)],
    ['a string of Blockscout', refused('invalid block number')],
    ['an unknown method', refused('the method does not exist', -32601)],
    ['a 500', new AppError('server', 'HTTP 500')],
    ['no error of ours', new Error('range too large')],
  ];
  for (const [what, error] of others) {
    it(`is not seen in ${what}`, () => assert.equal(parseRangeLimitError(error, FROM), undefined));
  }

  it('takes no suggestion that does not begin where the question did', () => {
    const error = refused('Try with this block range [0x50, 0x1ff].', -32005);
    assert.equal(parseRangeLimitError(error, FROM)?.suggestedEnd, undefined);
  });
});

/** `count` rows, `perBlock` in each block from `first` on. */
const rows = (count: number, first: bigint, perBlock = 1) =>
  Array.from({ length: count }, (_, index) => ({
    blockNumber: first + BigInt(Math.floor(index / perBlock)),
  })) as unknown as readonly Log[];

describe('a range that is asked for again, smaller', () => {
  const smaller = () =>
    createRangeNarrowing({ memory: createDialectMemory(), direction: getDirection('oldestFirst') }, 0n);

  it('has as many rows as an answer may have to be whole, where a page shows most of them', () => {
    assert.equal(smaller().afterFullPage(rows(810, 100n), 250, 5_000n), 100n + 225n - 1n);
    assert.equal(smaller().afterFullPage(rows(260, 100n, 10), 250, 5_000n), 100n + 22n - 1n);
  });

  it('is in turn what the rows of a cut page say as the first, before them all, and half of the blocks', () => {
    const range = smaller();
    const newest = rows(1000, 9_000n);
    assert.deepEqual(
      Array.from({ length: 4 }, () => range.afterFullPage(newest, 250, 10_000n)),
      [9_224n, 8_999n, 5_000n, 9_224n],
    );
  });

  it('is half of the blocks where the rows of a cut page are among the first', () => {
    const range = smaller();
    const oldest = rows(1000, 0n);
    assert.deepEqual(
      Array.from({ length: 2 }, () => range.afterFullPage(oldest, 250, 10_000n)),
      [224n, 5_000n],
    );
  });

  it('is half of the blocks in the end, whatever number of rows a server cuts its answers at', () => {
    for (const [count, wholeBelow] of [
      [500, Number.POSITIVE_INFINITY],
      [333, 250],
    ] as const) {
      const range = smaller();
      let end = 1_000_000n;
      let asked = 0;
      for (; end > 1000n; asked++)
        end = range.afterFullPage(rows(count, end - BigInt(count) + 1n), wholeBelow, end);
      assert.ok(asked < 40, `${asked} times`);
    }
  });

  it('has at least a block, and always fewer than before', () => {
    assert.equal(smaller().afterFullPage(rows(1000, 0n, 1000), 250, 7n), 0n);
    assert.equal(smaller().afterFullPage(rows(300, 6n, 10), 250, 7n), 6n);
  });

  describe('on an explorer that finds the newest rows first', () => {
    let server: ExplorerServer;
    before(async () => {
      const { index } = dataSets['near 2^31']();
      server = await startExplorer({ index, dialect: 'v10.2', plannerOrder: () => 'descending' });
    });
    after(() => server.stop());

    it('finds a few crowded blocks at the end of two thousand million in a few requests', async () => {
      const { verdict } = await readAll(openInjectQuery(server, { address: addresses[0] ?? '' }));
      assert.equal(verdict.state, 'complete');
      assert.ok(verdict.requests < 25, `${verdict.requests} requests`);
    });
  });
});

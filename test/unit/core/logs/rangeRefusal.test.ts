import assert from 'node:assert/strict';
import { AppError } from '../../../../src/core/index.ts';
import { parseRangeLimitError } from '../../../../src/core/logs/engine/rangeWidth.ts';

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

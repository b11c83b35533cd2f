import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { createChainClient, type FetchLike, systemClock } from '../../../../src/core/index.ts';
import { answerEach, type RpcRequest, startRpcServer } from '../../../support/loopbackServer.ts';

type Answer = { readonly result: unknown } | { readonly error: unknown };

async function timesFrom(answer: (block: string) => Answer, blocks: readonly bigint[]) {
  const server = await startRpcServer((request) =>
    answerEach(({ id, params }: RpcRequest) => ({ jsonrpc: '2.0', id, ...answer(`${params[0]}`) }))(request),
  );
  const fetch = undiciFetch as unknown as FetchLike;
  try {
    return await createChainClient({ url: server.url, fetch, clock: systemClock }).fetchBlockTimes(blocks);
  } finally {
    await server.close();
  }
}

describe('times of blocks', () => {
  it('are those of the headers, in milliseconds; what is no time is left out', async () => {
    const headers: Readonly<Record<string, unknown>> = {
      '0x1': { timestamp: '0x65937f45' },
      '0x2': { timestamp: '0xffffffffffffffff' },
      '0x3': null,
      '0x4': { timestamp: 'soon' },
    };
    const times = await timesFrom((block) => ({ result: headers[block] }), [1n, 2n, 3n, 4n]);
    assert.deepEqual(times, new Map([[1n, { time: 0x65937f45 * 1000, source: 'eth_getBlockByNumber' }]]));
  });

  it('are read in decimal too: a number, or digits without 0x', async () => {
    const headers: Readonly<Record<string, unknown>> = {
      '0x1': { timestamp: 1_704_165_189 },
      '0x2': { timestamp: '1704165201' },
      // In milliseconds, as no chain of the field has them.
      '0x3': { timestamp: 1_704_165_189_000 },
    };
    const times = await timesFrom((block) => ({ result: headers[block] }), [1n, 2n, 3n]);
    assert.deepEqual(
      [...(times ?? [])].map(([, { time }]) => time),
      [1_704_165_189_000, 1_704_165_201_000],
    );
  });

  it('are not offered where the method is missing', async () => {
    const error = { code: -32601, message: 'the method does not exist' };
    assert.equal(await timesFrom(() => ({ error }), [1n, 2n]), undefined);
  });
});

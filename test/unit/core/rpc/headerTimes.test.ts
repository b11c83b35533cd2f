import assert from 'node:assert/strict';
import { createChainClient, type FetchLike, systemClock } from '../../../../src/core/index.ts';
import { answerEach, type RpcRequest } from '../../../support/loopbackServer.ts';

function timesFrom(answer: (block: string) => object, blocks: readonly bigint[]) {
  const answerAll = answerEach(({ id, params }: RpcRequest) => ({
    ...{ jsonrpc: '2.0', id },
    ...answer(`${params[0]}`),
  }));
  const fetch: FetchLike = async (_url, { body = '' }) => Response.json(answerAll(JSON.parse(body)));
  return createChainClient({ url: 'http://node.example', fetch, clock: systemClock }).fetchBlockTimes(blocks);
}

describe('times of blocks', () => {
  it('are those of the headers, hex or decimal, in milliseconds; what is no time is left out', async () => {
    const timestamps = [
      ...['0x65937f45', '0xffffffffffffffff', 'soon', 1_704_165_189, '1704165201'],
      // In milliseconds, as no chain of the field has them.
      1_704_165_189_000,
    ];
    const blocks = [...timestamps.keys(), timestamps.length].map(BigInt);
    const times = await timesFrom((block) => {
      const timestamp = timestamps[Number(block)];
      return { result: timestamp === undefined ? null : { timestamp } };
    }, blocks);
    const source = 'eth_getBlockByNumber';
    assert.deepEqual(
      [...(times ?? [])],
      [
        [0n, { time: 0x65937f45 * 1000, source }],
        [3n, { time: 1_704_165_189_000, source }],
        [4n, { time: 1_704_165_201_000, source }],
      ],
    );
  });

  it('are requested again where a replica does not have the block yet', async () => {
    const asked = new Map<string, number>();
    const times = await timesFrom(
      (block) => {
        asked.set(block, (asked.get(block) ?? 0) + 1);
        const isSeen = block === '0x1' || asked.get(block) === 3;
        return { result: isSeen ? { timestamp: '0x65937f45' } : null };
      },
      [1n, 2n],
    );
    assert.deepEqual([...(times?.keys() ?? [])], [1n, 2n]);
    assert.deepEqual(
      [...asked],
      [
        ['0x1', 1],
        ['0x2', 3],
      ],
    );
  });

  it('are not offered where the method is missing', async () => {
    const error = { code: -32601, message: 'the method does not exist' };
    assert.equal(await timesFrom(() => ({ error }), [1n, 2n]), undefined);
  });
});

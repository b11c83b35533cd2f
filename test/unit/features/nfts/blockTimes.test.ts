import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError, MOST_BLOCK_TIMES, type Network } from '../../../../src/core/index.ts';
import { BlockTimes } from '../../../../src/features/nfts/panel/blockTimes.ts';

const network: Network = {
  ...{ id: 'test', name: 'Test', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH', decimals: 18 },
};
type Answer = (blocks: readonly bigint[]) => ReadonlyMap<bigint, number> | undefined;
const timed: Answer = (blocks) => new Map(blocks.map((block) => [block, Number(block) * 1000]));
const upTo = (count: number) => Array.from({ length: count }, (_, block) => BigInt(block));

/** Times of an endpoint that answers so; `asked` has the blocks of each question. */
function timesOf(answer: Answer, connected = network) {
  const asked: (readonly bigint[])[] = [];
  let changes = 0;
  const client = {
    async blockTimes(blocks: readonly bigint[]) {
      asked.push(blocks);
      return answer(blocks);
    },
  };
  const connection = { client, network: connected, signal: new AbortController().signal };
  const times = new BlockTimes(
    () => connection as never,
    () => changes++,
  );
  return { times, asked, changes: () => changes };
}

async function settled(): Promise<void> {
  for (let step = 0; step < 200; step++) await turn();
}

describe('times of blocks in view', () => {
  it('come a bounded question at a time, each block once', async () => {
    const { times, asked, changes } = timesOf(timed);
    times.want(upTo(MOST_BLOCK_TIMES + 2), network);
    times.want([1n, 2n, 100n], network);
    await settled();
    assert.deepEqual(
      asked.map(({ length }) => length),
      [MOST_BLOCK_TIMES, 3],
    );
    assert.deepEqual([times.timeOf(100n), times.timeOf(7_000n)], [100_000, undefined]);
    assert.ok(times.areKnown);
    assert.equal(changes(), 2);
  });

  it('are of a bounded number of blocks, however many are passed', async () => {
    const { times, asked } = timesOf(timed);
    times.want(upTo(100_000), network);
    await settled();
    assert.equal(asked.flat().length, 300);
  });

  it('are not asked for where the endpoint has no headers, nor of another network', async () => {
    const without = timesOf(() => undefined);
    without.times.want(upTo(20), network);
    await settled();
    without.times.want([50n], network);
    await settled();
    assert.equal(without.asked.length, 1);
    assert.equal(without.times.areKnown, false);
    const elsewhere = timesOf(timed, { ...network, chainId: 6 });
    elsewhere.times.want([1n], network);
    await settled();
    assert.deepEqual(elsewhere.asked, []);
  });

  it('stay unknown where the endpoint fails, and the next are asked for all the same', async () => {
    let fails = true;
    const { times } = timesOf((blocks) => {
      if (fails) throw new AppError('network', 'gone');
      return timed(blocks);
    });
    times.want([1n], network);
    await settled();
    fails = false;
    times.want([2n], network);
    await settled();
    assert.deepEqual([times.timeOf(1n), times.timeOf(2n)], [undefined, 2_000]);
  });
});

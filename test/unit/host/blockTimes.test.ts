import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError, type BlockTime, MAX_BLOCK_TIMES, type Network } from '../../../src/core/index.ts';
import { BlockTimes } from '../../../src/host/blockTimes.ts';

const network: Network = {
  ...{ id: 'test', name: 'Test', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH', decimals: 18 },
};
type Answer = (blocks: readonly bigint[]) => ReadonlyMap<bigint, BlockTime> | undefined;
const timed: Answer = (blocks) =>
  new Map(blocks.map((block) => [block, { time: Number(block) * 1000, source: 'eth_getBlockByNumber' }]));
const upTo = (count: number) => Array.from({ length: count }, (_, block) => BigInt(block));

/** Times of an endpoint that answers so; `asked` has the blocks of each question. */
function timesOf(answer: Answer, connected = network) {
  const asked: (readonly bigint[])[] = [];
  let changes = 0;
  const client = {
    async fetchBlockTimes(blocks: readonly bigint[]) {
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
    times.prefetch(upTo(MAX_BLOCK_TIMES + 2), network);
    times.prefetch([1n, 2n, 900n], network);
    await settled();
    assert.deepEqual(
      asked.map(({ length }) => length),
      [MAX_BLOCK_TIMES, 3],
    );
    assert.deepEqual([times.timeOf(900n), times.timeOf(7_000n)], [900_000, undefined]);
    assert.ok(times.areKnown);
    assert.equal(changes(), 2);
  });

  it('are of a bounded number of blocks, however many are passed', async () => {
    const { times, asked } = timesOf(timed);
    times.prefetch(upTo(100_000), network);
    await settled();
    assert.equal(asked.flat().length, 300);
  });

  it('are not asked for where the endpoint has no headers, nor of another network', async () => {
    const without = timesOf(() => undefined);
    without.times.prefetch(upTo(20), network);
    await settled();
    without.times.prefetch([50n], network);
    await settled();
    assert.equal(without.asked.length, 1);
    assert.deepEqual([without.times.areKnown, without.times.state, without.changes()], [false, 'notTold', 1]);
    const elsewhere = timesOf(timed, { ...network, chainId: 6 });
    elsewhere.times.prefetch([1n], network);
    await settled();
    assert.deepEqual(elsewhere.asked, []);
  });

  it('that were left out of an answer are asked for again only when they are wanted again', async () => {
    const even: Answer = (blocks) =>
      new Map([...(timed(blocks) ?? [])].filter(([block]) => block % 2n === 0n));
    const { times, asked } = timesOf(even);
    times.prefetch(upTo(4), network);
    await settled();
    assert.deepEqual(asked, [upTo(4)]);
    times.prefetch(upTo(6), network);
    await settled();
    assert.deepEqual(asked.at(-1), [1n, 3n, 4n, 5n]);
    assert.equal(asked.length, 2);
  });

  it('stay unknown where the endpoint fails, and are asked for again with the next', async () => {
    let fails = true;
    const { times } = timesOf((blocks) => {
      if (fails) throw new AppError('network', 'gone');
      return timed(blocks);
    });
    times.prefetch([1n], network);
    await settled();
    assert.equal(times.state, 'failed');
    fails = false;
    times.prefetch([2n], network);
    await settled();
    assert.deepEqual([times.timeOf(1n), times.timeOf(2n)], [1_000, 2_000]);
    assert.equal(times.state, 'asked');
  });

  it('of another network are asked for although the one before is still on its way, whose times are dropped', async () => {
    const other = { ...network, chainId: 6 };
    for (const fails of [false, true]) {
      const waiting: ((answer: ReadonlyMap<bigint, BlockTime>) => void)[] = [];
      let connected = network;
      const asked: string[] = [];
      const client = {
        fetchBlockTimes(blocks: readonly bigint[]) {
          asked.push(`${connected.chainId}: ${blocks.join()}`);
          if (connected === other) return Promise.resolve(timed(blocks));
          return new Promise((resolve, reject) => {
            waiting.push(fails ? () => reject(new AppError('network', 'gone')) : resolve);
          });
        },
      };
      const signal = new AbortController().signal;
      const times = new BlockTimes(
        () => ({ client, network: connected, signal }) as never,
        () => undefined,
      );
      times.prefetch([1n], network);
      await settled();
      connected = other;
      times.prefetch([2n], other);
      waiting[0]?.(timed([1n]) ?? new Map());
      await settled();
      assert.deepEqual(asked, ['5: 1', '6: 2']);
      assert.deepEqual([times.timeOf(1n), times.timeOf(2n), times.state], [undefined, 2_000, 'asked']);
    }
  });
});

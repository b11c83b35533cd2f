import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BlockTime } from '../../../../src/core/eth/time.ts';
import { type BlockAtTime, type Closest, findBlockAt } from '../../../../src/core/rpc/blockTimes.ts';

interface Chain {
  readonly head: bigint;
  /** Undefined for a block whose header the server does not have. */
  readonly timeOf: (block: bigint) => number | undefined;
}

const chainOf = (times: readonly (number | undefined)[]): Chain => ({
  head: BigInt(times.length - 1),
  timeOf: (block) => times[Number(block)],
});

async function find(
  { head, timeOf }: Chain,
  { time, closest, claimed }: { readonly time: number; readonly closest: Closest; readonly claimed?: bigint },
): Promise<{ readonly found: BlockAtTime; readonly questions: number }> {
  let questions = 0;
  const fetchTimes = async (blocks: readonly bigint[]) => {
    questions++;
    assert.ok(blocks.length <= 17, `${blocks.length} blocks at once`);
    for (const block of blocks) assert.ok(block >= 0n && block <= head, `block ${block}`);
    const known = new Map<bigint, BlockTime>();
    for (const block of blocks) {
      const at = timeOf(block);
      if (at !== undefined) known.set(block, { time: at, source: 'eth_getBlockByNumber' });
    }
    return known;
  };
  return { found: await findBlockAt({ head, time, closest, claimed, fetchTimes }), questions };
}

/** The same by a look at every block. */
function byHand(times: readonly number[], time: number, closest: Closest): number {
  if (closest === 'after') {
    const first = times.findIndex((at) => at >= time);
    return first < 0 ? times.length : first;
  }
  return Math.max(
    0,
    times.findLastIndex((at) => at <= time),
  );
}

const ascending = fc.array(fc.nat(5), { minLength: 1, maxLength: 400 }).map((steps) => {
  let time = 0;
  return steps.map((step) => {
    time += step;
    return time;
  });
});

describe('block at a moment', () => {
  it('is what a look at every block finds, also where several have one time, whatever the explorer says', async () => {
    await fc.assert(
      fc.asyncProperty(
        ascending,
        fc.nat(2000),
        fc.constantFrom<Closest>('after', 'before'),
        fc.option(fc.nat(500), { nil: undefined }),
        async (times, time, closest, claimed) => {
          const asked = { time, closest, ...(claimed !== undefined && { claimed: BigInt(claimed) }) };
          const { found } = await find(chainOf(times), asked);
          assert.equal(found.block, BigInt(byHand(times, time, closest)));
        },
      ),
    );
  });

  it('is found in few questions on the longest chain there can be', async () => {
    const head = 2n ** 53n - 1n;
    const { found, questions } = await find(
      { head, timeOf: (block) => Number(block / 2n) },
      { time: 1_234_567_890_123, closest: 'after' },
    );
    assert.equal(found.block, 2_469_135_780_246n);
    assert.ok(questions <= 15, `${questions} questions`);
  });

  it('is above the head after it, and the first block before the chain began, and says so', async () => {
    const chain = chainOf([0, 100, 200]);
    const outcome = async (time: number, closest: Closest) => {
      const { block, time: at, outside } = (await find(chain, { time, closest })).found;
      return [block, at, outside];
    };
    assert.deepEqual(await outcome(201, 'after'), [3n, undefined, 'afterHead']);
    assert.deepEqual(await outcome(201, 'before'), [2n, 200, 'afterHead']);
    assert.deepEqual(await outcome(200, 'before'), [2n, 200, undefined]);
    assert.deepEqual(await outcome(-5, 'before'), [0n, 0, 'beforeFirst']);
    assert.deepEqual(await outcome(-5, 'after'), [0n, 0, 'beforeFirst']);
    assert.deepEqual(await outcome(0, 'after'), [0n, 0, undefined]);
    assert.deepEqual(await outcome(50, 'before'), [0n, 0, undefined]);
  });

  it('ends on times that go back and forth, at a place where they change sides', async () => {
    const hostile = (block: bigint) => Number((block * 7919n) % 1009n);
    for (const closest of ['after', 'before'] as const) {
      const { found, questions } = await find({ head: 10n ** 15n, timeOf: hostile }, { time: 500, closest });
      const isPast = (block: bigint) => (closest === 'after' ? hostile(block) >= 500 : hostile(block) > 500);
      const [low, high] =
        closest === 'after' ? [found.block - 1n, found.block] : [found.block, found.block + 1n];
      assert.deepEqual([isPast(low), isPast(high)], [false, true]);
      assert.ok(questions < 20, `${questions} questions`);
    }
    const falling = await find(
      { head: 1000n, timeOf: (block) => 1000 - Number(block) },
      { time: 400, closest: 'after' },
    );
    assert.equal(falling.found.block, 0n);
  });

  it('is not said to be before the chain where the first blocks after block 0 are earlier than it', async () => {
    for (const head of [5n, 1_000n, 20_000_000n])
      for (const closest of ['after', 'before'] as const)
        for (const later of [2n, head / 20n]) {
          const timeOf = (block: bigint) => (block > 0n && block < later ? 100 : 1_000 + Number(block));
          const { found } = await find({ head, timeOf }, { time: 50, closest });
          if (later > 1n) assert.equal(found.unorderedAt, 1n, `${head} ${closest} ${later}`);
        }
    const { found, questions } = await find(chainOf([1_000, 1_001, 1_002]), { time: 50, closest: 'after' });
    assert.deepEqual([found.outside, found.unorderedAt, questions], ['beforeFirst', undefined, 1]);
  });

  it('passes over headers that are not there, and says where none is', async () => {
    const some = await find(
      { head: 5000n, timeOf: (block) => (block % 3n === 0n && block < 4990n ? undefined : Number(block)) },
      { time: 2501, closest: 'after' },
    );
    assert.equal(some.found.block, 2501n);
    const pruned = { head: 5000n, timeOf: (block: bigint) => (block < 4000n ? undefined : Number(block)) };
    await assert.rejects(find(pruned, { time: 2501, closest: 'after' }), {
      kind: 'notServed',
      message: /returns no times for the blocks between -?\d+ and 4\d+/,
    });
  });

  it('is what the explorer says where it is borne out, in one question, and never where it is not', async () => {
    const chain = chainOf(Array.from({ length: 1000 }, (_, block) => block * 10));
    const right = await find(chain, { time: 5000, closest: 'before', claimed: 500n });
    assert.deepEqual(right.found, { block: 500n, time: 5000, source: 'getblocknobytime' });
    assert.equal(right.questions, 1);
    const wrong = await find(chain, { time: 5000, closest: 'before', claimed: 10n ** 15n });
    assert.deepEqual(wrong.found, { block: 500n, time: 5000, source: 'eth_getBlockByNumber' });
  });

  it('is the explorer’s word alone where nothing tells times, without one; and nothing where it has none either', async () => {
    const asked = { head: 9n, time: 5, closest: 'before', fetchTimes: async () => undefined } as const;
    assert.deepEqual(await findBlockAt({ ...asked, claimed: 4n }), {
      ...{ block: 4n, time: undefined, source: 'getblocknobytime' },
    });
    await assert.rejects(findBlockAt({ ...asked, claimed: undefined }), { kind: 'notServed' });
  });
});

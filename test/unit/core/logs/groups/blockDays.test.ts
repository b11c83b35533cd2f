import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BlockTime, createBlockDays, MAX_BLOCK_TIMES } from '../../../../../src/core/index.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';

const ping = eventOf('event Ping(uint256 value)');
const logAt = (block: bigint) => logOfEvent(ping, [1n], { block });
const START = Date.UTC(2026, 10, 28);
const HOUR_MS = 3_600_000;

/** An endpoint that counts what it is asked for. */
function serve(timeOf: (block: bigint) => number | undefined) {
  const requested: bigint[] = [];
  const days = createBlockDays(async (blocks) => {
    assert.ok(blocks.length <= MAX_BLOCK_TIMES);
    requested.push(...blocks);
    return new Map(
      blocks.flatMap((block): [bigint, BlockTime][] => {
        const time = timeOf(block);
        return time === undefined ? [] : [[block, { time, source: 'eth_getBlockByNumber' }]];
      }),
    );
  });
  return { days, requested };
}

describe('days of blocks', () => {
  it('are right for any blocks and times, also where some times are unknown', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.bigInt(0n, 400n), { maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(5),
      async (blocks, hours, gap) => {
        const isKnown = (block: bigint) => gap === 0 || Number(block) % (gap + 1) > 0;
        const timeOf = (block: bigint) => START + Math.floor(Number(block) / hours) * 5 * HOUR_MS;
        const { days } = serve((block) => (isKnown(block) ? timeOf(block) : undefined));
        await days.prepare(blocks.map(logAt));
        for (const block of blocks) {
          const day = new Date(timeOf(block)).toISOString().slice(0, 10);
          const found = days.dayOf(logAt(block));
          // Between two blocks of one day, an unknown one is of that day too.
          assert.ok(found === day || (found === undefined && !isKnown(block)), `block ${block}: ${found}`);
        }
      },
    );
    await fc.assert(property);
  });

  it('of a hundred thousand blocks take a few dozen times', async () => {
    const { days, requested } = serve((block) => START + Number(block) * 2000);
    const log = logAt(0n);
    await days.prepare(
      Array.from({ length: 100_000 }, (_, block) => ({ ...log, blockNumber: BigInt(block) })),
    );
    assert.equal(days.dayOf(logAt(43_199n)), '2026-11-28');
    assert.equal(days.dayOf(logAt(43_200n)), '2026-11-29');
    assert.ok(requested.length < 60, `${requested.length} times`);
    const before = requested.length;
    await days.prepareBlocks([5, 43_000, 100_000]);
    assert.equal(days.dayOfBlock(43_000), '2026-11-28');
    assert.deepEqual(requested.slice(before), [100_000n]);
  });

  it('are not requested for logs that have a time', async () => {
    const { days, requested } = serve(() => undefined);
    const log = { ...logAt(7n), time: START + 23 * HOUR_MS };
    await days.prepare([log]);
    assert.deepEqual([days.dayOf(log), requested], ['2026-11-28', []]);
  });

  it('are unknown where the endpoint reports no times, which is found out once', async () => {
    let requests = 0;
    const days = createBlockDays(async () => {
      requests++;
      return undefined;
    });
    await days.prepare([logAt(1n), logAt(9n)]);
    await days.prepare([logAt(11n)]);
    assert.deepEqual([days.dayOf(logAt(1n)), days.dayOf(logAt(11n)), requests], [undefined, undefined, 1]);
  });
});

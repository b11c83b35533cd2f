import assert from 'node:assert/strict';
import { createTimeEstimate } from '../../../../../src/features/logs/results/queryLoad.ts';
import { createThrottle } from '../../../../../src/host/timing.ts';
import { createManualClock } from '../../../../support/clocks.ts';

describe('throttle', () => {
  function setUp() {
    const clock = createManualClock();
    const world = { runs: 0 };
    return { ...clock, world, throttle: createThrottle(() => world.runs++, 200, clock) };
  }

  for (const hour of [0, -3_600_000, 3_600_000]) {
    it(`runs at once, then once for all that is asked in the meantime, also when the clock is set by ${hour} ms`, async () => {
      const { pass, adjust, throttle, world } = setUp();
      throttle.soon();
      adjust(hour);
      for (let time = 0; time < 9; time++) throttle.soon();
      assert.equal(world.runs, 1);
      await pass(199);
      assert.equal(world.runs, 1);
      await pass(1);
      assert.equal(world.runs, 2);
      await pass(1000);
      assert.equal(world.runs, 2);
      throttle.soon();
      assert.equal(world.runs, 3);
    });
  }

  it('runs what may not wait, and does not repeat it', async () => {
    const { pass, throttle, world } = setUp();
    throttle.soon();
    throttle.soon();
    throttle.now();
    assert.equal(world.runs, 2);
    await pass(1000);
    assert.equal(world.runs, 2);
  });

  it('runs with a delay only what has not run by then', async () => {
    const { pass, throttle, world } = setUp();
    throttle.within(50);
    throttle.soon();
    await pass(49);
    assert.equal(world.runs, 0);
    await pass(1);
    assert.equal(world.runs, 1);
    throttle.within(50);
    throttle.now();
    await pass(1000);
    assert.equal(world.runs, 2);
  });

  it('runs no more once it is disposed', async () => {
    const { pass, throttle, world } = setUp();
    throttle.soon();
    throttle.soon();
    throttle.dispose();
    await pass(1000);
    assert.equal(world.runs, 1);
  });
});

describe('time left', () => {
  it('follows the pace of the last ten seconds', () => {
    let now = 0;
    const left = createTimeEstimate(() => now);
    const blocks = 10_000n;
    left.add({ blocksDone: 0n, blocks });
    assert.equal(left.ms(), undefined);
    for (now = 250; now <= 5000; now += 250) left.add({ blocksDone: BigInt(now / 10), blocks });
    now = 5000;
    assert.equal(left.ms(), 95_000);
    for (now = 5250; now <= 20_000; now += 250)
      left.add({ blocksDone: 500n + BigInt(now - 5000) / 5n, blocks });
    assert.equal(left.ms(), 32_500);
  });

  it('is not known while nothing moves', () => {
    let now = 0;
    const left = createTimeEstimate(() => now);
    for (; now <= 4000; now += 500) left.add({ blocksDone: 3n, blocks: 10n });
    assert.equal(left.ms(), undefined);
  });
});

import assert from 'node:assert/strict';
import type { Clock } from '../../../../../src/core/index.ts';
import { createTimeEstimate } from '../../../../../src/features/logs/results/queryLoad.ts';
import { createThrottle } from '../../../../../src/host/timing.ts';

/** A clock that stands still until it is moved. */
function createManualClock() {
  let now = 0;
  let wall = 1_700_000_000_000;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => wall + now,
    elapsed: () => now,
    sleep: (ms, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
  };
  async function move(ms: number): Promise<void> {
    now += ms;
    for (const sleeper of sleepers) {
      if (sleeper.at > now) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
    await Promise.resolve();
    await Promise.resolve();
  }
  function adjust(ms: number): void {
    wall += ms;
  }
  return { clock, move, adjust };
}

describe('throttle', () => {
  it('runs at once, then once for all that is asked in the meantime', async () => {
    const { clock, move } = createManualClock();
    let runs = 0;
    const throttle = createThrottle(() => runs++, 200, clock);
    for (let time = 0; time < 10; time++) throttle.soon();
    assert.equal(runs, 1);
    await move(199);
    assert.equal(runs, 1);
    await move(1);
    assert.equal(runs, 2);
    await move(1000);
    assert.equal(runs, 2);
    throttle.soon();
    assert.equal(runs, 3);
  });

  it('runs what may not wait, and does not repeat it', async () => {
    const { clock, move } = createManualClock();
    let runs = 0;
    const throttle = createThrottle(() => runs++, 200, clock);
    throttle.soon();
    throttle.soon();
    throttle.now();
    assert.equal(runs, 2);
    await move(1000);
    assert.equal(runs, 2);
  });

  it('runs with a delay only what has not run by then', async () => {
    const { clock, move } = createManualClock();
    let runs = 0;
    const throttle = createThrottle(() => runs++, 200, clock);
    throttle.within(50);
    throttle.soon();
    await move(49);
    assert.equal(runs, 0);
    await move(1);
    assert.equal(runs, 1);
    throttle.within(50);
    throttle.now();
    await move(1000);
    assert.equal(runs, 2);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps its pace when the clock is set by ${hour} ms`, async () => {
      const { clock, move, adjust } = createManualClock();
      let runs = 0;
      const throttle = createThrottle(() => runs++, 200, clock);
      throttle.soon();
      adjust(hour);
      throttle.soon();
      await move(199);
      assert.equal(runs, 1);
      await move(1);
      assert.equal(runs, 2);
    });
  }

  it('runs no more once it is disposed', async () => {
    const { clock, move } = createManualClock();
    let runs = 0;
    const throttle = createThrottle(() => runs++, 200, clock);
    throttle.soon();
    throttle.soon();
    throttle.dispose();
    await move(1000);
    assert.equal(runs, 1);
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

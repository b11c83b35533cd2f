import assert from 'node:assert/strict';
import { type Clock, createRequestThrottle, isAppError } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/testClock.ts';

/** A clock that stands still until it is run, then goes from one waiter's time to the next. */
function createTurnedClock() {
  let now = 0;
  const waiting: { readonly at: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    sleep: (ms) => new Promise((wake) => waiting.push({ at: now + ms, wake })),
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  async function runToEnd(): Promise<void> {
    await settle();
    while (waiting.length > 0) {
      now = Math.min(...waiting.map(({ at }) => at));
      for (const { wake } of waiting.splice(0)) wake();
      await settle();
    }
  }
  return { clock, runToEnd };
}

describe('Rate limit', () => {
  it('lets no more than its count through in any window', async () => {
    const { clock, runToEnd } = createTurnedClock();
    const gate = createRequestThrottle({ clock, count: 4, windowMs: 1000 });
    const passes: number[] = [];
    for (let i = 0; i < 14; i++) gate.pass().then(() => passes.push(clock.now()));
    await runToEnd();
    assert.deepEqual(passes, [0, 0, 0, 0, 1000, 1000, 1000, 1000, 2000, 2000, 2000, 2000, 3000, 3000]);
    gate.pass().then(() => passes.push(clock.now()));
    await runToEnd();
    assert.equal(passes.at(-1), 3000);
  });

  it('lets who gives up leave without taking a place', async () => {
    const clock = createTestClock();
    const gate = createRequestThrottle({ clock, count: 1, windowMs: 10_000 });
    await gate.pass();
    const leaving = new AbortController();
    const left = gate.pass({ signal: leaving.signal });
    leaving.abort();
    await assert.rejects(left, (error) => isAppError(error, 'aborted'));
    await gate.pass();
    assert.deepEqual(clock.waits, [10_000]);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps its pace when the clock is set by ${hour} ms`, async () => {
      const clock = createTestClock();
      const gate = createRequestThrottle({ clock, count: 1, windowMs: 1000 });
      await gate.pass();
      clock.adjust(hour);
      await gate.pass();
      assert.deepEqual(clock.waits, [1000]);
    });
  }
});

import assert from 'node:assert/strict';
import { createLimiter, lazy } from '../../../../src/core/index.ts';

describe('what is made late', () => {
  it('is made when it is first asked for, and once for all who ask', async () => {
    let made = 0;
    const get = lazy(async () => ++made);
    assert.equal(made, 0);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get(), 1);
  });

  it('is tried again after a failure, of which all who waited are told', async () => {
    let tries = 0;
    const get = lazy(async () => {
      if (++tries === 1) throw new Error('gone');
      return tries;
    });
    const first = await Promise.allSettled([get(), get()]);
    assert.deepEqual(
      first.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await get(), 2);
  });
});

describe('a limiter', () => {
  it('runs a few tasks at once, the others in order, and none that was cancelled while it waited', async () => {
    const run = createLimiter(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const begin = (number: number, signal?: AbortSignal) =>
      run(
        () => {
          started.push(number);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        { signal },
      );
    const cancelled = new AbortController();
    const tasks = [begin(1), begin(2), begin(3), begin(4)];
    const refused = assert.rejects(begin(5, cancelled.signal), /Cancelled/);
    tasks.push(begin(6));
    cancelled.abort();
    await refused;
    assert.deepEqual(started, [1, 2]);
    for (let at = 0; at < tasks.length; at++) {
      await new Promise(setImmediate);
      ends[at]?.();
    }
    await Promise.all(tasks);
    assert.deepEqual(started, [1, 2, 3, 4, 6]);
    await assert.rejects(
      run(() => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await run(async () => 7), 7);
  });
});

import assert from 'node:assert/strict';
import { createWorkQueue } from '../../../../src/core/base/timeSlices.ts';
import { createTestClock } from '../../../support/clocks.ts';

describe('turns on a shared thread', () => {
  it('go to one caller after the other, with a rest once a slice of time is used up', async () => {
    const events: string[] = [];
    let now = 0;
    const turn = createWorkQueue({
      now: () => now,
      elapsed: () => now,
      sleep: async () => {
        events.push('rest');
      },
    });
    const work = (name: string, ms: number) =>
      turn(() => {
        events.push(name);
        now += ms;
      });
    await Promise.all([work('first', 0), work('second', 5), work('third', 0), work('fourth', 0)]);
    assert.deepEqual(events, ['first', 'second', 'rest', 'third', 'fourth']);
  });

  it('are over when the work is, done or failed', async () => {
    const turn = createWorkQueue(createTestClock());
    const events: string[] = [];
    let fail = () => {};
    const first = new Promise<void>((_resolve, reject) => {
      fail = () => reject(new Error('broken'));
    });
    const asked = [
      turn(() => first),
      turn(() => {
        events.push('second');
        return 2;
      }),
    ];
    await new Promise(setImmediate);
    assert.deepEqual(events, []);
    fail();
    assert.deepEqual(
      (await Promise.allSettled(asked)).map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.deepEqual(events, ['second']);
  });

  it('come first to what goes ahead of all that wait', async () => {
    const turn = createWorkQueue(createTestClock());
    const events: string[] = [];
    const work = (name: string, options = {}) => turn(() => void events.push(name), options);
    await Promise.all([work('first'), work('second'), work('urgent', { ahead: true })]);
    assert.deepEqual(events, ['urgent', 'first', 'second']);
  });
});

import assert from 'node:assert/strict';
import { createTurns } from '../../../../src/core/shared/turns.ts';

describe('turns on a shared thread', () => {
  it('go to one caller after the other, with a rest once a slice of time is used up', async () => {
    const events: string[] = [];
    let now = 0;
    const turn = createTurns({
      now: () => now,
      elapsed: () => now,
      sleep: async () => {
        events.push('rest');
      },
    });
    const work = async (name: string, ms: number) => {
      await turn();
      events.push(name);
      now += ms;
    };
    await Promise.all([work('first', 0), work('second', 5), work('third', 0), work('fourth', 0)]);
    assert.deepEqual(events, ['first', 'second', 'rest', 'third', 'fourth']);
  });
});

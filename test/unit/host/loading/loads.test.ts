import assert from 'node:assert/strict';
import { KeyedLoads } from '../../../../src/host/loading.ts';

function setUp() {
  const changes: string[] = [];
  const figures = new KeyedLoads<string, number>((key) => changes.push(key));
  const reads: { finish(value: number): void; fail(error: Error): void }[] = [];
  const read = () => new Promise<number>((finish, fail) => reads.push({ finish, fail }));
  return { changes, figures, reads, read };
}

describe('Figures on their way to the screen', () => {
  it('are loaded once, whoever asks', async () => {
    const { figures, reads, read, changes } = setUp();
    const loads = [figures.load('a', read), figures.load('a', read, { again: true })];
    assert.deepEqual(figures.get('a'), { state: 'loading', before: undefined });
    reads[0]?.finish(1);
    await Promise.all(loads);
    await figures.load('a', read);
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 1 });
    assert.equal(reads.length, 1);
    assert.deepEqual(changes, ['a', 'a']);
  });

  it('are not asked for again by drawing a failure, only on request; the figure from before stays', async () => {
    const { figures, reads, read } = setUp();
    const first = figures.load('a', read);
    reads[0]?.finish(1);
    await first;
    const second = figures.load('a', read, { again: true });
    const error = new Error('no');
    reads[1]?.fail(error);
    await second;
    assert.deepEqual(figures.get('a'), { state: 'failed', error, before: 1 });
    await figures.load('a', read);
    assert.equal(reads.length, 2);
    const third = figures.load('a', read, { again: true });
    assert.deepEqual(figures.get('a'), { state: 'loading', before: 1 });
    reads[2]?.finish(2);
    await third;
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 2 });
  });

  it('drop an answer that comes after all was forgotten', async () => {
    const { figures, reads, read } = setUp();
    const stale = figures.load('a', read);
    figures.clear();
    const current = figures.load('a', read);
    reads[1]?.finish(2);
    reads[0]?.finish(1);
    await Promise.all([stale, current]);
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 2 });
  });

  it('are due again once they have expired, with what is at hand kept until then', async () => {
    const { figures, reads, read } = setUp();
    const first = figures.load('a', read);
    reads[0]?.finish(1);
    await first;
    figures.expire();
    assert.deepEqual(figures.get('a'), { state: 'idle', before: 1 });
    const stale = figures.load('a', read);
    figures.expire();
    const current = figures.load('a', read);
    reads[1]?.finish(2);
    await stale;
    assert.deepEqual(figures.get('a'), { state: 'loading', before: 1 });
    reads[2]?.finish(3);
    await current;
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 3 });
  });
});

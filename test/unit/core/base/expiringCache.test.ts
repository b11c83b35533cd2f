import assert from 'node:assert/strict';
import { createExpiringCache, isAppError } from '../../../../src/core/index.ts';

function setUp(maxEntries = 10) {
  let now = 0;
  let wall = 1_700_000_000_000;
  const clock = { now: () => wall + now, elapsed: () => now, sleep: () => Promise.resolve() };
  const cache = createExpiringCache<string>({ clock, ttlMs: 100, maxEntries });
  const loads: { key: string; signal: AbortSignal; finish(value: string): void; fail(error: Error): void }[] =
    [];
  const get = (key: string, options?: { signal?: AbortSignal; fresh?: boolean }) =>
    cache.get(
      key,
      (signal) => new Promise((finish, fail) => loads.push({ key, signal, finish, fail })),
      options,
    );
  const keep = async (key: string) => {
    const answer = get(key);
    loads.at(-1)?.finish(key);
    await answer;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  const adjust = (ms: number) => {
    wall += ms;
  };
  return { cache, loads, get, keep, pass, adjust };
}

const aborted = (error: unknown) => isAppError(error, 'aborted');

describe('Expiring cache', () => {
  it('gives one load to all who ask while it runs and for a time after', async () => {
    const { loads, get, pass } = setUp();
    const asked = [get('a'), get('a'), get('a', { fresh: true })];
    loads[0]?.finish('one');
    assert.deepEqual(await Promise.all(asked), ['one', 'one', 'one']);
    pass(99);
    assert.equal(await get('a'), 'one');
    assert.equal(loads.length, 1);
  });

  it('loads again after that time, when asked for a fresh answer, and when cleared', async () => {
    const { cache, loads, get, keep, pass } = setUp();
    await keep('a');
    pass(100);
    await keep('a');
    assert.equal(loads.length, 2);
    const fresh = get('a', { fresh: true });
    loads[2]?.finish('new');
    assert.equal(await fresh, 'new');
    assert.equal(await get('a'), 'new');
    cache.clear();
    await keep('a');
    assert.equal(loads.length, 4);
  });

  it('gives a failure to all who wait for it and keeps it for no one', async () => {
    const { loads, get, keep } = setUp();
    const asked = [get('a'), get('a')];
    loads[0]?.fail(new Error('down'));
    for (const answer of asked) await assert.rejects(answer, /down/);
    await keep('a');
    assert.equal(await get('a'), 'a');
    assert.equal(loads.length, 2);
  });

  it('stops a load when the last who asked has left, and not before', async () => {
    const { loads, get } = setUp();
    const first = new AbortController();
    const second = new AbortController();
    const left = get('a', { signal: first.signal });
    const stayed = get('a', { signal: second.signal });
    first.abort();
    await assert.rejects(left, aborted);
    assert.equal(loads[0]?.signal.aborted, false);
    second.abort();
    await assert.rejects(stayed, aborted);
    assert.equal(loads[0]?.signal.aborted, true);
    const again = get('a');
    loads[0]?.fail(new Error('stopped'));
    loads[1]?.finish('new');
    assert.equal(await again, 'new');
    assert.equal(await get('a'), 'new');
  });

  it('does not load for who has left before', async () => {
    const { loads, get } = setUp();
    await assert.rejects(get('a', { signal: AbortSignal.abort() }), aborted);
    assert.equal(loads.length, 0);
  });

  it('forgets the oldest answers over its bound', async () => {
    const { loads, get, keep } = setUp(2);
    for (const key of ['a', 'b', 'c']) await keep(key);
    assert.equal(await get('b'), 'b');
    assert.equal(await get('c'), 'c');
    assert.equal(loads.length, 3);
    await keep('a');
    assert.deepEqual(
      loads.map(({ key }) => key),
      ['a', 'b', 'c', 'a'],
    );
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps an answer as long when the clock is set by ${hour} ms`, async () => {
      const { loads, get, keep, pass, adjust } = setUp();
      await keep('a');
      adjust(hour);
      pass(99);
      assert.equal(await get('a'), 'a');
      assert.equal(loads.length, 1);
      pass(1);
      void get('a');
      assert.equal(loads.length, 2);
    });
  }
});

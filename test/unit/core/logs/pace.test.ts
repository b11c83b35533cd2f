import assert from 'node:assert/strict';
import { createWaits, systemClock } from '../../../../src/core/index.ts';
import { createPace } from '../../../../src/core/logs/server/pace.ts';
import { createTestClock } from '../../../support/testClock.ts';

const good = { status: 200, headers: new Headers() };
const refusal = { status: 429, headers: new Headers() };

function paceAfter(times: readonly number[]) {
  const pace = createPace(createTestClock());
  for (const ms of times) pace.observe(good, ms);
  return pace;
}

const repeat = (ms: number, count: number) => new Array<number>(count).fill(ms);

describe('pace of requests', () => {
  it('grows by one for each good answer, to its bound', () => {
    const first = paceAfter([]).limit;
    assert.equal(paceAfter(repeat(50, 3)).limit, first + 3);
    assert.equal(paceAfter(repeat(50, 500)).limit, 24);
  });

  it('gives back what only makes answers wait in line, but not below where it began', () => {
    const first = paceAfter([]).limit;
    const grown = paceAfter(repeat(2, 100));
    for (const ms of repeat(100, 50)) grown.observe(good, ms);
    assert.ok(grown.limit < 24 && grown.limit >= first, String(grown.limit));
    for (const ms of repeat(100, 1000)) grown.observe(good, ms);
    assert.equal(grown.limit, first);
  });

  it('does not take a server for strained whose head comes much sooner than its logs', () => {
    const pace = paceAfter([]);
    pace.observe(good, undefined);
    for (const ms of repeat(800, 100)) pace.observe(good, ms);
    assert.equal(pace.limit, 24);
  });

  it('halves at a refusal, and then grows by one for a whole round of answers', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(refusal, undefined);
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 12)) pace.observe(good, ms);
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 2)) pace.observe(good, ms);
    assert.equal(pace.limit, 13);
  });

  it('halves at an answer that is slow beside the quickest', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(good, 5000);
    assert.equal(pace.limit, 12);
  });
});

describe('pace that a server asks for', () => {
  const { signal } = new AbortController();
  const answer = (status: number, headers: Record<string, string>) => ({
    status,
    headers: new Headers(headers),
  });
  const usedUp = (ms: number | string) =>
    answer(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(ms) });

  it('holds for up to a minute', async () => {
    const clock = createTestClock();
    const pace = createPace(clock);
    pace.observe(usedUp(900), 50);
    await pace.ready(signal);
    pace.observe(answer(429, { 'retry-after': '60' }), undefined);
    await pace.ready(signal);
    await pace.ready(signal);
    assert.deepEqual(clock.waits, [900, 60_000]);
  });

  for (const ms of ['60001', '315360000000', '1e15', '1e400', 'Infinity']) {
    it(`does not wait ${ms} ms, says so, and asks again when it is begun anew`, async () => {
      const clock = createTestClock();
      const pace = createPace(clock);
      pace.observe(usedUp(ms), 50);
      const error = { kind: 'rateLimited', message: /^The server asks to wait .* (?:seconds|years)\.$/ };
      await assert.rejects(pace.ready(signal), error);
      await assert.rejects(pace.ready(signal), error);
      pace.beginAnew();
      await pace.ready(signal);
      assert.deepEqual(clock.waits, []);
    });
  }

  it('says of a 503 that the server is not available', async () => {
    const pace = createPace(createTestClock());
    pace.observe(answer(503, { 'retry-after': '315360000' }), undefined);
    await assert.rejects(pace.ready(signal), { kind: 'unavailable', message: /10 years/ });
  });

  it('takes no number that is none for a wish', async () => {
    const clock = createTestClock();
    const pace = createPace(clock);
    for (const ms of ['-1', '0', 'NaN', '', 'soon', '-Infinity']) pace.observe(usedUp(ms), 50);
    await pace.ready(signal);
    assert.deepEqual(clock.waits, []);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`holds as long when the clock is set by ${hour} ms`, async () => {
      const clock = createTestClock();
      const pace = createPace(clock);
      pace.observe(usedUp(5000), 50);
      clock.adjust(hour);
      await pace.ready(signal);
      assert.deepEqual(clock.waits, [5000]);
    });
  }

  it('lets everyone go who waits when the wait is skipped, also after it was prolonged', async () => {
    const waits = createWaits(systemClock);
    const pace = createPace(systemClock, waits.wait);
    pace.observe(usedUp(30_000), 50);
    const held = [pace.ready(signal), pace.ready(signal)];
    pace.observe(usedUp(60_000), 50);
    held.push(pace.ready(signal));
    waits.skip();
    await Promise.all(held);
    await pace.ready(signal);
    assert.equal(waits.told, undefined);
  });

  it('ends the hold of whoever cancels', async () => {
    const cancel = new AbortController();
    const pace = createPace(systemClock);
    pace.observe(usedUp(60_000), 50);
    const held = pace.ready(cancel.signal);
    cancel.abort();
    await assert.rejects(held, { kind: 'aborted' });
  });
});

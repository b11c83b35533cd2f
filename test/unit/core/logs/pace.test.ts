import assert from 'node:assert/strict';
import { AppError } from '../../../../src/core/index.ts';
import { createConcurrency } from '../../../../src/core/logs/engine/limits.ts';
import { createTestClock } from '../../../support/testClock.ts';

const headers = new Headers();
const good = (ms: number | undefined) => ({ status: 200, headers, ms });
const refusal = { status: 429, headers, ms: undefined };

function paceAfter(times: readonly number[]) {
  const pace = createConcurrency(createTestClock());
  for (const ms of times) pace.observe(good(ms));
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
    for (const ms of repeat(100, 50)) grown.observe(good(ms));
    assert.ok(grown.limit < 24 && grown.limit >= first, String(grown.limit));
    for (const ms of repeat(100, 1000)) grown.observe(good(ms));
    assert.equal(grown.limit, first);
  });

  it('does not take a server for strained whose head comes much sooner than its logs', () => {
    const pace = paceAfter([]);
    pace.observe(good(undefined));
    for (const ms of repeat(800, 100)) pace.observe(good(ms));
    assert.equal(pace.limit, 24);
  });

  it('halves at a refusal, and then grows by one for a whole round of answers', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(refusal);
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 12)) pace.observe(good(ms));
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 2)) pace.observe(good(ms));
    assert.equal(pace.limit, 13);
  });

  it('halves at an answer that is slow beside the quickest', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(good(5000));
    assert.equal(pace.limit, 12);
  });
});

describe('pace that a server asks for', () => {
  const answer = (status: number, headers: Record<string, string>) => ({
    ...{ status, headers: new Headers(headers), ms: undefined },
  });
  const usedUp = (ms: number | string) =>
    answer(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(ms) });

  it('halves at a rate limit that comes as a good answer, and does not take it for a quick one', () => {
    const pace = paceAfter(repeat(50, 100));
    const error = new AppError('rateLimited', 'Over rate limit.', { code: -32016 });
    pace.observe({ ...good(1), error });
    assert.equal(pace.limit, 12);
    for (const ms of repeat(110, 12)) pace.observe(good(ms));
    assert.equal(pace.limit, 12);
  });

  for (const ms of ['60001', '315360000000', '1e15', '1e400', 'Infinity']) {
    it(`ends at a wait of ${ms} ms, says so, and asks again when it is begun anew`, () => {
      const pace = createConcurrency(createTestClock());
      pace.observe(usedUp(ms));
      const error = { kind: 'rateLimited', message: /^The server asks to wait .* (?:seconds|years)\.$/ };
      assert.throws(() => pace.requireLeave(), error);
      assert.throws(() => pace.requireLeave(), error);
      pace.beginAnew();
      pace.requireLeave();
    });
  }

  it('says of a 503 that the server is not available', () => {
    const pace = createConcurrency(createTestClock());
    pace.observe(answer(503, { 'retry-after': '315360000' }));
    assert.throws(() => pace.requireLeave(), { kind: 'unavailable', message: /10 years/ });
  });

  it('leaves a wait of up to a minute to the gate', () => {
    const pace = createConcurrency(createTestClock());
    pace.observe(answer(429, { 'retry-after': '60' }));
    pace.requireLeave();
  });
});

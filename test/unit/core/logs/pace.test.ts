import assert from 'node:assert/strict';
import { createPace } from '../../../../src/core/logs/pace.ts';
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

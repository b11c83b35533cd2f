import assert from 'node:assert/strict';
import { type Judgement, judge } from '../../../../src/core/base/judgement.ts';
import { ownText } from '../../../../src/core/base/ownText.ts';
import { toCompletion } from '../../../../src/core/operations/result.ts';

describe('judgement of a result', () => {
  const judgeWith = (state: 'complete' | 'more', ...reasons: readonly string[]) =>
    judge<'more' | 'uncertain', string>({ state, otherwise: 'uncertain', reasons });

  it('is complete only without a reason against it', () => {
    assert.deepEqual(judgeWith('complete'), { state: 'complete', reasons: [] });
    assert.deepEqual(judgeWith('complete', 'A page is missing.'), {
      state: 'uncertain',
      reasons: ['A page is missing.'],
    });
    assert.deepEqual(judgeWith('more'), { state: 'more', reasons: [] });
    // @ts-expect-error A complete result is made by `judge` alone.
    const made: Judgement<'uncertain', string> = { state: 'complete', reasons: [] };
    assert.ok(made);
  });

  it('is the same for agents', () => {
    const reason = ownText`A row could not be decoded.`;
    assert.deepEqual(toCompletion(true), { complete: true, reasons: [] });
    assert.deepEqual(toCompletion(true, [reason]), { complete: 'unknown', reasons: [reason] });
    assert.deepEqual(toCompletion(false, [reason]), { complete: false, reasons: [reason] });
  });
});

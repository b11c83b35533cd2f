import { isRangeReached, reasonsInWords, type Verdict } from '../logs/query/verdict.ts';
import type { AnswerDigest } from './digestAnswer.ts';
import type { Expectation } from './question.ts';

/**
 * What became of a question. `ok`: the answer is complete, and as expected where something is. `differs`: it is complete,
 * and otherwise. `incomplete`: nobody can say.
 */
export interface Judgement {
  readonly state: 'ok' | 'differs' | 'incomplete';
  /** In English, without an end: for the headless runner. */
  readonly reasons: readonly string[];
  /** What is otherwise. */
  readonly different: readonly (keyof Expectation)[];
}

/**
 * Holds an answer against what was expected of it. One whose range the server has not reached is not complete here: the
 * rest may bring rows.
 *
 * @example judgeAnswer({ count: 2, sha256, verdict }, { count: 3 }).state; // 'differs'
 */
export function judgeAnswer({ count, sha256, verdict }: AnswerDigest, expect: Expectation = {}): Judgement {
  const lacking = lackingOf(verdict);
  if (lacking.length > 0) return { state: 'incomplete', reasons: lacking, different: [] };
  const reasons: string[] = [];
  const different: (keyof Expectation)[] = [];
  if (expect.count !== undefined && expect.count !== count) {
    different.push('count');
    reasons.push(`${count} logs, ${expect.count} expected`);
  }
  if (expect.sha256 !== undefined && expect.sha256 !== sha256) {
    different.push('sha256');
    reasons.push('the rows are others than expected');
  }
  return { state: different.length > 0 ? 'differs' : 'ok', reasons, different };
}

function lackingOf(verdict: Verdict): readonly string[] {
  if (verdict.state === 'complete' && isRangeReached(verdict)) return [];
  const told = reasonsInWords(verdict);
  return verdict.state === 'more' ? [...told, 'there are more logs than are read'] : told;
}

import { isRangeReached, reasonsInWords, type Verdict } from '../../logs/query/verdict.ts';
import { isoTime } from '../../times/timeText.ts';
import type { JsonObject } from '../kit/answer.ts';

/**
 * What a verdict makes of an answer that was read to its end. Of blocks that are still to be mined nobody knows.
 *
 * @example const complete = completeBy(verdict);
 */
export function completeBy(verdict: Verdict): boolean | 'unknown' {
  if (verdict.state === 'complete') return isRangeReached(verdict);
  return verdict.state === 'more' ? false : 'unknown';
}

/**
 * Why an answer is not complete, or what is to be known about it, in English.
 *
 * @example const reasons = reasonsOf(verdict);
 */
export function reasonsOf(verdict: Verdict): readonly string[] {
  const { found, toBlock } = verdict;
  const later = found?.to?.outside === 'afterHead' ? isoTime(found.to.asked) : undefined;
  const words =
    later === undefined ? [] : [`the chain has not come to ${later} yet: this is through block ${toBlock}`];
  return [...reasonsInWords(verdict), ...words];
}

/** The blocks that were asked for, as they were resolved. */
export function rangeOf({ fromBlock, toBlock }: Verdict): JsonObject {
  return { from: fromBlock.toString(), to: toBlock.toString() };
}

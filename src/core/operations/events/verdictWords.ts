import type { Verdict } from '../../logs/query/verdict.ts';
import { verdictToJson } from '../../logs/query/verdictJson.ts';
import type { JsonObject } from '../kit/answer.ts';

/** What a verdict makes of an answer that was read to its end. */
export function completeBy(verdict: Verdict): boolean | 'unknown' {
  if (verdict.state === 'complete') return true;
  return verdict.state === 'more' ? false : 'unknown';
}

export function reasonsOf(verdict: Verdict): readonly string[] {
  return verdictToJson(verdict).reasons;
}

/** The blocks that were asked for, as they were resolved. */
export function rangeOf({ fromBlock, toBlock }: Verdict): JsonObject {
  return { from: fromBlock.toString(), to: toBlock.toString() };
}

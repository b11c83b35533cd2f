import { directionOf } from '../logs/query/direction.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { lesser } from '../values/lesser.ts';

/**
 * What several queries over one range, in one order, are worth together: what the least of them is.
 *
 * @param unasked queries that are still to come.
 * @example
 * joinVerdicts([complete, uncertain], 0).state; // 'uncertain'
 */
export function joinVerdicts(verdicts: readonly [Verdict, ...Verdict[]], unasked: number): Verdict {
  const [first] = verdicts;
  const has = (state: Verdict['state']) => verdicts.some((verdict) => verdict.state === state);
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  const { nearer } = directionOf(first.order);
  const nearerIfKnown = (a: bigint | undefined, b: bigint | undefined) =>
    a === undefined || b === undefined ? undefined : nearer(a, b);
  return {
    state: unasked > 0 || has('more') ? 'more' : has('uncertain') ? 'uncertain' : 'complete',
    reasons: verdicts.flatMap(({ reasons }) => reasons),
    fromBlock: first.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(lesser),
    head: verdicts.map(({ head }) => head).reduce(lesser),
    order: first.order,
    readThrough: unasked > 0 ? undefined : readThroughs.reduce(nearerIfKnown),
    rows: verdicts.reduce((sum, { rows }) => sum + rows, 0),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  };
}

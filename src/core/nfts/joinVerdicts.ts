import type { Verdict } from '../logs/query/verdict.ts';
import { lesser } from '../values/lesser.ts';

/**
 * What several queries over one range are worth together: what the least of them is.
 *
 * @param unasked queries that are still to come.
 * @example
 * joinVerdicts([complete, uncertain], 0).state; // 'uncertain'
 */
export function joinVerdicts(verdicts: readonly [Verdict, ...Verdict[]], unasked: number): Verdict {
  const [first] = verdicts;
  const has = (state: Verdict['state']) => verdicts.some((verdict) => verdict.state === state);
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  return {
    state: unasked > 0 || has('more') ? 'more' : has('uncertain') ? 'uncertain' : 'complete',
    reasons: verdicts.flatMap(({ reasons }) => reasons),
    fromBlock: first.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(lesser),
    head: verdicts.map(({ head }) => head).reduce(lesser),
    readThrough: unasked > 0 ? undefined : readThroughs.reduce(lesserIfKnown),
    rows: verdicts.reduce((sum, { rows }) => sum + rows, 0),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  };
}

function lesserIfKnown(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || b === undefined ? undefined : lesser(a, b);
}

import { type LogProof, type SecondOpinion, type Verdict, withProof } from '../../../core/index.ts';

/**
 * The verdict on a result with what a proof and a second opinion say about it: either can be a reason against it, and
 * none makes it more complete. A result with more pages stays one.
 */
export function judgeResult(
  verdict: Verdict,
  { proof, opinion }: { readonly proof: LogProof | undefined; readonly opinion: SecondOpinion | undefined },
): Verdict {
  const proven = proof ? withProof(verdict, proof) : verdict;
  const { reasons } = proven;
  const judged: Verdict =
    opinion?.state === 'differ'
      ? {
          ...proven,
          state: 'uncertain',
          reasons: [...reasons, { code: 'otherLogsElsewhere', block: opinion.fromBlock }],
        }
      : proven;
  return verdict.state === 'more' ? { ...judged, state: 'more', reasons: judged.reasons } : judged;
}

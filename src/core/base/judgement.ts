/** Only {@link judge} makes one, so nothing is `complete` with a reason against it. */
declare const isJudged: unique symbol;

/** How much of what was wanted a result has, and every reason why it may be less than all. */
export type Judgement<Other extends string, Reason> =
  | { readonly state: 'complete'; readonly reasons: readonly []; readonly [isJudged]: true }
  | { readonly state: Exclude<Other, 'complete'>; readonly reasons: readonly Reason[] };

/**
 * Judges a result by its reasons.
 *
 * @param state what the result would be without reasons.
 * @param otherwise what a result that would be complete is with reasons.
 * @example judge({ state: 'complete', otherwise: 'uncertain', reasons: ['A page is missing.'] }).state // 'uncertain'
 */
export function judge<Other extends string, Reason>({
  state,
  otherwise,
  reasons,
}: {
  readonly state: Other | 'complete';
  readonly otherwise: Exclude<Other, 'complete'>;
  readonly reasons: readonly Reason[];
}): Judgement<Other, Reason> {
  if (state !== 'complete') return { state: state as Exclude<Other, 'complete'>, reasons };
  if (reasons.length > 0) return { state: otherwise, reasons };
  return { state, reasons: [] } as unknown as Judgement<Other, Reason>;
}

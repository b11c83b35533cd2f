import type { Address, Clock } from '../../../core/index.ts';
import type { Outcome } from '../../../host/loading/readWithin.ts';

/** A figure from before, with the elapsed time of the clock when it was read. */
interface LastFigure<T> {
  readonly value: T;
  readonly readElapsed: number;
}

/** What there is of a figure; after a failure, or while it is awaited, the one from before. */
export type HoveredFigure<T> = Outcome<T> & { readonly before?: LastFigure<T> | undefined };

/** The last figure of each address, for when a new one does not come. */
export interface LastFigures<T> {
  with(address: Address, outcome: Outcome<T>): HoveredFigure<T>;
  clear(): void;
}

const MOST_KEPT = 500;

/** @param answerOf the answer that a figure has, the same while it is kept; undefined for one that is none to be kept. */
export function createLastFigures<T>(clock: Clock, answerOf: (value: T) => unknown): LastFigures<T> {
  const kept = new Map<Address, LastFigure<T>>();
  return {
    with(address, outcome) {
      const before = kept.get(address);
      if (outcome.state !== 'ready') return { ...outcome, before };
      const answer = answerOf(outcome.value);
      if (answer === undefined || (before && answerOf(before.value) === answer)) return outcome;
      kept.delete(address);
      kept.set(address, { value: outcome.value, readElapsed: clock.elapsed() });
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return outcome;
    },
    clear: () => kept.clear(),
  };
}

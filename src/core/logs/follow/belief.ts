import type { Clock } from '../../base/clock.ts';

/** How long a machine that tells of fewer blocks than are known is taken for one that is behind. */
export interface Patience {
  /** Times that it is told, one after another. */
  readonly times: number;
  /** Milliseconds from the first to the last of them. */
  readonly ms: number;
}

/** What is told against what is known: a chain that became shorter, or rows that are gone by the word of a machine behind. */
type Told = 'lower' | 'taken';

export interface Belief {
  /** It is told once more. @returns whether it is to be believed by now. */
  of(told: Told): boolean;
  /** The contrary is told. */
  drop(told: Told): void;
}

export function createBelief(clock: Clock, { times, ms }: Patience): Belief {
  const heard = new Map<Told, { readonly since: number; count: number }>();
  return {
    of(told) {
      const known = heard.get(told) ?? { since: clock.elapsed(), count: 0 };
      heard.set(told, known);
      known.count++;
      return known.count >= times && clock.elapsed() - known.since >= ms;
    },
    drop(told) {
      heard.delete(told);
    },
  };
}

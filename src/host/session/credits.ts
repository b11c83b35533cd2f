import type { RemainingCredits } from '../../core/index.ts';

/** What servers have said last of the credits that are left of a key, by origin. */
export interface Credits {
  note(left: RemainingCredits): void;
  /** Of the server at a URL; undefined where it has not said. */
  of(url: string): number | undefined;
}

/** A gateway takes 20 for most requests: so few are gone within the hour. */
export const FEW_CREDITS = 2000;
const MOST_ORIGINS = 100;

export function createCredits(): Credits {
  const byOrigin = new Map<string, number>();
  return {
    note({ origin, credits }) {
      if (byOrigin.size < MOST_ORIGINS || byOrigin.has(origin)) byOrigin.set(origin, credits);
    },
    of: (url) => (URL.canParse(url) ? byOrigin.get(new URL(url).origin) : undefined),
  };
}

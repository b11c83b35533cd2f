import {
  createOriginGates,
  type HttpDeps,
  type HttpExchange,
  type RemainingCredits,
  systemClock,
} from '../../core/index.ts';

/** What servers have said last of the credits that are left of a key, by origin. */
export interface Credits {
  note(left: RemainingCredits): void;
  /** Of the server at a URL; undefined where it has not said. */
  of(url: string): number | undefined;
}

/** A gateway takes 20 for most requests: so few are gone within the hour. */
export const LOW_CREDITS = 2000;
const MAX_ORIGINS = 100;

export function createCredits(): Credits {
  const byOrigin = new Map<string, number>();
  return {
    note({ origin, credits }) {
      if (byOrigin.size < MAX_ORIGINS || byOrigin.has(origin)) byOrigin.set(origin, credits);
    },
    of: (url) => (URL.canParse(url) ? byOrigin.get(new URL(url).origin) : undefined),
  };
}

/**
 * HTTP through the editor's own `fetch`, which honours `http.proxy` and the system's certificates. Looked up at each
 * call: the editor puts its version in place after an extension has started.
 */
export function createHttp(
  onExchange: (exchange: HttpExchange) => void,
  onCredits?: (left: RemainingCredits) => void,
): HttpDeps {
  const gates = createOriginGates(systemClock);
  return { fetch: (...args) => globalThis.fetch(...args), clock: systemClock, gates, onExchange, onCredits };
}

import {
  createOriginGates,
  type FetchLike,
  type HttpDeps,
  type HttpExchange,
  type RemainingCredits,
  systemClock,
} from '../../core/index.ts';
import { isWebHost } from '../webHost.ts';

/**
 * HTTP through the editor's `fetch`, which honours `http.proxy` and the system's certificates. It is looked up on
 * each call, because the editor installs it after an extension has started.
 */
export function createHttp(
  onExchange: (exchange: HttpExchange) => void,
  onCredits?: (left: RemainingCredits) => void,
): HttpDeps {
  const gates = createOriginGates(systemClock);
  const fetch: FetchLike = isWebHost
    ? async (...args) => (await import('./pageFetch.ts')).pageFetch(...args)
    : (...args) => globalThis.fetch(...args);
  return { fetch, clock: systemClock, gates, onExchange, onCredits };
}

/** A key's remaining credits as last reported by servers, by origin. */
export interface Credits {
  note(left: RemainingCredits): void;
  /** The credits at the origin of a URL; undefined where none were reported. */
  of(url: string): number | undefined;
}

/** Blockscout's gateway charges 20 for most requests, so that these are used up within an hour. */
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

import {
  createOriginGates,
  type HttpDeps,
  type HttpExchange,
  type RemainingCredits,
  systemClock,
} from '../../core/index.ts';

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

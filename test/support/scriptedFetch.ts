import type { FetchLike } from '../../src/core/index.ts';

/** An answer as a test writes it: JSON under status 200, or a whole response. */
export type ScriptedAnswer = Response | object | string | null;

/**
 * A `fetch` whose answers `answer` gives by path and query; what it throws is a failure of the network. Notes what was
 * asked.
 */
export function scriptedFetch(answer: (path: string, url: URL) => ScriptedAnswer): {
  readonly fetch: FetchLike;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (target, { signal }) => {
      signal.throwIfAborted();
      const url = new URL(target);
      asked.push(url.pathname + url.search);
      const given = answer(url.pathname, url);
      return given instanceof Response ? given : Response.json(given);
    },
  };
}

import type { IdentityJson } from '../../identity/identityJson.ts';
import type { Json, JsonObject } from './answer.ts';
import { chainText } from './chainValues.ts';

/** Parts that hold names which strangers gave. */
const NAMES: readonly string[] = ['name', 'symbol'];
/** What a chain of proxies nests at most. */
const MOST_DEPTH = 8;
const MOST_SOURCES = 4;

/** What is at an address, with names marked as data. */
export function identityForAgent({ kind, token, proxy, created, sources }: IdentityJson): JsonObject {
  return {
    kind,
    token: marked(token as Json),
    proxy: marked(proxy as unknown as Json),
    created: marked(created as Json),
    asked: sources
      .slice(0, MOST_SOURCES)
      .map(({ name, gap }) => ({ source: name ?? null, ...(gap && { gap }) })),
  };
}

function marked(json: Json | undefined, depth = 0): Json {
  if (json === undefined || depth > MOST_DEPTH) return null;
  if (Array.isArray(json)) return json.map((item) => marked(item, depth + 1));
  if (typeof json !== 'object' || json === null) return json;
  const parts = Object.entries(json).map(([key, value]): [string, Json] => {
    if (NAMES.includes(key) && typeof value === 'string') return [key, chainText(value)];
    return [key, marked(value as Json, depth + 1)];
  });
  return Object.fromEntries(parts);
}

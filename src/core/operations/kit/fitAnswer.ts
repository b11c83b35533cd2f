import type { Json, JsonObject } from './answer.ts';

/** Bytes of everything that an answer is sent with: by MCP it goes as JSON, and once more as text of that JSON. */
export const MOST_ANSWER_BYTES = 16 * 1024;
/** Of what stands around both. */
const FRAME_BYTES = 256;
/** Each takes half of the longest part away: a megabyte has become nothing after fewer. */
const MOST_CUTS = 400;
const SHORTEST_TEXT = 64;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/**
 * Bytes that an answer takes, both forms of it counted.
 *
 * @example sentBytes({}) // 262
 */
export function sentBytes(answer: Json): number {
  const json = JSON.stringify(answer);
  return bytesOf(json) + bytesOf(JSON.stringify(json)) + FRAME_BYTES;
}

/**
 * The answer if it fits, else with its longest lists and texts cut until it does, and `truncated`.
 *
 * @example fitAnswer({ rows: [1, 2] }) // { rows: [1, 2] }
 */
export function fitAnswer<T extends JsonObject>(answer: T, most = MOST_ANSWER_BYTES): T {
  if (sentBytes(answer) <= most) return answer;
  let cut: Json = { ...answer, truncated: true };
  for (let step = 0; step < MOST_CUTS && sentBytes(cut) > most; step++) cut = cutLongest(cut);
  return cut as T;
}

type Path = readonly (string | number)[];

function cutLongest(json: Json): Json {
  const { path } = longestPart(json, []);
  return path === undefined ? json : replaceAt(json, path);
}

/** The list or text, or object of many keys, that takes the most; of one within another the inner one if that is most of it. */
function longestPart(json: Json, at: Path): { readonly size: number; readonly path: Path | undefined } {
  if (typeof json === 'string') {
    return { size: json.length, path: json.length > SHORTEST_TEXT ? at : undefined };
  }
  if (typeof json !== 'object' || json === null) return { size: 5, path: undefined };
  const isList = Array.isArray(json);
  const parts = Object.entries(json).map(([key, value]) => {
    const part = longestPart(value as Json, [...at, isList ? Number(key) : key]);
    return { ...part, size: part.size + (isList ? 1 : key.length + 4) };
  });
  const size = parts.reduce((sum, part) => sum + part.size, 2);
  const longest = parts.reduce<(typeof parts)[number] | undefined>(
    (best, part) => (part.path && part.size > (best?.size ?? 0) ? part : best),
    undefined,
  );
  const mayCut = at.length > 0 && parts.length > 1;
  if (longest && (!mayCut || longest.size * 2 > size)) return { size, path: longest.path };
  return { size, path: mayCut ? at : longest?.path };
}

function replaceAt(json: Json, [key, ...rest]: Path): Json {
  if (key === undefined) return half(json);
  if (Array.isArray(json)) return json.map((item, place) => (place === key ? replaceAt(item, rest) : item));
  const object = json as JsonObject;
  return { ...object, [key]: replaceAt(object[key] ?? null, rest) };
}

function half(json: Json): Json {
  if (typeof json === 'string') {
    const kept = [...json].slice(0, Math.floor(json.length / 2)).join('');
    return kept.endsWith('…') ? kept : `${kept}…`;
  }
  if (Array.isArray(json)) return json.slice(0, Math.floor(json.length / 2));
  const entries = Object.entries(json as JsonObject);
  return { ...Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2))), truncated: true };
}

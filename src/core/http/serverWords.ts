/** What is kept of a server's words, in UTF-16 code units: more than any reason takes, less than any search minds. */
export const MOST_WORDS = 2048;

const MOST_ENTRIES = 16;

/**
 * The beginning of what a server says, at most {@link MOST_WORDS} long. Every text of a server passes here before
 * anything looks at it. Does not end within a surrogate pair, and does not hold on to the text that it is cut from.
 */
export function serverWords(text: string): string {
  if (text.length <= MOST_WORDS) return text;
  const last = text.charCodeAt(MOST_WORDS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  // A mere slice would keep the whole text in memory.
  return text
    .slice(0, splitsPair ? MOST_WORDS - 1 : MOST_WORDS)
    .split('')
    .join('');
}

/**
 * What is kept of the `data` of a JSON-RPC error: a text, number or flag, or the first of those in an object, its
 * texts cut as {@link serverWords} does. Undefined for all else.
 */
export function serverData(data: unknown): unknown {
  if (isPlain(data)) return cutPlain(data);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const kept: Record<string, unknown> = {};
  let entries = 0;
  for (const key in data) {
    if (entries++ === MOST_ENTRIES) break;
    const value: unknown = (data as Record<string, unknown>)[key];
    if (isPlain(value) && Object.hasOwn(data, key)) kept[serverWords(key)] = cutPlain(value);
  }
  return kept;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function cutPlain(value: string | number | boolean) {
  return typeof value === 'string' ? serverWords(value) : value;
}

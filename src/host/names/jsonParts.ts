/** A member of an object or an item of a list, as it stands in the text. */
interface JsonPart {
  /** Of a member of an object. */
  readonly key: string | undefined;
  /** Of the value. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\s]/;

/**
 * Where the parts of the object or list stand whose bracket is at `open`, in a text that is known to be JSON. Each
 * character is looked at once.
 */
export function jsonParts(text: string, open: number): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  const isObject = text[open] === '{';
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | undefined;
    if (isObject) {
      const end = endOfValue(text, at);
      key = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = endOfValue(text, at);
    parts.push({ key, start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return parts;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.test(text[at] ?? '')) at++;
  return at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (sign === '{' || sign === '[') depth++;
    const closes = sign === '}' || sign === ']';
    if (depth === 0 && (closes || sign === ',' || SPACE.test(sign))) return at;
    at++;
    if (closes && --depth === 0) return at;
  }
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

import { brokenJson, type JsonSpan, parseSpan, tooDeep } from './parse.ts';

export interface JsonMember extends JsonSpan {
  readonly name: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Levels of a value that is passed over: syntax trees of sources have some hundreds. */
const DEEPEST = 10_000;
/** Of the longest number, and more than that. */
const LONGEST_WORD = 400;

/**
 * The members of the object that begins at `from`, one after the other: what lies behind the last that is asked for is never
 * looked at. Values are passed over, not checked; {@link parseSpan} does that for those that are wanted.
 *
 * @throws AppError `badInput` where the text is no object, ends within it, or has a value too deep to be one of a tool.
 */
export function* membersOf(text: string, from = 0): Generator<JsonMember, void> {
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_OBJECT) throw brokenJson(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) throw brokenJson(at);
    const nameEnd = endOfString(text, at);
    const name = parseName(text, at, nameEnd);
    const colon = skipBlank(text, nameEnd);
    if (text.charCodeAt(colon) !== COLON) throw brokenJson(colon);
    const begin = skipBlank(text, colon + 1);
    const to = endOfValue(text, begin);
    yield { name, from: begin, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_OBJECT) return;
    if (next !== COMMA) throw brokenJson(at);
    at = skipBlank(text, at + 1);
  }
}

/** The elements of the list that begins at `from`, as {@link membersOf} gives members. */
export function* elementsOf(text: string, from = 0): Generator<JsonSpan, void> {
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_LIST) throw brokenJson(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return;
  for (;;) {
    const to = endOfValue(text, at);
    yield { from: at, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_LIST) return;
    if (next !== COMMA) throw brokenJson(at);
    at = skipBlank(text, at + 1);
  }
}

export const isObjectAt = (text: string, at: number) => text.charCodeAt(skipBlank(text, at)) === OPEN_OBJECT;
export const isListAt = (text: string, at: number) => text.charCodeAt(skipBlank(text, at)) === OPEN_LIST;

/** One past the value that begins at `at`: brackets are counted, their kinds not compared. */
function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return endOfString(text, at);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return endOfWord(text, at);
  let depth = 0;
  for (let next = at; next < text.length; next++) {
    const code = text.charCodeAt(next);
    // `[` and `{`, `]` and `}` differ by one bit.
    const bracket = code & ~0x20;
    if (bracket === OPEN_LIST) {
      if (++depth > DEEPEST) throw tooDeep(DEEPEST);
    } else if (bracket === CLOSE_LIST) {
      if (--depth === 0) return next + 1;
    } else if (code === QUOTE) next = endOfString(text, next) - 1;
  }
  throw brokenJson(text.length);
}

/** One past the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = quote - 1;
    while (text.charCodeAt(backslashes) === BACKSLASH) backslashes--;
    if ((quote - 1 - backslashes) % 2 === 0) return quote + 1;
  }
  throw brokenJson(text.length);
}

/** One past a number, `true`, `false` or `null`. */
function endOfWord(text: string, at: number): number {
  let next = at;
  while (next < text.length && next - at < LONGEST_WORD && isWordCode(text.charCodeAt(next))) next++;
  if (next === at) throw brokenJson(at);
  return next;
}

/** Digits, letters, `+`, `-` and `.`. */
function isWordCode(code: number): boolean {
  const letter = code | 0x20;
  const isSign = code === 0x2b || code === 0x2d || code === 0x2e;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x7a) || isSign;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function parseName(text: string, from: number, to: number): string {
  const name = text.slice(from + 1, to - 1);
  return name.includes('\\') ? String(parseSpan(text, { from, to })) : name;
}

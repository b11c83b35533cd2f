import { type AppError, badInput } from '../../base/errors.ts';

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
const MAX_SKIP_DEPTH = 10_000;
/** Of the longest number, and more than that. */
const MAX_LITERAL_CHARS = 400;

/**
 * The members of the object that begins at `from`, one after the other: what lies behind the last that is asked for is never
 * looked at. Values are passed over, not checked; {@link parseSpan} does that for those that are wanted.
 *
 * @throws AppError `badInput` where the text is no object, ends within it, or has a value too deep to be one of a tool.
 */
export function* scanMembers(text: string, from = 0): Generator<JsonMember, void> {
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_OBJECT) throw invalidJsonError(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) throw invalidJsonError(at);
    const nameEnd = endOfString(text, at);
    const name = parseName(text, at, nameEnd);
    const colon = skipBlank(text, nameEnd);
    if (text.charCodeAt(colon) !== COLON) throw invalidJsonError(colon);
    const begin = skipBlank(text, colon + 1);
    const to = endOfValue(text, begin);
    yield { name, from: begin, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_OBJECT) return;
    if (next !== COMMA) throw invalidJsonError(at);
    at = skipBlank(text, at + 1);
  }
}

/** The elements of the list that begins at `from`, as {@link scanMembers} gives members. */
export function* scanElements(text: string, from = 0): Generator<JsonSpan, void> {
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_LIST) throw invalidJsonError(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return;
  for (;;) {
    const to = endOfValue(text, at);
    yield { from: at, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_LIST) return;
    if (next !== COMMA) throw invalidJsonError(at);
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
      if (++depth > MAX_SKIP_DEPTH) throw tooDeepError(MAX_SKIP_DEPTH);
    } else if (bracket === CLOSE_LIST) {
      if (--depth === 0) return next + 1;
    } else if (code === QUOTE) next = endOfString(text, next) - 1;
  }
  throw invalidJsonError(text.length);
}

/** One past the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = quote - 1;
    while (text.charCodeAt(backslashes) === BACKSLASH) backslashes--;
    if ((quote - 1 - backslashes) % 2 === 0) return quote + 1;
  }
  throw invalidJsonError(text.length);
}

/** One past a number, `true`, `false` or `null`. */
function endOfWord(text: string, at: number): number {
  let next = at;
  while (next < text.length && next - at < MAX_LITERAL_CHARS && isWordCode(text.charCodeAt(next))) next++;
  if (next === at) throw invalidJsonError(at);
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

/** A value in a JSON text: where it begins, and one past its end. */
export interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

/** Characters of one value that is parsed: the largest ABIs have about 1 MB. */
const MAX_VALUE_CHARS = 4 * 1_024 * 1_024;
/** Of lists and objects in one another. Tuples of an ABI take two each; readers may follow the value by calling themselves. */
const MAX_VALUE_DEPTH = 64;

/**
 * The value at `span`, as `JSON.parse` reads it.
 *
 * @throws AppError `badInput` for what is no JSON, too long or too deep.
 */
export function parseSpan(text: string, { from, to }: JsonSpan): unknown {
  if (to - from > MAX_VALUE_CHARS) throw badInput('json', 'It has a value of more than 4 MiB.');
  if (isDeep(text, from, to)) throw tooDeepError(MAX_VALUE_DEPTH);
  try {
    return JSON.parse(text.slice(from, to));
  } catch {
    throw invalidJsonError(from);
  }
}

/** @throws as {@link parseSpan}. */
export function parseJsonText(text: string): unknown {
  return parseSpan(text, { from: 0, to: text.length });
}

function invalidJsonError(at: number): AppError {
  return badInput('json', `It is not valid JSON, at character ${at + 1}.`);
}

function tooDeepError(levels: number): AppError {
  return badInput('json', `It is nested more than ${levels.toLocaleString('en')} deep.`);
}

/** Brackets in strings count too: more than enough for a bound. */
function isDeep(text: string, from: number, to: number): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    // `[` and `{`, `]` and `}` differ by one bit.
    const code = text.charCodeAt(at) & ~0x20;
    if (code === 0x5b && ++depth > MAX_VALUE_DEPTH) return true;
    if (code === 0x5d) depth--;
  }
  return false;
}

/**
 * The members `names` of the object that begins at `from`, parsed; all others are passed over. Of a name that stands twice the
 * last counts, as in `JSON.parse`.
 *
 * @throws AppError `badInput` for what is no JSON object.
 */
export function pickMembers<const Name extends string>(
  text: string,
  from: number,
  names: readonly Name[],
): { readonly [Each in Name]?: unknown } {
  const picked: { [Each in Name]?: unknown } = {};
  for (const member of scanMembers(text, from)) {
    const name = names.find((one) => one === member.name);
    if (name !== undefined) picked[name] = parseSpan(text, member);
  }
  return picked;
}

import { type AppError, badInput } from '../../base/errors.ts';
import { createMessage, foreign } from '../../base/text.ts';
import { isEscaped } from '../../base/values.ts';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The range of a value in a JSON text; `to` is exclusive. */
export interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

interface JsonMember extends JsonSpan {
  readonly name: string;
}

/** A JSON text. If {@link openJson} has read it, scans skip its long values. */
export type JsonText = string | OpenedJson;

export interface OpenedJson {
  readonly text: string;
  /** The ends of long values, by where they begin. */
  readonly ends: JsonEnds;
}

type JsonEnds = ReadonlyMap<number, number>;

/** Without `ends` where it was not opened. */
const toParts = (json: JsonText): { readonly text: string; readonly ends?: JsonEnds } =>
  typeof json === 'string' ? { text: json } : json;

/** Levels of a skipped value: syntax trees of sources have some hundreds. */
export const MAX_SKIP_DEPTH = 10_000;
/** Longer than any number. */
const MAX_LITERAL_CHARS = 400;
/** Characters of one parsed value: the largest ABIs have about 1 MB. */
const MAX_VALUE_CHARS = 4 * 1_024 * 1_024;
/** Nested lists and objects. Tuples of an ABI take two levels each; readers may process the value recursively. */
const MAX_VALUE_DEPTH = 64;

/**
 * Yields the members of the object that begins at `from`. The scan is lazy: text after the last requested member is never
 * read. Values are skipped, not validated; {@link parseSpan} parses those that are needed.
 *
 * @throws AppError `badInput` if the text is not an object, ends inside it, or has a value deeper than any tool writes.
 */
export function* scanMembers(json: JsonText, from = 0): Generator<JsonMember, void> {
  const { text, ends } = toParts(json);
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_OBJECT) throw invalidJsonError(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) throw invalidJsonError(at);
    const nameEnd = ends?.get(at) ?? findStringEnd(text, at);
    const name = parseName(text, at, nameEnd);
    const colon = skipBlank(text, nameEnd);
    if (text.charCodeAt(colon) !== COLON) throw invalidJsonError(colon);
    const begin = skipBlank(text, colon + 1);
    const to = findValueEnd(text, begin, ends);
    yield { name, from: begin, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_OBJECT) return;
    if (next !== COMMA) throw invalidJsonError(at);
    at = skipBlank(text, at + 1);
  }
}

/** Yields the elements of the list that begins at `from`, like {@link scanMembers}. */
export function* scanElements(json: JsonText, from = 0): Generator<JsonSpan, void> {
  const { text, ends } = toParts(json);
  let at = skipBlank(text, from);
  if (text.charCodeAt(at) !== OPEN_LIST) throw invalidJsonError(at);
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return;
  for (;;) {
    const to = findValueEnd(text, at, ends);
    yield { from: at, to };
    at = skipBlank(text, to);
    const next = text.charCodeAt(at);
    if (next === CLOSE_LIST) return;
    if (next !== COMMA) throw invalidJsonError(at);
    at = skipBlank(text, at + 1);
  }
}

/**
 * Parses the members `names` of the object that begins at `from`; the others are skipped. Of repeated names the last one
 * counts, as in `JSON.parse`.
 *
 * @throws AppError `badInput` if the text is not a JSON object.
 */
export function pickMembers<const Name extends string>(
  json: JsonText,
  from: number,
  names: readonly Name[],
): { readonly [Each in Name]?: unknown } {
  const { text } = toParts(json);
  const picked: { [Each in Name]?: unknown } = {};
  for (const member of scanMembers(json, from)) {
    const name = names.find((candidate) => candidate === member.name);
    if (name !== undefined) picked[name] = parseSpan(text, member);
  }
  return picked;
}

/**
 * Parses the value at a span.
 *
 * @throws AppError `badInput` if it is not JSON, too long or too deep.
 */
export function parseSpan(text: string, { from, to }: JsonSpan): unknown {
  if (to - from > MAX_VALUE_CHARS) throw badInput('json', 'It has a value of more than 4 MiB.');
  if (isTooDeep(text, from, to)) throw tooDeepError(MAX_VALUE_DEPTH);
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

/**
 * The position of a value inside of objects; undefined if there is none.
 *
 * @throws as {@link scanMembers}.
 * @example findMember('{"a":{"b":1}}', 0, 'a', 'b') // 10
 */
export function findMember(
  json: JsonText,
  from: number | undefined,
  ...names: readonly string[]
): number | undefined {
  let at = from;
  for (const name of names) {
    if (at === undefined) return undefined;
    let found: number | undefined;
    for (const member of scanMembers(json, at)) {
      if (member.name !== name) continue;
      found = member.from;
      break;
    }
    at = found;
  }
  return at;
}

export const isObjectAt = (json: JsonText, at: number) => getSign(json, at) === OPEN_OBJECT;
export const isListAt = (json: JsonText, at: number) => getSign(json, at) === OPEN_LIST;

function getSign(json: JsonText, at: number): number {
  const { text } = toParts(json);
  return text.charCodeAt(skipBlank(text, at));
}

/** The end of the value that begins at `at`. Brackets are counted; their kinds are not compared. */
function findValueEnd(text: string, at: number, ends: JsonEnds | undefined): number {
  const known = ends?.get(at);
  if (known !== undefined) return known;
  const first = text.charCodeAt(at);
  if (first === QUOTE) return findStringEnd(text, at);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return findLiteralEnd(text, at);
  let depth = 0;
  for (let next = at; next < text.length; next++) {
    const code = text.charCodeAt(next);
    // `[` and `{`, `]` and `}` differ by one bit.
    const bracket = code & ~0x20;
    if (bracket === OPEN_LIST) {
      const end = ends?.get(next);
      if (end !== undefined) next = end - 1;
      else if (++depth > MAX_SKIP_DEPTH) throw tooDeepError(MAX_SKIP_DEPTH);
    } else if (bracket === CLOSE_LIST) {
      if (--depth === 0) return next + 1;
    } else if (code === QUOTE) next = (ends?.get(next) ?? findStringEnd(text, next)) - 1;
  }
  throw invalidJsonError(text.length);
}

function findStringEnd(text: string, at: number): number {
  // Most strings are short, and millions of calls of indexOf take longer than to look at each character.
  const soon = Math.min(at + SHORT_STRING_CHARS, text.length);
  for (let next = at + 1; next < soon; next++) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) return next + 1;
    if (code === BACKSLASH) break;
  }
  const quote = text.indexOf('"', at + 1);
  if (quote === -1) throw invalidJsonError(text.length);
  if (!isEscaped(text, quote)) return quote + 1;
  // A string with one escaped quote may have millions.
  for (let next = quote + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) return next + 1;
    if (code === BACKSLASH) next++;
  }
  throw invalidJsonError(text.length);
}

const SHORT_STRING_CHARS = 32;

/** The end of a number, `true`, `false` or `null`. */
function findLiteralEnd(text: string, at: number): number {
  let next = at;
  while (next < text.length && next - at < MAX_LITERAL_CHARS && isLiteralCode(text.charCodeAt(next))) next++;
  if (next === at) throw invalidJsonError(at);
  return next;
}

/** Digits, letters, `+`, `-` and `.`. */
function isLiteralCode(code: number): boolean {
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

export function invalidJsonError(at: number): AppError {
  return badInput('json', createMessage('It is not valid JSON, at character {0}.', at + 1));
}

export function tooDeepError(levels: number): AppError {
  return badInput(
    'json',
    createMessage('It is nested more than {0} deep.', foreign(levels.toLocaleString('en'))),
  );
}

/** Counts brackets in strings too, which is accurate enough for a limit. */
function isTooDeep(text: string, from: number, to: number): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    // `[` and `{`, `]` and `}` differ by one bit.
    const code = text.charCodeAt(at) & ~0x20;
    if (code === OPEN_LIST && ++depth > MAX_VALUE_DEPTH) return true;
    if (code === CLOSE_LIST) depth--;
  }
  return false;
}

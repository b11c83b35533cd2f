import { AppError } from '../base/errors.ts';
import { getErrorCode, listCauses } from '../base/networkErrors.ts';

/** A key under this is in many texts by chance: where it was struck out would tell it. */
const MIN_REDACTED_CHARS = 8;
const MAX_DATA_DEPTH = 16;
const MAX_VISITED = 10_000;

/**
 * `error` with the key in none of its texts, in no writing of it. The server's words keep their sense with the key
 * struck out; a cause that holds the key, anywhere down its chain, is dropped but for the system's short code, since
 * the words of a library are not ours to rewrite. A short key takes all words that are not ours with it.
 *
 * @example
 * throw redactKey(asAppError(error), key);
 */
export function redactKey(error: AppError, key: string): AppError {
  if (key.length < MIN_REDACTED_CHARS) return withOwnWordsOnly(error);
  const forms = createKeyMatcher(key);
  if (!isInAny(error, forms)) return error;
  const { serverMessage, data, cause, ...details } = error.details;
  const kept = isInAny(cause, forms) ? bareCause(cause, forms) : cause;
  return new AppError(error.kind, forms.redact(error.message), {
    ...details,
    ...(serverMessage === undefined ? {} : { serverMessage: forms.redact(serverMessage) }),
    ...(data === undefined ? {} : { data: strikeData(data, forms) }),
    ...(kept === undefined ? {} : { cause: kept }),
  });
}

function withOwnWordsOnly(error: AppError): AppError {
  const { serverMessage, data, cause, ...details } = error.details;
  const redirected = error.kind === 'redirected';
  const bare = bareCause(cause);
  return new AppError(error.kind, redirected ? 'The server redirects to another address.' : error.message, {
    ...details,
    ...(bare === undefined ? {} : { cause: bare }),
  });
}

/** The system's code for a failure, such as ECONNREFUSED, as an error that says nothing else. */
function bareCause(cause: unknown, forms?: KeyMatcher): Error | undefined {
  const codes = listCauses(cause).map(getErrorCode);
  const code = codes.findLast((one) => one !== undefined && !forms?.isIn(one));
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
}

/** Whether the key is in any text of `value`, names of properties and errors' own ones included. */
function isInAny(value: unknown, forms: KeyMatcher): boolean {
  const left: unknown[] = [value];
  const met = new Set<unknown>();
  for (let next = left.pop(); next !== undefined || left.length > 0; next = left.pop()) {
    if ((typeof next === 'string' || typeof next === 'number') && forms.isIn(`${next}`)) return true;
    if (typeof next !== 'object' || next === null || met.has(next)) continue;
    // What is too much to look through may hold it.
    if (ArrayBuffer.isView(next) || met.add(next).size + left.length > MAX_VISITED) return true;
    if (next instanceof Error) left.push(next.message, next.stack, next.cause);
    const own: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(next);
    for (const [name, property] of Object.entries(own)) left.push(name, property.value);
  }
  return false;
}

function strikeData(data: unknown, forms: KeyMatcher, depth = 0): unknown {
  if (typeof data === 'string') return forms.redact(data);
  if (typeof data === 'number') return forms.isIn(`${data}`) ? undefined : data;
  if (typeof data !== 'object' || data === null) return data;
  if (depth === MAX_DATA_DEPTH) return undefined;
  if (Array.isArray(data)) return data.map((item) => strikeData(item, forms, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, item]) => [forms.redact(name), strikeData(item, forms, depth + 1)]),
  );
}

/** Finds a key in text, however it is written there. */
interface KeyMatcher {
  isIn(text: string): boolean;
  /** The text with a mark in place of each writing of the key. */
  redact(text: string): string;
}

/** A run of characters that gives the key away, and how characters of it compare. */
interface Secret {
  readonly characters: readonly string[];
  readonly fold: (character: string) => string;
  /** From how many of the characters on it is taken for the secret: a message may be cut in its middle. */
  readonly least: number;
  /** How many characters more beside it hold a part of the key. */
  readonly before: number;
  readonly after: number;
}

type Range = readonly [start: number, end: number];

const MARK = '(key)';

/**
 * The writings of `key`, of at least 8 characters: as it is, in other case, in hex, in base64 of either alphabet and
 * alone or amid other text (as in basic authentication); each as it is or with any of its characters escaped for a
 * URL, for HTML or for JSON. The first half of the key counts for it.
 */
function createKeyMatcher(key: string): KeyMatcher {
  const bytes = Array.from(key, (character) => character.charCodeAt(0));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const secrets = [
    secretOf(key, lowerCase),
    secretOf(hex, lowerCase),
    ...[0, 1, 2].map((offset) => inBase64(bytes, offset)),
  ];
  const rangesIn = (text: string) => secrets.flatMap((secret) => findSecret(text, secret));
  return {
    isIn: (text) => rangesIn(text).length > 0,
    redact(text) {
      // A mark may make a key anew with what stands beside it.
      let struck = text;
      for (let round = 0; round < 4; round++) {
        const ranges = rangesIn(struck);
        if (ranges.length === 0) return struck;
        struck = strikeRanges(struck, ranges);
      }
      return MARK;
    },
  };
}

function secretOf(characters: string, fold: Secret['fold'], beside = { before: 0, after: 0 }): Secret {
  const least = Math.max(8, Math.ceil(characters.length / 2));
  return {
    characters: Array.from(characters, fold),
    fold,
    least: Math.min(least, characters.length),
    ...beside,
  };
}

function lowerCase(character: string): string {
  return character.toLowerCase();
}

/** What base64 makes of the key behind `offset` bytes (of 3) of any text, without what depends on its neighbours. */
function inBase64(bytes: readonly number[], offset: number): Secret {
  const written = encodeBase64([...[0, 0, 0].slice(0, offset), ...bytes]);
  const before = [0, 2, 3][offset] ?? 0;
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  const after = (offset + bytes.length) % 3 === 0 ? 0 : 1;
  return secretOf(written.slice(before, whole), standardAlphabet, { before, after });
}

function standardAlphabet(character: string): string {
  if (character === '-') return '+';
  return character === '_' ? '/' : character;
}

function findSecret(text: string, secret: Secret): readonly Range[] {
  const first = secret.characters[0];
  const ranges: Range[] = [];
  for (let start = 0; start < text.length; start++) {
    const character = text.charAt(start);
    if (!startsEscape(character) && secret.fold(character) !== first) continue;
    const end = endOfSecret(text, start, secret);
    if (end === undefined) continue;
    ranges.push(widen(text, [start, end], secret));
    start = end - 1;
  }
  return ranges;
}

/** Where the longest writing of the secret that begins at `start` ends. */
function endOfSecret(text: string, start: number, { characters, fold, least }: Secret): number | undefined {
  let ends: readonly number[] = [start];
  let furthest = -1;
  for (let index = 0; index < characters.length && ends.length > 0; index++) {
    const next = new Set<number>();
    for (const at of ends) {
      for (const [character, end] of decodeEscapeAt(text, at))
        if (fold(character) === characters[index]) next.add(end);
    }
    ends = [...next];
    if (index + 1 >= least) furthest = Math.max(furthest, ...ends);
  }
  return furthest < 0 ? undefined : furthest;
}

/** Takes along the characters of base64 beside a secret that hold bits of the key, and padding. */
function widen(text: string, [start, end]: Range, { before, after }: Secret): Range {
  if (before + after === 0) return [start, end];
  const inAlphabet = (at: number) => /^[\w+/-]$/.test(text.charAt(at));
  let [from, to] = [start, end];
  while (start - from < before && inAlphabet(from - 1)) from--;
  while (to - end < after && inAlphabet(to)) to++;
  return [from, to + (/^(?:=|%3d){1,2}/i.exec(text.slice(to, to + 6))?.[0].length ?? 0)];
}

function strikeRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (start >= done) parts.push(text.slice(done, start), MARK);
    done = Math.max(done, end);
  }
  return [...parts, text.slice(done)].join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Without padding. */
function encodeBase64(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sixes = bits.match(/.{1,6}/g) ?? [];
  return sixes.map((six) => ALPHABET.charAt(Number.parseInt(six.padEnd(6, '0'), 2))).join('');
}

/** A character that a text may stand for at some place, and where what stands for it ends. */
type DecodedEscape = readonly [character: string, end: number];

interface Escape {
  /** What stands behind the opening sign once more for each time that the text was escaped again. */
  readonly again: string;
  readonly body: RegExp;
}

const escapes: Readonly<Record<string, Escape>> = {
  '%': { again: '25', body: /([\da-f]{2})/iy },
  '&': { again: 'amp;', body: /(?:#x0{0,6}([\da-f]{1,2})|#0{0,6}(\d{1,3})|(amp|lt|gt|quot|apos));?/iy },
  '\\': { again: '\\', body: /(?:u00|x)([\da-f]{2})|(["'/\\])/iy },
};
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_ESCAPE_DEPTH = 4;

function startsEscape(sign: string): boolean {
  return sign in escapes;
}

/** What the text at `at` stands for: itself, and an ASCII character escaped for a URL, for HTML or for JSON. */
function decodeEscapeAt(text: string, at: number): readonly DecodedEscape[] {
  const sign = text.charAt(at);
  if (sign === '') return [];
  const readings: DecodedEscape[] = [[sign, at + 1]];
  const written = escapes[sign];
  if (!written) return readings;
  const { again, body } = written;
  for (let times = 0, from = at + 1; times < MAX_ESCAPE_DEPTH; times++, from += again.length) {
    body.lastIndex = from;
    const match = body.exec(text);
    if (match) readings.push([characterOf(sign, match), body.lastIndex]);
    if (!text.startsWith(again, from)) break;
  }
  return readings;
}

function characterOf(sign: string, [, hex, other = '', name = '']: RegExpExecArray): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (sign === '\\') return other;
  return other === '' ? (named[name.toLowerCase()] ?? '') : String.fromCharCode(Number(other));
}

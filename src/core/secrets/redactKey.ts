import { AppError } from '../base/errors.ts';
import { getErrorCode, listCauses } from '../base/networkErrors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';

/**
 * `error` without the key in any of its texts, however it is encoded there. The key is redacted in the server's
 * message. A cause that contains the key, anywhere down its chain, is dropped except for the short code of the system,
 * since Chainside cannot edit texts of a library. For a short key, all texts from elsewhere are removed.
 *
 * @example
 * throw redactKey(asAppError(error), key);
 */
export function redactKey(error: AppError, key: string): AppError {
  if (key.length < MIN_REDACTED_CHARS) return withoutForeignTexts(error);
  const matcher = createKeyMatcher(key);
  if (!containsKey(error, matcher)) return error;
  const { serverMessage, data, cause, ...details } = error.details;
  const safeCause = containsKey(cause, matcher) ? toBareCause(cause, matcher) : cause;
  return new AppError(error.kind, matcher.redact(error.message), {
    ...details,
    ...(serverMessage === undefined ? {} : { serverMessage: matcher.redact(serverMessage) }),
    ...(data === undefined ? {} : { data: redactData(data, matcher) }),
    ...(safeCause === undefined ? {} : { cause: safeCause }),
  });
}

/**
 * The body of a response without the key, as it is or encoded. Hex data stays as it is: there, a key would be a
 * coincidence.
 *
 * @example redactText('no project at /v3/0123456789ab', '0123456789ab') // 'no project at /v3/(key)'
 */
export function redactText(text: string, key: string): string {
  if (key.length < MIN_REDACTED_CHARS) return text;
  const matcher = createKeyMatcher(key);
  return matcher.mayBeIn(text) ? matcher.redact(text, isInHexData) : text;
}

/** Parsed JSON without the key in any text or name of a property. Changes `json` itself, in slices of time. */
export async function redactJson(json: unknown, key: string, slices: TimeSlices): Promise<unknown> {
  if (key.length < MIN_REDACTED_CHARS) return json;
  const matcher = createKeyMatcher(key);
  const redact = (text: string) => (matcher.mayBeIn(text) ? matcher.redact(text) : text);
  const root: Record<string, unknown> = { json };
  const pending = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, value] of Object.entries(next)) {
      const safeName = Array.isArray(next) ? name : redact(name);
      if (safeName !== name) delete next[name];
      if (safeName !== name || typeof value === 'string')
        next[safeName] = typeof value === 'string' ? redact(value) : value;
      if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>);
      if (slices.isOver()) await slices.rest();
    }
  }
  return root.json;
}

function isInHexData(text: string, start: number): boolean {
  let first = start;
  while (/[\da-f]/i.test(text.charAt(first - 1))) first--;
  return /^0x$/i.test(text.slice(first - 2, first));
}

/** A shorter key occurs in many texts by chance, and the places where it is redacted would reveal it. */
const MIN_REDACTED_CHARS = 8;

function withoutForeignTexts(error: AppError): AppError {
  const { serverMessage, data, cause, ...details } = error.details;
  const isRedirect = error.kind === 'redirected';
  const bare = toBareCause(cause);
  const ownMessage = isRedirect ? 'The server redirects to another address.' : getOwnMessage(error);
  return new AppError(error.kind, ownMessage, { ...details, ...(bare === undefined ? {} : { cause: bare }) });
}

/**
 * The message of an error without that of the server, which stands at its end.
 *
 * @example
 * getOwnMessage(new AppError('rpc', 'It refused: no key', { serverMessage: 'no key' })); // 'It refused'
 */
export function getOwnMessage({ message, details: { serverMessage = '' } }: AppError): string {
  const end = serverMessage === '' ? -1 : message.lastIndexOf(serverMessage);
  return end < 0 ? message : message.slice(0, end).trimEnd().replace(/[:.]$/, '');
}

/** The code of the system for a failure, such as ECONNREFUSED, as an error without any other text. */
function toBareCause(cause: unknown, matcher?: KeyMatcher): Error | undefined {
  const codes = listCauses(cause).map(getErrorCode);
  const code = codes.findLast((candidate) => candidate !== undefined && !matcher?.isIn(candidate));
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
}

/** Whether the key is in any text of `value`, including names of properties and the own properties of errors. */
function containsKey(value: unknown, matcher: KeyMatcher): boolean {
  const pending: unknown[] = [value];
  const visited = new Set<unknown>();
  for (let next = pending.pop(); next !== undefined || pending.length > 0; next = pending.pop()) {
    if ((typeof next === 'string' || typeof next === 'number') && matcher.isIn(`${next}`)) return true;
    if (typeof next !== 'object' || next === null || visited.has(next)) continue;
    // Data that is too large to search may contain it.
    if (ArrayBuffer.isView(next) || visited.add(next).size + pending.length > MAX_VISITED) return true;
    if (next instanceof Error) pending.push(next.message, next.stack, next.cause);
    const own: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(next);
    for (const [name, property] of Object.entries(own)) pending.push(name, property.value);
  }
  return false;
}

const MAX_VISITED = 10_000;

function redactData(data: unknown, matcher: KeyMatcher, depth = 0): unknown {
  if (typeof data === 'string') return matcher.redact(data);
  if (typeof data === 'number') return matcher.isIn(`${data}`) ? undefined : data;
  if (typeof data !== 'object' || data === null) return data;
  if (depth === MAX_DATA_DEPTH) return undefined;
  if (Array.isArray(data)) return data.map((item) => redactData(item, matcher, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, item]) => [matcher.redact(name), redactData(item, matcher, depth + 1)]),
  );
}

const MAX_DATA_DEPTH = 16;

/**
 * Matches a `key` of at least 8 characters: as it is, in other case, in hex, in base64 of either alphabet, alone or
 * within other text (as in basic authentication); each as it is or with any of its characters escaped for a URL, HTML
 * or JSON. The first half of the key counts as the key.
 */
function createKeyMatcher(key: string): KeyMatcher {
  const bytes = Array.from(key, (character) => character.charCodeAt(0));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    createForm(key, lowerCase),
    createForm(hex, lowerCase),
    ...[0, 1, 2].map((offset) => createBase64Form(bytes, offset)),
  ];
  const findRanges = (text: string) => forms.flatMap((form) => findForm(text, form));
  return {
    isIn: (text) => findRanges(text).length > 0,
    mayBeIn: (text) =>
      (text.length <= MAX_ESCAPED_CHARS && /[%&\\]/.test(text)) ||
      forms.some(({ characters, fold, minChars }) =>
        fold(text).includes(characters.slice(0, minChars).join('')),
      ),
    redact(text, isKept = () => false) {
      // A replacement and the adjacent text may form the key again.
      let redacted = text;
      for (let round = 0; round < 4; round++) {
        const current = redacted;
        const ranges = findRanges(current).filter(([start]) => !isKept(current, start));
        if (ranges.length === 0) return redacted;
        redacted = replaceRanges(redacted, ranges);
      }
      return MARK;
    },
  };
}

interface KeyMatcher {
  isIn(text: string): boolean;
  /** Fast. False only if the key is not in the text; escaped forms are found in short texts only. */
  mayBeIn(text: string): boolean;
  /** Replaces each occurrence of the key by {@link MARK}, except those that start where `isKept` holds. */
  redact(text: string, isKept?: (text: string, start: number) => boolean): string;
}

/** The search for escaped forms takes some 500 ns per character. */
const MAX_ESCAPED_CHARS = 256 * 1024;

/** A run of characters that reveals the key. */
interface KeyForm {
  readonly characters: readonly string[];
  readonly fold: (text: string) => string;
  /** As few of the characters count as the key: a message may be cut in its middle. */
  readonly minChars: number;
  /** Number of characters before and after that contain bits of the key. */
  readonly before: number;
  readonly after: number;
}

type Range = readonly [start: number, end: number];

function createForm(
  characters: string,
  fold: KeyForm['fold'],
  neighbours = { before: 0, after: 0 },
): KeyForm {
  const half = Math.max(8, Math.ceil(characters.length / 2));
  return {
    characters: Array.from(characters, fold),
    fold,
    minChars: Math.min(half, characters.length),
    ...neighbours,
  };
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/**
 * The base64 of the key after `offset` bytes (modulo 3) of any text, without the characters that depend on its
 * neighbours.
 */
function createBase64Form(bytes: readonly number[], offset: number): KeyForm {
  const encoded = encodeBase64([...[0, 0, 0].slice(0, offset), ...bytes]);
  const before = [0, 2, 3][offset] ?? 0;
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const after = (offset + bytes.length) % 3 === 0 ? 0 : 1;
  return createForm(encoded.slice(before, end), toStandardAlphabet, { before, after });
}

function toStandardAlphabet(text: string): string {
  if (text.length > 1) return text.replaceAll('-', '+').replaceAll('_', '/');
  if (text === '-') return '+';
  return text === '_' ? '/' : text;
}

function findForm(text: string, form: KeyForm): readonly Range[] {
  const first = form.characters[0];
  const ranges: Range[] = [];
  for (let start = 0; start < text.length; start++) {
    const character = text.charAt(start);
    if (!startsEscape(character) && form.fold(character) !== first) continue;
    const end = findFormEnd(text, start, form);
    if (end === undefined) continue;
    ranges.push(widen(text, [start, end], form));
    start = end - 1;
  }
  return ranges;
}

/** Where the longest match that begins at `start` ends. */
function findFormEnd(
  text: string,
  start: number,
  { characters, fold, minChars }: KeyForm,
): number | undefined {
  let ends: readonly number[] = [start];
  let furthest = -1;
  for (let index = 0; index < characters.length && ends.length > 0; index++) {
    const next = new Set<number>();
    for (const at of ends) {
      for (const [character, end] of decodeEscapeAt(text, at))
        if (fold(character) === characters[index]) next.add(end);
    }
    ends = [...next];
    if (index + 1 >= minChars) furthest = Math.max(furthest, ...ends);
  }
  return furthest < 0 ? undefined : furthest;
}

/** Includes the adjacent base64 characters that contain bits of the key, and padding. */
function widen(text: string, [start, end]: Range, { before, after }: KeyForm): Range {
  if (before + after === 0) return [start, end];
  const inAlphabet = (at: number) => /^[\w+/-]$/.test(text.charAt(at));
  let [from, to] = [start, end];
  while (start - from < before && inAlphabet(from - 1)) from--;
  while (to - end < after && inAlphabet(to)) to++;
  return [from, to + (/^(?:=|%3d){1,2}/i.exec(text.slice(to, to + 6))?.[0].length ?? 0)];
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (start >= done) parts.push(text.slice(done, start), MARK);
    done = Math.max(done, end);
  }
  return [...parts, text.slice(done)].join('');
}

const MARK = '(key)';

/** Without padding. */
function encodeBase64(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sixes = bits.match(/.{1,6}/g) ?? [];
  return sixes.map((six) => ALPHABET.charAt(Number.parseInt(six.padEnd(6, '0'), 2))).join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function startsEscape(character: string): boolean {
  return character in escapes;
}

/** What the text at `at` may represent: itself, and an ASCII character escaped for a URL, HTML or JSON. */
function decodeEscapeAt(text: string, at: number): readonly DecodedEscape[] {
  const sign = text.charAt(at);
  if (sign === '') return [];
  const readings: DecodedEscape[] = [[sign, at + 1]];
  const escapeOfSign = escapes[sign];
  if (!escapeOfSign) return readings;
  const { again, body } = escapeOfSign;
  for (let times = 0, from = at + 1; times < MAX_ESCAPE_DEPTH; times++, from += again.length) {
    body.lastIndex = from;
    const match = body.exec(text);
    if (match) readings.push([toCharacter(sign, match), body.lastIndex]);
    if (!text.startsWith(again, from)) break;
  }
  return readings;
}

/** A character that the text at some position may represent, and the end of its representation. */
type DecodedEscape = readonly [character: string, end: number];

function toCharacter(sign: string, [, hex, other = '', name = '']: RegExpExecArray): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (sign === '\\') return other;
  return other === '' ? (namedEntities[name.toLowerCase()] ?? '') : String.fromCharCode(Number(other));
}

interface Escape {
  /** Inserted after the opening sign for each further time that the text was escaped. */
  readonly again: string;
  readonly body: RegExp;
}

const escapes: Readonly<Record<string, Escape>> = {
  '%': { again: '25', body: /([\da-f]{2})/iy },
  '&': { again: 'amp;', body: /(?:#x0{0,6}([\da-f]{1,2})|#0{0,6}(\d{1,3})|(amp|lt|gt|quot|apos));?/iy },
  '\\': { again: '\\', body: /(?:u00|x)([\da-f]{2})|(["'/\\])/iy },
};
const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_ESCAPE_DEPTH = 4;

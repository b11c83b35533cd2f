import { runToEnd } from '../base/timeSlices.ts';

/**
 * Matches a `key` of at least 8 characters: as it is, in other case, in hex, in base64 of either alphabet, alone or
 * within other text (as in basic authentication); each as it is or with any of its characters escaped for a URL, HTML
 * or JSON. The first half of the key counts as the key.
 */
export function createKeyMatcher(key: string): KeyMatcher {
  const bytes = Array.from(key, (character) => character.charCodeAt(0));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    createForm(key, lowerCase),
    createForm(hex, lowerCase),
    ...[0, 1, 2].map((offset) => createBase64Form(bytes, offset)),
  ];
  function* findRanges(text: string, keep: KeepRule): Generator<void, readonly Range[]> {
    const ranges: Range[] = [];
    for (const form of forms) yield* findForm(text, form, { ranges, stays: keep(text) });
    return ranges;
  }
  function* redactInPieces(text: string, keep: KeepRule = keepNothing) {
    // A replacement and the adjacent text may form the key again.
    let redacted = text;
    for (let round = 0; round < 4; round++) {
      const ranges = yield* findRanges(redacted, keep);
      if (ranges.length === 0) return redacted;
      if (ranges.length > MAX_OCCURRENCES) return MARK;
      redacted = replaceRanges(redacted, ranges);
    }
    return MARK;
  }
  return {
    isIn: (text) => runToEnd(findRanges(text, keepNothing)).length > 0,
    redact: (text) => runToEnd(redactInPieces(text)),
    redactInPieces,
  };
}

export interface KeyMatcher {
  isIn(text: string): boolean;
  /** Replaces each occurrence of the key by {@link MARK}; a text with thousands of them as a whole. */
  redact(text: string): string;
  /**
   * As {@link redact}, in pieces of work of about a millisecond. `keep` returns which places stay as they are; it is
   * asked for places in ascending order, for each form of the key anew.
   */
  redactInPieces(text: string, keep?: KeepRule): Generator<void, string>;
}

/** Makes for a text the test whether the key stays that begins at a place of it. */
type KeepRule = (text: string) => (start: number) => boolean;

const keepNothing: KeepRule = () => () => false;

/** A shorter key occurs in many texts by chance, and the places where it is redacted would reveal it. */
export const MIN_REDACTED_CHARS = 8;

const MAX_OCCURRENCES = 10_000;

/** A run of characters that reveals the key. */
interface KeyForm {
  readonly characters: readonly string[];
  readonly fold: (text: string) => string;
  /** As few of the characters count as the key: a message may be cut in its middle. */
  readonly minChars: number;
  /** Finds where the first characters are, in any of their readings; most texts have few such places. */
  readonly beginning: RegExp;
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
  const folded = Array.from(characters, fold);
  const [first, ...next] = folded
    .slice(0, BEGINNING_LENGTH)
    .map((character) => writeReadings(character, fold));
  return {
    characters: folded,
    fold,
    minChars: Math.min(half, folded.length),
    beginning: new RegExp(`${first}(?=${next.join('')})`, 'g'),
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

function* findForm(
  text: string,
  form: KeyForm,
  { ranges, stays }: { readonly ranges: Range[]; readonly stays: (start: number) => boolean },
): Generator<void> {
  let done = 0;
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    const piece = text.slice(from, from + PIECE_CHARS + MAX_BEGINNING_CHARS);
    form.beginning.lastIndex = Math.max(0, done - from);
    for (let found = form.beginning.exec(piece); found; found = form.beginning.exec(piece)) {
      const start = from + found.index;
      if (found.index >= PIECE_CHARS) break;
      const end = findFormEnd(text, start, form);
      form.beginning.lastIndex = (end ?? start + 1) - from;
      if (end === undefined) continue;
      done = end;
      const range = widen(text, [start, end], form);
      if (!stays(range[0])) ranges.push(range);
      if (ranges.length > MAX_OCCURRENCES) return;
    }
    yield;
  }
}

/** Searched without a pause: some milliseconds even where each character begins an escape. */
const PIECE_CHARS = 16 * 1024;
const BEGINNING_LENGTH = 4;
/** The longest readings of so many characters are shorter. */
const MAX_BEGINNING_CHARS = 128;

/** Where the longest match that begins at `start` ends. */
function findFormEnd(
  text: string,
  start: number,
  { characters, fold, minChars }: KeyForm,
): number | undefined {
  let ends: readonly number[] = [start];
  let furthest = -1;
  for (let index = 0; index < characters.length && ends.length > 0; index++) {
    const next: number[] = [];
    for (const at of ends) {
      for (const [character, end] of decodeEscapeAt(text, at))
        if (fold(character) === characters[index] && !next.includes(end)) next.push(end);
    }
    ends = next;
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

/** A pattern of all that {@link decodeEscapeAt} may read as a character that folds to `folded`. */
function writeReadings(folded: string, fold: KeyForm['fold']): string {
  const codes = Array.from({ length: 256 }, (_, code) => code).filter(
    (code) => fold(String.fromCharCode(code)) === folded,
  );
  const characters = codes.map((code) => String.fromCharCode(code));
  const plain = [...characters, folded, folded.toUpperCase(), ...(folded === 'k' ? ['\u212a'] : [])];
  const hex = codes.map((code) => anyCase(code.toString(16).padStart(2, '0'))).join('|') || NEVER;
  const names = Object.keys(namedEntities).filter((name) => characters.includes(namedEntities[name] ?? ''));
  const entities = [`#[xX]0{0,6}(?:${hex})`, ...codes.map((code) => `#0{0,6}${code}`), ...names.map(anyCase)];
  const signs = characters.filter((character) => `"'/\\`.includes(character));
  const escaped = [`[uU]00(?:${hex})`, `[xX](?:${hex})`, ...signs.map(toCodePattern)];
  return `(?:${[
    ...plain.map(toCodePattern),
    `%(?:25){0,3}(?:${hex})`,
    `&(?:amp;){0,3}(?:${entities.join('|')});?`,
    `\\\\{1,4}(?:${escaped.join('|')})`,
  ].join('|')})`;
}

/** Matches no text. */
const NEVER = '(?!)';

function toCodePattern(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

function anyCase(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
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

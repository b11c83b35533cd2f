import { opensEscape, readingsAt } from './escapes.ts';

/** Finds a key in text, however it is written there. */
export interface KeyForms {
  isIn(text: string): boolean;
  /** The text with a mark in place of each writing of the key. */
  strike(text: string): string;
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
 *
 * @example
 * keyForms(key).strike(`https://data.example/?key=${key}`); // 'https://data.example/?key=(key)'
 */
export function keyForms(key: string): KeyForms {
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
    strike(text) {
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
    if (!opensEscape(character) && secret.fold(character) !== first) continue;
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
      for (const [character, end] of readingsAt(text, at))
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

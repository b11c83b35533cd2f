import { type Address, type Hex, parseAddress } from '../../core/index.ts';

/** An address as it stands in a text. */
export interface FoundAddress {
  readonly address: Address;
  /** As written, letter case included. */
  readonly written: string;
  /** Index of its first character. */
  readonly offset: number;
}

// Neither side may go on as a word does: more digits would make it a part of a hash, letters a part of a name.
const ADDRESS_PATTERN = /(?<![0-9A-Za-z_$])0[xX][0-9a-fA-F]{40}(?![0-9A-Za-z_$])/g;
/** Longest text that is searched around a position, so that a line of megabytes costs no more than a short one. */
const MAX_NEARBY_CHARS = 64;

/** Every address of `text` in order; `0X` counts as `0x`. */
export function* findAddresses(text: string): Generator<FoundAddress> {
  for (const match of text.matchAll(ADDRESS_PATTERN)) {
    const written = `0x${match[0].slice(2)}`;
    const address = parseAddress(written);
    if (address) yield { address, written, offset: match.index };
  }
}

/** The address that `offset` of `line` lies in or at the edge of. */
export function findAddressAt(line: string, offset: number): FoundAddress | undefined {
  const start = Math.max(0, offset - MAX_NEARBY_CHARS);
  for (const found of findAddresses(line.slice(start, offset + MAX_NEARBY_CHARS))) {
    const at = start + found.offset;
    if (at <= offset && offset <= at + found.written.length) return { ...found, offset: at };
  }
  return undefined;
}

/** Hex as it stands in a text, of 4 bytes or more; that of 20 bytes is an address and none of these. */
export interface FoundHex {
  /** In lower case. */
  readonly hex: Hex;
  /** Index of its first character, and how many it has as it is written. */
  readonly offset: number;
  readonly length: number;
  /** Whether the text leaves out what follows: it goes on with an ellipsis. */
  readonly isCut: boolean;
}

/** A word that begins as hex does. Matched to its end at once, so that a long one is looked at only once. */
const HEX_WORD = /(?<![\w$])0[xX][\w$]+|(?<![\w$])hex(?:"\w+"|'\w+')/g;
const DIGITS = /^[0-9a-fA-F]+$/;
const NOT_DIGITS = /[^0-9a-fA-F]/g;
const SELECTOR_DIGITS = 8;
const ADDRESS_DIGITS = 40;
const ARGUMENT_DIGITS = 64;
/** Of the prefix `0x`, and of `hex"`. */
const MAX_PREFIX_CHARS = 4;
/** Digits that are looked through to an edge: twice as many as are decoded, so that a longer one is known to be too long. */
const MAX_SCANNED_DIGITS = 4 * 1024 * 1024;

/**
 * Every hex of `text` in order, also Solidity's `hex"…"`. Foundry writes the data of an error that it does not know as
 * `0x12345678: 0000…`, which is one.
 */
export function* findAllHex(text: string): Generator<FoundHex> {
  for (const match of text.matchAll(HEX_WORD)) {
    const found = read(text, match.index, match[0]);
    if (found) yield found;
  }
}

/** The hex that `offset` of `line` lies in or at the edge of. */
export function findHexAt(line: string, offset: number): FoundHex | undefined {
  const start = Math.max(0, edgeBefore(line, offset) - MAX_PREFIX_CHARS);
  // A selector in front of its arguments is 10 characters and what stands between.
  const from = Math.max(0, start - SELECTOR_DIGITS - MAX_PREFIX_CHARS);
  const near = line.slice(from, edgeBehind(line, offset) + 1);
  for (const match of near.matchAll(HEX_WORD)) {
    const at = from + match.index;
    if (at > offset) return undefined;
    // What is cut off at the near edge is a part of something.
    if (at === from && from > 0 && /[\w$]/.test(line[from - 1] ?? '')) continue;
    const found = read(line, at, match[0]);
    if (found && found.offset <= offset && offset <= found.offset + found.length) return found;
  }
  return undefined;
}

function read(text: string, offset: number, word: string): FoundHex | undefined {
  const quoted = /^h/.test(word);
  const digits = quoted ? word.slice(4, -1) : word.slice(2);
  if (digits.length < SELECTOR_DIGITS || digits.length === ADDRESS_DIGITS || !DIGITS.test(digits))
    return undefined;
  const found = (more: string, length: number): FoundHex => ({
    hex: `0x${(digits + more).toLowerCase()}`,
    offset,
    length,
    isCut: /^(?:…|\.\.\.)/.test(text.slice(offset + length, offset + length + 3)),
  });
  const end = offset + word.length;
  if (quoted || digits.length !== SELECTOR_DIGITS) return found('', word.length);
  const behind = text[end] === ':' ? end + (text[end + 1] === ' ' ? 2 : 1) : undefined;
  const more = behind === undefined ? '' : digitsFrom(text, behind);
  const isWords = more !== '' && more.length % ARGUMENT_DIGITS === 0;
  return isWords && behind !== undefined
    ? found(more, behind + more.length - offset)
    : found('', word.length);
}

/** The digits that begin at `start`; empty where they are a part of a word. */
function digitsFrom(text: string, start: number): string {
  NOT_DIGITS.lastIndex = start;
  const end = NOT_DIGITS.exec(text)?.index ?? text.length;
  return /[\w$]/.test(text[end] ?? '') ? '' : text.slice(start, end);
}

function edgeBefore(line: string, offset: number): number {
  const least = Math.max(0, offset - MAX_SCANNED_DIGITS);
  let at = offset;
  while (at > least && isWordCharacter(line.charCodeAt(at - 1))) at--;
  return at;
}

function edgeBehind(line: string, offset: number): number {
  const most = Math.min(line.length, offset + MAX_SCANNED_DIGITS);
  let at = offset;
  while (at < most && isWordCharacter(line.charCodeAt(at))) at++;
  return at;
}

/** A digit, a letter, `_` or `$`. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 36
  );
}

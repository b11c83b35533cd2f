import { type Address, type Hex, parseAddress } from '../../core/index.ts';

export interface FoundAddress {
  readonly address: Address;
  /** As in the text, in its letter case. */
  readonly written: string;
  readonly offset: number;
}

// A digit on either side would make it part of a hash, a letter part of a name.
const ADDRESS_PATTERN = /(?<![0-9A-Za-z_$])0[xX][0-9a-fA-F]{40}(?![0-9A-Za-z_$])/g;
/** Only this much text around a position is searched, so that a line of megabytes is as fast as a short one. */
const MAX_NEARBY_CHARS = 64;

/** Lists the addresses in `text` in order; `0X` counts as `0x`. */
export function* findAddresses(text: string): Generator<FoundAddress> {
  for (const match of text.matchAll(ADDRESS_PATTERN)) {
    const written = `0x${match[0].slice(2)}`;
    const address = parseAddress(written);
    if (address) yield { address, written, offset: match.index };
  }
}

/** The address that contains or touches `offset` of `line`. */
export function findAddressAt(line: string, offset: number): FoundAddress | undefined {
  const start = Math.max(0, offset - MAX_NEARBY_CHARS);
  for (const found of findAddresses(line.slice(start, offset + MAX_NEARBY_CHARS))) {
    const at = start + found.offset;
    if (at <= offset && offset <= at + found.written.length) return { ...found, offset: at };
  }
  return undefined;
}

/** Hex of 4 bytes or more found in a text, other than an address (20 bytes). */
export interface FoundHex {
  /** In lower case. */
  readonly hex: Hex;
  /** Index of its first character; `length` is its number of characters in the text. */
  readonly offset: number;
  readonly length: number;
  /** Whether an ellipsis follows, so that the text has only its beginning. */
  readonly isCut: boolean;
}

/** A word that begins as hex does. It matches to the end of the word, so that a long one is scanned once. */
const HEX_WORD = /(?<![\w$])0[xX][\w$]+|(?<![\w$])hex(?:"\w+"|'\w+')/g;
const DIGITS = /^[0-9a-fA-F]+$/;
const NOT_DIGITS = /[^0-9a-fA-F]/g;
const SELECTOR_DIGITS = 8;
const ADDRESS_DIGITS = 40;
const ARGUMENT_DIGITS = 64;
/** The length of `hex"`; `0x` is shorter. */
const MAX_PREFIX_CHARS = 4;
/**
 * Scan no more digits than this for an edge: twice the number that is decoded, so that longer hex is recognised as
 * too long.
 */
const MAX_SCANNED_DIGITS = 4 * 1024 * 1024;

/**
 * Lists the hex in `text` in order, including Solidity's `hex"…"`. Foundry writes the data of an unknown error as
 * `0x12345678: 0000…`, which counts as one.
 */
export function* findAllHex(text: string): Generator<FoundHex> {
  for (const match of text.matchAll(HEX_WORD)) {
    const found = parseHexWord(text, match.index, match[0]);
    if (found) yield found;
  }
}

/** The hex that contains or touches `offset` of `line`. */
export function findHexAt(line: string, offset: number): FoundHex | undefined {
  const start = Math.max(0, findWordStart(line, offset) - MAX_PREFIX_CHARS);
  // A selector may precede its arguments: 10 characters and a separator.
  const windowStart = Math.max(0, start - SELECTOR_DIGITS - MAX_PREFIX_CHARS);
  const nearby = line.slice(windowStart, findWordEnd(line, offset) + 1);
  for (const match of nearby.matchAll(HEX_WORD)) {
    const at = windowStart + match.index;
    if (at > offset) return undefined;
    // A match at the edge of the window may be part of a longer word.
    if (at === windowStart && windowStart > 0 && /[\w$]/.test(line[windowStart - 1] ?? '')) continue;
    const found = parseHexWord(line, at, match[0]);
    if (found && found.offset <= offset && offset <= found.offset + found.length) return found;
  }
  return undefined;
}

function parseHexWord(text: string, offset: number, word: string): FoundHex | undefined {
  const isQuoted = /^h/.test(word);
  const digits = isQuoted ? word.slice(4, -1) : word.slice(2);
  if (digits.length < SELECTOR_DIGITS || digits.length === ADDRESS_DIGITS || !DIGITS.test(digits))
    return undefined;
  const toFoundHex = (more: string, length: number): FoundHex => ({
    hex: `0x${(digits + more).toLowerCase()}`,
    offset,
    length,
    isCut: /^(?:…|\.\.\.)/.test(text.slice(offset + length, offset + length + 3)),
  });
  const end = offset + word.length;
  if (isQuoted || digits.length !== SELECTOR_DIGITS) return toFoundHex('', word.length);
  const argumentsStart = text[end] === ':' ? end + (text[end + 1] === ' ' ? 2 : 1) : undefined;
  const argumentDigits = argumentsStart === undefined ? '' : readDigits(text, argumentsStart);
  const isWholeWords = argumentDigits !== '' && argumentDigits.length % ARGUMENT_DIGITS === 0;
  return isWholeWords && argumentsStart !== undefined
    ? toFoundHex(argumentDigits, argumentsStart + argumentDigits.length - offset)
    : toFoundHex('', word.length);
}

/** The hex digits from `start` on; empty where they are part of a longer word. */
function readDigits(text: string, start: number): string {
  NOT_DIGITS.lastIndex = start;
  const end = NOT_DIGITS.exec(text)?.index ?? text.length;
  return /[\w$]/.test(text[end] ?? '') ? '' : text.slice(start, end);
}

function findWordStart(line: string, offset: number): number {
  const min = Math.max(0, offset - MAX_SCANNED_DIGITS);
  let at = offset;
  while (at > min && isWordChar(line.charCodeAt(at - 1))) at--;
  return at;
}

function findWordEnd(line: string, offset: number): number {
  const max = Math.min(line.length, offset + MAX_SCANNED_DIGITS);
  let at = offset;
  while (at < max && isWordChar(line.charCodeAt(at))) at++;
  return at;
}

/** A digit, a letter, `_` or `$`. */
function isWordChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 36
  );
}

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

const HEX_START = /(?<![\w$])(?:0[xX]|hex["'])/g;
// Hex can have millions of digits. A repeated class may overflow the stack of the regular expression. A search for the
// first other character cannot.
const NOT_DIGIT = /[^0-9a-fA-F]/g;
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
  for (const start of text.matchAll(HEX_START)) {
    const found = parseHexAt(text, start);
    if (found) yield found;
  }
}

/** The hex that contains or touches `offset` of `line`. */
export function findHexAt(line: string, offset: number): FoundHex | undefined {
  const start = Math.max(0, findWordStart(line, offset) - MAX_PREFIX_CHARS);
  // A selector may precede its arguments: 10 characters and a separator.
  const windowStart = Math.max(0, start - SELECTOR_DIGITS - MAX_PREFIX_CHARS);
  const nearby = line.slice(windowStart, offset + MAX_SCANNED_DIGITS);
  for (const hexStart of nearby.matchAll(HEX_START)) {
    const at = windowStart + hexStart.index;
    if (at > offset) return undefined;
    // A match at the edge of the window may be part of a longer word.
    if (at === windowStart && windowStart > 0 && /[\w$]/.test(line[windowStart - 1] ?? '')) continue;
    const found = parseHexAt(nearby, hexStart);
    if (found && offset <= at + found.length) return { ...found, offset: at };
  }
  return undefined;
}

function parseHexAt(text: string, { 0: prefix, index: offset }: RegExpExecArray): FoundHex | undefined {
  const digits = readDigits(text, offset + prefix.length);
  if (digits.length < SELECTOR_DIGITS || digits.length === ADDRESS_DIGITS) return undefined;
  const end = offset + prefix.length + digits.length;
  const isQuoted = prefix.startsWith('h');
  if (isQuoted && text[end] !== prefix.at(-1)) return undefined;
  const toFoundHex = (more: string, hexEnd: number): FoundHex => ({
    hex: `0x${(digits + more).toLowerCase()}`,
    offset,
    length: hexEnd - offset,
    isCut: /^(?:…|\.\.\.)/.test(text.slice(hexEnd, hexEnd + 3)),
  });
  if (isQuoted) return toFoundHex('', end + 1);
  const argumentsStart = text[end] === ':' ? end + (text[end + 1] === ' ' ? 2 : 1) : undefined;
  if (digits.length !== SELECTOR_DIGITS || argumentsStart === undefined) return toFoundHex('', end);
  const argumentDigits = readDigits(text, argumentsStart);
  return argumentDigits !== '' && argumentDigits.length % ARGUMENT_DIGITS === 0
    ? toFoundHex(argumentDigits, argumentsStart + argumentDigits.length)
    : toFoundHex('', end);
}

/** The hex digits from `start` on; empty where they are part of a longer word. */
function readDigits(text: string, start: number): string {
  NOT_DIGIT.lastIndex = start;
  const end = NOT_DIGIT.exec(text)?.index ?? text.length;
  return /[\w$]/.test(text[end] ?? '') ? '' : text.slice(start, end);
}

function findWordStart(line: string, offset: number): number {
  const min = Math.max(0, offset - MAX_SCANNED_DIGITS);
  let at = offset;
  while (at > min && isWordChar(line.charCodeAt(at - 1))) at--;
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

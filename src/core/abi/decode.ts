import { createMessage, foreign, type Message } from '../base/text.ts';
import { writeHex } from '../eth/bytes.ts';
import { type Hex, isLowerHex, parseHexData } from '../eth/hex.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';

const WORD_DIGITS = 64;
const ZERO = 48;
const NINE = 57;
const ZEROS = '0'.repeat(WORD_DIGITS);
const EMPTY_TYPE: DecodeError = {
  kind: 'emptyType',
  detail: createMessage('a type has values that take no space'),
};
const NOT_HEX: DecodeError = {
  kind: 'notHex',
  detail: createMessage('the data is not 0x and an even number of hex digits'),
};

/**
 * Decodes ABI-encoded values, strictly: accepts only data that encodes again to the same bytes
 * (https://docs.soliditylang.org/en/latest/abi-spec.html#strict-encoding-mode). Anything else returns an error; nothing
 * is thrown, and the time is linear in the length of the data.
 *
 * @example
 * decodeParameters([{ name: 'paid', type: { kind: 'bool', text: 'bool' } }], toAbiWord(1n)) // [true]
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  data: Hex,
): readonly AbiValue[] | DecodeError {
  const text = parseHexData(data);
  return text === undefined ? NOT_HEX : compileParameters(parameters)(text);
}

/**
 * Decodes arguments like {@link decodeParameters}, and returns what follows them: functions ignore it, and wallets and
 * apps append tags. In lower case.
 *
 * @example decodeArguments([], '0x12') // { values: [], rest: '0x12' }
 */
export function decodeArguments(
  parameters: readonly AbiParameter[],
  data: Hex,
): { readonly values: readonly AbiValue[]; readonly rest: Hex } | DecodeError {
  const text = parseHexData(data);
  if (text === undefined) return NOT_HEX;
  const reader = createTupleReader(parameters);
  if (reader === undefined && parameters.length > 0) return EMPTY_TYPE;
  const { values, cursor } = readValues(text, reader);
  if (values === undefined) return cursor.error ?? NOT_HEX;
  return { values, rest: `0x${text.slice(cursor.tail)}` };
}

/**
 * Decodes what a function returned, as compilers read it: also with tails in any order, shared, or with dirty or missing
 * padding, which assembly writes. What it does not use is ignored. A part that is read again and again ends in an error.
 *
 * @example decodeResult([{ name: '', type: { kind: 'bool', text: 'bool' } }], toAbiWord(1n)) // [true]
 */
export function decodeResult(
  parameters: readonly AbiParameter[],
  data: Hex,
): readonly AbiValue[] | DecodeError {
  const text = parseHexData(data);
  if (text === undefined) return NOT_HEX;
  const reader = createTupleReader(parameters);
  if (reader === undefined && parameters.length > 0) return EMPTY_TYPE;
  const { values, cursor } = readValues(text, reader, MAX_READS * text.length);
  return values ?? cursor.error ?? NOT_HEX;
}

/** How often all of the data may be read, if tails are shared. */
const MAX_READS = 4;

/** Decodes values that must fill the data exactly. The data must be lower-case hex. */
type ParameterDecoder = (data: Hex) => readonly AbiValue[] | DecodeError;

export function compileParameters(parameters: readonly AbiParameter[]): ParameterDecoder {
  const reader = createTupleReader(parameters);
  if (reader === undefined && parameters.length > 0) return () => EMPTY_TYPE;
  return (text) => {
    if (text.length % 2 !== 0 || !text.startsWith('0x')) return NOT_HEX;
    const { values, cursor } = readValues(text, reader);
    if (values === undefined) return cursor.error ?? NOT_HEX;
    const rest = (text.length - cursor.tail) / 2;
    if (rest === 0) return values;
    return {
      kind: 'rest',
      detail: createMessage('the data is {0} bytes longer than its types require', rest),
    };
  };
}

/** Reads the values at the start of the data; the tail of the cursor is behind them. */
function readValues(text: Hex, reader: ValueReader | undefined, unread?: number) {
  const head = reader && !reader.dynamic ? reader.head : 0;
  const cursor: DecodeCursor = { text, tail: 2 + head, error: undefined, unread };
  // A dynamic tuple checks its head itself.
  const values = !hasHead(cursor, 2, head) ? undefined : reader ? reader.read(cursor, 2) : [];
  return { values: values as readonly AbiValue[] | undefined, cursor };
}

export interface DecodeError {
  readonly kind: DecodeErrorCode;
  /** Completes a sentence after `because`. */
  readonly detail: Message;
}

export type DecodeErrorCode =
  | 'notHex'
  | 'topic0'
  | 'topicCount'
  | 'short'
  | 'rest'
  | 'padding'
  | 'bool'
  | 'range'
  | 'offset'
  | 'length'
  | 'utf8'
  | 'emptyType';

/**
 * @example isDecodeError([1n]) // false
 */
export function isDecodeError(result: readonly AbiValue[] | DecodeError): result is DecodeError {
  return !Array.isArray(result);
}

/** The state of decoding. Positions are in characters of `text`. */
export interface DecodeCursor {
  /** `0x` and whole bytes. Each reader checks that its own digits are lower-case hex. */
  text: string;
  /** Where the next dynamic value begins. */
  tail: number;
  error: DecodeError | undefined;
  /** Characters that may still be read of an encoding that need not be canonical; undefined if it must be. */
  unread: number | undefined;
}

/** Reads the value that begins at `at`; sets `cursor.error` if undefined. The caller checks that the data is long enough. */
export type ReadWord = (cursor: DecodeCursor, at: number) => AbiValue | undefined;

interface ValueReader {
  /** Characters in the head: of the value itself, or of the offset of its tail. */
  readonly head: number;
  /** Whether the head has an offset and the value is in the tail. */
  readonly dynamic: boolean;
  /** Reads the value at `at`, which for a dynamic one is in the tail; moves the tail behind it. */
  readonly read: ReadWord;
}

/**
 * Creates a strict reader of a type: it accepts only the encoding that compilers write, with tails in order and without
 * gaps. No part of the data is read twice, so the time is linear. Undefined for a type whose values take no space (an
 * array of no items): a few bytes could declare any number of them.
 */
function createValueReader(type: AbiType): ValueReader | undefined {
  const word = createWordReader(type);
  if (word) return { head: WORD_DIGITS, dynamic: false, read: word };
  switch (type.kind) {
    case 'string':
      return { head: WORD_DIGITS, dynamic: true, read: readString };
    case 'array':
      return createArrayReader(type.item, type.length);
    case 'tuple':
      return createTupleReader(type.members);
    default:
      return { head: WORD_DIGITS, dynamic: true, read: readBytes };
  }
}

/** Creates the reader of a type that takes one word; undefined for other types. */
export function createWordReader(type: AbiType): ReadWord | undefined {
  switch (type.kind) {
    case 'address':
      return readAddress;
    case 'bool':
      return readBool;
    case 'uint':
      return createUintReader(type.bits, type.text);
    case 'int':
      return createIntReader(type.bits, type.text);
    case 'fixedBytes':
      return createFixedBytesReader(type.size, type.text);
    default:
      return undefined;
  }
}

/** Reads the topic of an indexed value longer than a word: its hash. */
export function readHashedValue(cursor: DecodeCursor, at: number): AbiValue | undefined {
  return readDigits(cursor, at, at + WORD_DIGITS);
}

function createTupleReader(members: readonly AbiParameter[]): ValueReader | undefined {
  const readers: ValueReader[] = [];
  for (const { type } of members) {
    const reader = createValueReader(type);
    if (reader === undefined) return undefined;
    readers.push(reader);
  }
  if (readers.length === 0) return undefined;
  const head = readers.reduce((sum, reader) => sum + reader.head, 0);
  if (readers.some(({ dynamic }) => dynamic)) {
    return {
      head: WORD_DIGITS,
      dynamic: true,
      read: (cursor, at) => readTuple(cursor, at, { readers, head }),
    };
  }
  return { head, dynamic: false, read: (cursor, at) => readStaticMembers(cursor, at, readers) };
}

interface Sequence {
  readonly readers: readonly ValueReader[];
  readonly head: number;
}

/** Values with tails. Offsets count from `base`. */
function readTuple(cursor: DecodeCursor, base: number, { readers, head }: Sequence): AbiValue[] | undefined {
  if (!hasHead(cursor, base, head)) return undefined;
  cursor.tail = base + head;
  const values: AbiValue[] = [];
  let at = base;
  for (const reader of readers) {
    const value = readMember(cursor, { reader, base, at });
    if (value === undefined) return undefined;
    values.push(value);
    at += reader.head;
  }
  return values;
}

function readStaticMembers(
  cursor: DecodeCursor,
  from: number,
  readers: readonly ValueReader[],
): AbiValue[] | undefined {
  const values: AbiValue[] = [];
  let at = from;
  for (const reader of readers) {
    const value = reader.read(cursor, at);
    if (value === undefined) return undefined;
    values.push(value);
    at += reader.head;
  }
  return values;
}

function createArrayReader(type: AbiType, length: number | undefined): ValueReader | undefined {
  const reader = length === 0 ? undefined : createValueReader(type);
  if (reader === undefined) return undefined;
  if (length === undefined) {
    return { head: WORD_DIGITS, dynamic: true, read: (cursor, at) => readList(cursor, at, reader) };
  }
  if (reader.dynamic) {
    return {
      head: WORD_DIGITS,
      dynamic: true,
      read: (cursor, at) => readItems(cursor, at, { reader, length }),
    };
  }
  const read: ReadWord = (cursor, at) => readStaticItems(cursor, at, { reader, length });
  return { head: reader.head * length, dynamic: false, read };
}

interface Items {
  readonly reader: ValueReader;
  readonly length: number;
}

function readList(cursor: DecodeCursor, at: number, reader: ValueReader): AbiValue[] | undefined {
  if (!hasHead(cursor, at, WORD_DIGITS)) return undefined;
  const length = readSmallUint(cursor.text, at);
  // Check against the data before allocating: the sender chooses the length.
  if (length < 0 || length * reader.head > cursor.text.length - at - WORD_DIGITS)
    return failTooLong(cursor, 'an array');
  return readItems(cursor, at + WORD_DIGITS, { reader, length });
}

function readItems(cursor: DecodeCursor, base: number, items: Items): AbiValue[] | undefined {
  const { reader, length } = items;
  const head = reader.head * length;
  if (!hasHead(cursor, base, head)) return undefined;
  cursor.tail = base + head;
  if (!reader.dynamic) return readStaticItems(cursor, base, items);
  const values: AbiValue[] = [];
  for (let index = 0; index < length; index++) {
    const value = readMember(cursor, { reader, base, at: base + index * reader.head });
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function readStaticItems(
  cursor: DecodeCursor,
  from: number,
  { reader, length }: Items,
): AbiValue[] | undefined {
  const values: AbiValue[] = [];
  for (let index = 0; index < length; index++) {
    const value = reader.read(cursor, from + index * reader.head);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

interface Member {
  readonly reader: ValueReader;
  readonly base: number;
  readonly at: number;
}

function readMember(cursor: DecodeCursor, { reader, base, at }: Member): AbiValue | undefined {
  if (!reader.dynamic) return reader.read(cursor, at);
  // An offset counts bytes, which are two characters each.
  const offset = 2 * readSmallUint(cursor.text, at);
  if (offset === cursor.tail - base || (cursor.unread !== undefined && offset >= 0))
    return reader.read(cursor, base + offset);
  return failWith(cursor, {
    kind: 'offset',
    detail: createMessage('an offset does not match the canonical encoding'),
  });
}

function readString(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const bytes = readByteRange(cursor, at, 'a string');
  if (bytes === undefined) return undefined;
  const digits = readDigits(cursor, bytes.from, bytes.end);
  if (digits === undefined) return undefined;
  const text = decodeUtf8(digits);
  return text ?? failWith(cursor, { kind: 'utf8', detail: createMessage('a string is not UTF-8') });
}

function readBytes(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const bytes = readByteRange(cursor, at, 'bytes');
  return bytes && readDigits(cursor, bytes.from, bytes.end);
}

/** What has a length before it. */
type SizedValue = 'a string' | 'an array' | 'bytes';

/** Where the bytes are whose length is at `at`. Moves the tail behind their padding. */
function readByteRange(cursor: DecodeCursor, at: number, what: SizedValue) {
  if (!hasHead(cursor, at, WORD_DIGITS)) return undefined;
  const length = readSmallUint(cursor.text, at);
  const from = at + WORD_DIGITS;
  const end = from + 2 * length;
  const padded = from + Math.ceil((2 * length) / WORD_DIGITS) * WORD_DIGITS;
  const isStrict = cursor.unread === undefined;
  if (length < 0 || (isStrict ? padded : end) > cursor.text.length) return failTooLong(cursor, what);
  if (!isStrict) {
    cursor.tail = padded;
    return hasHead(cursor, from, end - from) ? { from, end } : undefined;
  }
  for (let place = end; place < padded; place++) {
    if (cursor.text.charCodeAt(place) !== ZERO) {
      return failWith(cursor, {
        kind: 'padding',
        detail: createMessage('the padding after {0} is not zero', createMessage(what)),
      });
    }
  }
  cursor.tail = padded;
  return { from, end };
}

/** Fatal on invalid UTF-8; leaves a byte order mark in the text. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined if the bytes are not UTF-8. */
function decodeUtf8(hex: Hex): string | undefined {
  const bytes = new Uint8Array((hex.length - 2) / 2);
  writeHex(hex, bytes, 0);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The two halves of a 64-bit number, and the same memory as bigint: five times as fast as parsing text. */
const halves = new Uint32Array(2);
const word64 = new BigUint64Array(halves.buffer);
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const LOW = LITTLE_ENDIAN ? 0 : 1;
const HIGH = 1 - LOW;
const NOT_DIGITS: DecodeError = { kind: 'notHex', detail: createMessage('a value is not in lower-case hex') };
const ADDRESS_ZEROS = ZEROS.slice(0, 24);

function readAddress(cursor: DecodeCursor, at: number): AbiValue | undefined {
  if (!cursor.text.startsWith(ADDRESS_ZEROS, at)) return failPadding(cursor, 'address');
  return readDigits(cursor, at + 24, at + WORD_DIGITS);
}

function readBool(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const value = readSmallUint(cursor.text, at);
  if (value === 0 || value === 1) return value === 1;
  return failWith(cursor, { kind: 'bool', detail: createMessage('a bool is neither 0 nor 1') });
}

function createUintReader(bits: number, text: string): ReadWord {
  const zeros = WORD_DIGITS - bits / 4;
  return (cursor, at) => {
    const first = findFirstDigit(cursor.text, at);
    return first < at + zeros ? failRange(cursor, text) : readUint(cursor, first, at + WORD_DIGITS);
  };
}

function createIntReader(bits: number, text: string): ReadWord {
  const wrap = 1n << 256n;
  const minimum = -(1n << BigInt(bits - 1));
  return (cursor, at) => {
    const word = readUint(cursor, findFirstDigit(cursor.text, at), at + WORD_DIGITS);
    if (word === undefined) return undefined;
    // A first digit of 8 or more is the sign.
    const negative = cursor.text.charCodeAt(at) >= NINE - 1;
    const value = negative ? word - wrap : word;
    return value < minimum || value >= -minimum ? failRange(cursor, text) : value;
  };
}

function createFixedBytesReader(size: number, text: string): ReadWord {
  const padding = ZEROS.slice(2 * size);
  return (cursor, at) => {
    if (!cursor.text.startsWith(padding, at + 2 * size)) return failPadding(cursor, text);
    return readDigits(cursor, at, at + 2 * size);
  };
}

/** The number in the word at `at`; -1 if it is malformed, or 2^48 or more: too large for a length or an offset. */
function readSmallUint(text: string, at: number): number {
  const end = at + WORD_DIGITS;
  let place = findFirstDigit(text, at);
  if (end - place > 12 || !isLowerHex(text, place, end)) return -1;
  let value = 0;
  for (; place < end; place++) value = value * 16 + digitAt(text, place);
  return value;
}

/** The position of the first digit other than 0; the end of the word if there is none. */
function findFirstDigit(text: string, at: number): number {
  const end = at + WORD_DIGITS;
  let place = at;
  while (place < end && text.charCodeAt(place) === ZERO) place++;
  return place;
}

function readUint(cursor: DecodeCursor, from: number, end: number): bigint | undefined {
  const { text } = cursor;
  if (!isLowerHex(text, from, end)) return failWith(cursor, NOT_DIGITS);
  if (end - from > 16) return BigInt(`0x${text.slice(from, end)}`);
  let place = from;
  let high = 0;
  for (; place < end - 8; place++) high = (high << 4) | digitAt(text, place);
  let low = 0;
  for (; place < end; place++) low = (low << 4) | digitAt(text, place);
  halves[HIGH] = high;
  halves[LOW] = low;
  return word64[0] as bigint;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= NINE ? code - ZERO : code - 87;
}

function readDigits(cursor: DecodeCursor, from: number, end: number): Hex | undefined {
  if (!isLowerHex(cursor.text, from, end)) return failWith(cursor, NOT_DIGITS);
  return `0x${cursor.text.slice(from, end)}`;
}

function failWith(cursor: DecodeCursor, error: DecodeError): undefined {
  cursor.error = error;
  return undefined;
}

function failPadding(cursor: DecodeCursor, type: string): undefined {
  return failWith(cursor, {
    kind: 'padding',
    detail: createMessage('the padding of a value of type {0} is not zero', foreign(type)),
  });
}

function failRange(cursor: DecodeCursor, type: string): undefined {
  return failWith(cursor, {
    kind: 'range',
    detail: createMessage('a number is out of the range of {0}', foreign(type)),
  });
}

/** Whether `length` more characters follow; sets the error if not. */
function hasHead(cursor: DecodeCursor, at: number, length: number): boolean {
  const missing = at + length - cursor.text.length;
  if (missing <= 0) {
    if (cursor.unread === undefined) return true;
    cursor.unread -= length;
    if (cursor.unread >= 0) return true;
    failWith(cursor, { kind: 'offset', detail: createMessage('offsets repeat the same data too often') });
    return false;
  }
  const detail = Number.isSafeInteger(missing)
    ? createMessage('the data ends {0} bytes too early', missing / 2)
    : createMessage('the data ends far too early');
  failWith(cursor, { kind: 'short', detail });
  return false;
}

function failTooLong(cursor: DecodeCursor, what: SizedValue): undefined {
  return failWith(cursor, {
    kind: 'length',
    detail: createMessage('the length of {0} goes beyond the data', createMessage(what)),
  });
}

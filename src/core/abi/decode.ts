import { writeHex } from '../eth/bytes.ts';
import { type Hex, isLowerHex, parseHexData } from '../eth/hex.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';

/** What is being decoded, and what decoding has come upon. Places are counted in characters of the text. */
export interface DecodeCursor {
  /** Whole bytes behind `0x`. That they are lower-case hex is for the readers to see, each of its own digits. */
  text: string;
  /** Where the next value begins whose place is not fixed. */
  tail: number;
  fault: DecodeError | undefined;
}

/** Reads the value that begins at `at`; undefined with a fault in `cursor`. The words that it needs are there. */
export type ReadWord = (cursor: DecodeCursor, at: number) => AbiValue | undefined;

const WORD_DIGITS = 64;
const ZERO = 48;
const ZEROS = '0'.repeat(WORD_DIGITS);
const NINE = 57;

/** The two halves of a 64-bit number, and the same as bigint: five times as fast as to read it from text. */
const halves = new Uint32Array(2);
const whole = new BigUint64Array(halves.buffer);
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const LOW = LITTLE_ENDIAN ? 0 : 1;
const HIGH = 1 - LOW;

/** What reads a type of one word; undefined for a type that takes more. */
export function createWordReader(type: AbiType): ReadWord | undefined {
  switch (type.kind) {
    case 'address':
      return readAddress;
    case 'bool':
      return readBool;
    case 'uint':
      return uintReader(type.bits, type.text);
    case 'int':
      return intReader(type.bits, type.text);
    case 'fixedBytes':
      return fixedBytesReader(type.size, type.text);
    default:
      return undefined;
  }
}

const NOT_DIGITS: DecodeError = { fault: 'notHex', detail: 'a value is not in lower-case hex' };
const ADDRESS_ZEROS = ZEROS.slice(0, 24);

function readAddress(cursor: DecodeCursor, at: number): AbiValue | undefined {
  if (!cursor.text.startsWith(ADDRESS_ZEROS, at)) return dirty(cursor, 'address');
  return readDigits(cursor, at + 24, at + WORD_DIGITS);
}

/** The topic of what is longer than a word. */
export function readHashedValue(cursor: DecodeCursor, at: number): AbiValue | undefined {
  return readDigits(cursor, at, at + WORD_DIGITS);
}

function readBool(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const value = readSmallUint(cursor.text, at);
  if (value === 0 || value === 1) return value === 1;
  return failWith(cursor, { fault: 'bool', detail: 'a bool is neither 0 nor 1' });
}

function uintReader(bits: number, text: string): ReadWord {
  const zeros = WORD_DIGITS - bits / 4;
  return (cursor, at) => {
    const first = firstDigit(cursor.text, at);
    return first < at + zeros ? outOfRange(cursor, text) : uintFrom(cursor, first, at + WORD_DIGITS);
  };
}

function intReader(bits: number, text: string): ReadWord {
  const wrap = 1n << 256n;
  const least = -(1n << BigInt(bits - 1));
  return (cursor, at) => {
    const word = uintFrom(cursor, firstDigit(cursor.text, at), at + WORD_DIGITS);
    if (word === undefined) return undefined;
    // A first digit of 8 or more is the sign.
    const negative = cursor.text.charCodeAt(at) >= NINE - 1;
    const value = negative ? word - wrap : word;
    return value < least || value >= -least ? outOfRange(cursor, text) : value;
  };
}

function fixedBytesReader(size: number, text: string): ReadWord {
  const padding = ZEROS.slice(2 * size);
  return (cursor, at) => {
    if (!cursor.text.startsWith(padding, at + 2 * size)) return dirty(cursor, text);
    return readDigits(cursor, at, at + 2 * size);
  };
}

/** The number in the word at `at`; -1 where it is none or above 2^48, which no length or place is. */
function readSmallUint(text: string, at: number): number {
  const end = at + WORD_DIGITS;
  let place = firstDigit(text, at);
  if (end - place > 12 || !isLowerHex(text, place, end)) return -1;
  let value = 0;
  for (; place < end; place++) value = value * 16 + digitAt(text, place);
  return value;
}

/** Where the first digit stands that is not 0; the end of the word where all are. */
function firstDigit(text: string, at: number): number {
  const end = at + WORD_DIGITS;
  let place = at;
  while (place < end && text.charCodeAt(place) === ZERO) place++;
  return place;
}

function uintFrom(cursor: DecodeCursor, from: number, end: number): bigint | undefined {
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
  return whole[0] as bigint;
}

/** The value of a digit in lower case. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= NINE ? code - ZERO : code - 87;
}

/** Digits as they are, behind `0x`. */
function readDigits(cursor: DecodeCursor, from: number, end: number): Hex | undefined {
  if (!isLowerHex(cursor.text, from, end)) return failWith(cursor, NOT_DIGITS);
  return `0x${cursor.text.slice(from, end)}`;
}

/** Notes what is wrong. */
function failWith(cursor: DecodeCursor, fault: DecodeError): undefined {
  cursor.fault = fault;
  return undefined;
}

function dirty(cursor: DecodeCursor, type: string): undefined {
  return failWith(cursor, { fault: 'padding', detail: `the padding of a value of type ${type} is not zero` });
}

function outOfRange(cursor: DecodeCursor, type: string): undefined {
  return failWith(cursor, { fault: 'range', detail: `a number is out of the range of ${type}` });
}

function readString(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const bytes = readRaw(cursor, at, 'a string');
  if (bytes === undefined) return undefined;
  const digits = readDigits(cursor, bytes.from, bytes.end);
  if (digits === undefined) return undefined;
  const text = decodeUtf8(digits);
  return text ?? failWith(cursor, { fault: 'utf8', detail: 'a string is not UTF-8' });
}

function readBytes(cursor: DecodeCursor, at: number): AbiValue | undefined {
  const bytes = readRaw(cursor, at, 'bytes');
  return bytes && readDigits(cursor, bytes.from, bytes.end);
}

/** Where the characters stand that the length at `at` announces. Moves the tail behind their padding. */
function readRaw(cursor: DecodeCursor, at: number, what: string) {
  if (!hasHead(cursor, at, WORD_DIGITS)) return undefined;
  const length = readSmallUint(cursor.text, at);
  const from = at + WORD_DIGITS;
  const end = from + 2 * length;
  const padded = from + Math.ceil((2 * length) / WORD_DIGITS) * WORD_DIGITS;
  if (length < 0 || padded > cursor.text.length) return failTooLong(cursor, what);
  for (let place = end; place < padded; place++) {
    if (cursor.text.charCodeAt(place) !== 48) {
      return failWith(cursor, {
        fault: 'padding',
        detail: `what follows ${what} up to a whole word is not zero`,
      });
    }
  }
  cursor.tail = padded;
  return { from, end };
}

/** Whether the data go on for as long. */
function hasHead(cursor: DecodeCursor, at: number, length: number): boolean {
  const lacking = at + length - cursor.text.length;
  if (lacking <= 0) return true;
  const bytes = Number.isSafeInteger(lacking) ? `${lacking / 2} bytes` : 'far';
  failWith(cursor, { fault: 'short', detail: `the data ends ${bytes} too early` });
  return false;
}

/** Notes that a length is beyond what is there. */
function failTooLong(cursor: DecodeCursor, what: string): undefined {
  return failWith(cursor, { fault: 'length', detail: `the length of ${what} goes beyond the data` });
}

/** How values of one type are read. */
export interface ValueReader {
  /** Characters in the head: of the value itself, or of the offset that says where it is. */
  readonly head: number;
  /** Whether the value stands in the tail, and an offset in the head. */
  readonly dynamic: boolean;
  /** Reads the value at `at`, which for a dynamic one is the tail; moves the tail behind it. */
  readonly read: ReadWord;
}

/**
 * What reads values of a type, strictly: only the encoding that the compilers write, in which tails lie in order and
 * without gaps, so that no part of the data is read twice and the time follows from its length. Undefined for a type
 * whose values take no space (an array of no items), of which a few bytes would stand for any number.
 */
export function createValueReader(type: AbiType): ValueReader | undefined {
  const word = createWordReader(type);
  if (word) return { head: WORD_DIGITS, dynamic: false, read: word };
  switch (type.kind) {
    case 'string':
      return { head: WORD_DIGITS, dynamic: true, read: readString };
    case 'array':
      return arrayReader(type.item, type.length);
    case 'tuple':
      return createTupleReader(type.members);
    default:
      return { head: WORD_DIGITS, dynamic: true, read: readBytes };
  }
}

/** Reads one value after the other, the heads first. */
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
  return { head, dynamic: false, read: (cursor, at) => readStatic(cursor, at, readers) };
}

/** Members and the size of all their heads. */
interface Sequence {
  readonly readers: readonly ValueReader[];
  readonly head: number;
}

/** Values with tails; `base` is where their offsets count from. */
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

function readStatic(
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

function arrayReader(type: AbiType, length: number | undefined): ValueReader | undefined {
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

/** A length and as many items. */
function readList(cursor: DecodeCursor, at: number, reader: ValueReader): AbiValue[] | undefined {
  if (!hasHead(cursor, at, WORD_DIGITS)) return undefined;
  const length = readSmallUint(cursor.text, at);
  // Compared by what is there before anything is made: the length is whatever the sender wrote.
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
  // In characters the offset is twice as far.
  if (2 * readSmallUint(cursor.text, at) === cursor.tail - base) return reader.read(cursor, cursor.tail);
  return failWith(cursor, {
    fault: 'offset',
    detail: 'an offset is not the one that the encoding has there',
  });
}

/** Reads values that must fill the data, of which the case counts: lower. */
export type ParameterDecoder = (data: Hex) => readonly AbiValue[] | DecodeError;

const EMPTY_TYPE: DecodeError = { fault: 'emptyType', detail: 'a type has values that take no space' };
/** Digits are looked at where they are read. */
const NOT_HEX: DecodeError = { fault: 'notHex', detail: 'the data is not whole bytes in hex' };

/** What reads values of these types, for use again and again. */
export function compileParameters(parameters: readonly AbiParameter[]): ParameterDecoder {
  const reader = createTupleReader(parameters);
  if (reader === undefined && parameters.length > 0) return () => EMPTY_TYPE;
  const head = reader && !reader.dynamic ? reader.head : 0;
  return (text) => {
    if (text.length % 2 !== 0 || !text.startsWith('0x')) return NOT_HEX;
    const cursor: DecodeCursor = { text, tail: 2 + head, fault: undefined };
    // A dynamic tuple looks for its head itself.
    const values = hasHead(cursor, 2, head) ? readFrom(cursor, reader) : undefined;
    return values ?? cursor.fault ?? NOT_HEX;
  };
}

function readFrom(
  cursor: DecodeCursor,
  reader: ReturnType<typeof createTupleReader>,
): readonly AbiValue[] | undefined {
  const values = reader ? reader.read(cursor, 2) : [];
  if (values === undefined) return undefined;
  const rest = (cursor.text.length - cursor.tail) / 2;
  if (rest === 0) return values as readonly AbiValue[];
  return failWith(cursor, { fault: 'rest', detail: `the data is ${rest} bytes longer than its types say` });
}

/**
 * Decodes ABI-encoded values, strictly: only what encoded again gives the same bytes, as compilers write it
 * (https://docs.soliditylang.org/en/latest/abi-spec.html#strict-encoding-mode). Anything else is a fault with its
 * reason; nothing is thrown, and the time follows from the length of the data, whatever it says.
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

/** Why something is not the encoding of what its types say. */
export interface DecodeError {
  readonly fault: DecodeErrorCode;
  /** What is wrong, to stand behind `because`. */
  readonly detail: string;
}

/**
 * Whether decoding failed.
 *
 * @example isDecodeError([1n]) // false
 */
export function isDecodeError(result: readonly AbiValue[] | DecodeError): result is DecodeError {
  return !Array.isArray(result);
}

/** Strict, and leaves a byte order mark where it is. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text whose UTF-8 these bytes are; undefined where they are none. */
function decodeUtf8(hex: Hex): string | undefined {
  const bytes = new Uint8Array((hex.length - 2) / 2);
  writeHex(hex, bytes, 0);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

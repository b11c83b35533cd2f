import { type Hex, isLowerHex } from '../../values/hex.ts';
import type { AbiType, AbiValue } from '../abiType.ts';
import type { DecodeFault } from './decodeFault.ts';

/** What is being decoded, and what decoding has come upon. Places are counted in characters of the text. */
export interface Cursor {
  /** Whole bytes behind `0x`. That they are lower-case hex is for the readers to see, each of its own digits. */
  text: string;
  /** Where the next value begins whose place is not fixed. */
  tail: number;
  fault: DecodeFault | undefined;
}

/** Reads the value that begins at `at`; undefined with a fault in `cursor`. The words that it needs are there. */
export type ReadWord = (cursor: Cursor, at: number) => AbiValue | undefined;

export const WORD = 64;
const ZERO = 48;
const ZEROS = '0'.repeat(WORD);
const NINE = 57;

/** The two halves of a 64-bit number, and the same as bigint: five times as fast as to read it from text. */
const halves = new Uint32Array(2);
const whole = new BigUint64Array(halves.buffer);
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const LOW = LITTLE_ENDIAN ? 0 : 1;
const HIGH = 1 - LOW;

/** What reads a type of one word; undefined for a type that takes more. */
export function wordReader(type: AbiType): ReadWord | undefined {
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

const NOT_DIGITS: DecodeFault = { fault: 'notHex', detail: 'a value is not in lower-case hex' };
const ADDRESS_ZEROS = ZEROS.slice(0, 24);

function readAddress(cursor: Cursor, at: number): AbiValue | undefined {
  if (!cursor.text.startsWith(ADDRESS_ZEROS, at)) return dirty(cursor, 'address');
  return readDigits(cursor, at + 24, at + WORD);
}

/** The topic of what is longer than a word. */
export function readHash(cursor: Cursor, at: number): AbiValue | undefined {
  return readDigits(cursor, at, at + WORD);
}

function readBool(cursor: Cursor, at: number): AbiValue | undefined {
  const value = smallUint(cursor.text, at);
  if (value === 0 || value === 1) return value === 1;
  return failed(cursor, { fault: 'bool', detail: 'a bool is neither 0 nor 1' });
}

function uintReader(bits: number, text: string): ReadWord {
  const zeros = WORD - bits / 4;
  return (cursor, at) => {
    const first = firstDigit(cursor.text, at);
    return first < at + zeros ? outOfRange(cursor, text) : uintFrom(cursor, first, at + WORD);
  };
}

function intReader(bits: number, text: string): ReadWord {
  const wrap = 1n << 256n;
  const least = -(1n << BigInt(bits - 1));
  return (cursor, at) => {
    const word = uintFrom(cursor, firstDigit(cursor.text, at), at + WORD);
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
export function smallUint(text: string, at: number): number {
  const end = at + WORD;
  let place = firstDigit(text, at);
  if (end - place > 12 || !isLowerHex(text, place, end)) return -1;
  let value = 0;
  for (; place < end; place++) value = value * 16 + digitAt(text, place);
  return value;
}

/** Where the first digit stands that is not 0; the end of the word where all are. */
function firstDigit(text: string, at: number): number {
  const end = at + WORD;
  let place = at;
  while (place < end && text.charCodeAt(place) === ZERO) place++;
  return place;
}

function uintFrom(cursor: Cursor, from: number, end: number): bigint | undefined {
  const { text } = cursor;
  if (!isLowerHex(text, from, end)) return failed(cursor, NOT_DIGITS);
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
export function readDigits(cursor: Cursor, from: number, end: number): Hex | undefined {
  if (!isLowerHex(cursor.text, from, end)) return failed(cursor, NOT_DIGITS);
  return `0x${cursor.text.slice(from, end)}`;
}

/** Notes what is wrong. */
export function failed(cursor: Cursor, fault: DecodeFault): undefined {
  cursor.fault = fault;
  return undefined;
}

function dirty(cursor: Cursor, type: string): undefined {
  return failed(cursor, { fault: 'padding', detail: `the padding of a value of type ${type} is not zero` });
}

function outOfRange(cursor: Cursor, type: string): undefined {
  return failed(cursor, { fault: 'range', detail: `a number is out of the range of ${type}` });
}

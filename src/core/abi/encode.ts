import { keccak256 } from 'ox/Hash';
import { badInput } from '../base/errors.ts';
import { createMessage, foreign } from '../base/text.ts';
import { readHex, writeHex } from '../eth/bytes.ts';
import { type Address, type Hex, parseHexData } from '../eth/hex.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';
import { parseValue } from './value.ts';

const WORD_DIGITS = 64;
const WRAP = 1n << 256n;
const utf8 = new TextEncoder();

/**
 * ABI-encodes values, as compilers do: https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 *
 * @throws AppError `badInput` for `values` if a value does not fit its type.
 * @example
 * encodeParameters([{ name: 'amount', type: { kind: 'uint', bits: 8, text: 'uint8' } }], [7n]) // toAbiWord(7n)
 */
export function encodeParameters(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Hex {
  return `0x${encodeMembers(
    parameters.map(({ type }) => type),
    values,
  )}`;
}

/**
 * A value as a 32-byte word, as in a topic or an argument of a call (Solidity ABI specification).
 *
 * @param value an unsigned integer under 2^256, or an address.
 * @example
 * toAbiWord(255n); // '0x00…ff', 64 digits
 */
export function toAbiWord(value: bigint | Address): Hex {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return `0x${digits.padStart(WORD_DIGITS, '0')}`;
}

/**
 * The topic of an indexed parameter: the value if it is one word, else its hash.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#encoding-of-indexed-event-parameters
 *
 * @throws AppError `badInput` for `values` if the value does not fit the type.
 * @example encodeTopic({ kind: 'bool', text: 'bool' }, true) // toAbiWord(1n)
 */
export function encodeTopic(type: AbiType, value: AbiValue): Hex {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return hashDigits(encodeContent(type, value));
    case 'array':
    case 'tuple':
      return hashDigits(encodeInPlace(type, value));
    default:
      return `0x${encodeWord(type, value)}`;
  }
}

/**
 * The topic of an indexed parameter, from its value as {@link parseValue} reads it; text and bytes are hashed. For an
 * array or a tuple, the text is the topic itself: 32 bytes of hex.
 *
 * @throws AppError `badInput` for `field`.
 * @example parseTopic({ kind: 'bool', text: 'bool' }, 'true', 'args.ok') // toAbiWord(1n)
 */
export function parseTopic(type: AbiType, text: string, field: string): Hex {
  const needsHash = type.kind === 'array' || type.kind === 'tuple';
  const topic = needsHash ? parseHexData(text.trim(), 32) : undefined;
  return topic ?? encodeTopic(type, parseValue(type, text, field));
}

/** Encodes without offsets and lengths, each value padded to whole words. */
function encodeInPlace(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return padToWord(encodeContent(type, value));
    case 'array':
      return requireList(type, value)
        .map((item) => encodeInPlace(type.item, item))
        .join('');
    case 'tuple': {
      const values = requireList(type, value);
      return type.members
        .map((member, index) => encodeInPlace(member.type, values[index] as AbiValue))
        .join('');
    }
    default:
      return encodeWord(type, value);
  }
}

function hashDigits(digits: string): Hex {
  const bytes = new Uint8Array(digits.length / 2);
  writeHex(`0x${digits}`, bytes, 0);
  return keccak256(bytes, { as: 'Hex' });
}

/** The heads, in which a dynamic value has the offset of its tail, then the tails. */
function encodeMembers(types: readonly AbiType[], values: readonly AbiValue[]): string {
  if (types.length !== values.length)
    throw badInput('values', createMessage('The number of values must be {0}.', types.length));
  const parts = types.map((type, index) => ({
    dynamic: isDynamic(type),
    digits: encodeValue(type, values[index] as AbiValue),
  }));
  let tailOffset = parts.reduce(
    (sum, { dynamic, digits }) => sum + (dynamic ? WORD_DIGITS : digits.length),
    0,
  );
  let heads = '';
  let tails = '';
  for (const { dynamic, digits } of parts) {
    heads += dynamic ? encodeLength(tailOffset / 2) : digits;
    if (!dynamic) continue;
    tails += digits;
    tailOffset += digits.length;
  }
  return heads + tails;
}

function encodeValue(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes': {
      const digits = encodeContent(type, value);
      return encodeLength(digits.length / 2) + padToWord(digits);
    }
    case 'array': {
      const items = requireList(type, value);
      const digits = encodeMembers(Array(items.length).fill(type.item), items);
      return type.length === undefined ? encodeLength(items.length) + digits : digits;
    }
    case 'tuple':
      return encodeMembers(
        type.members.map((member) => member.type),
        requireList(type, value),
      );
    default:
      return encodeWord(type, value);
  }
}

function encodeWord(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'uint':
      if (typeof value === 'bigint' && value >= 0n && value < 1n << BigInt(type.bits))
        return encodeUint(value);
      break;
    case 'int': {
      const limit = 1n << BigInt(type.bits - 1);
      if (typeof value === 'bigint' && value >= -limit && value < limit) {
        return encodeUint(value < 0n ? value + WRAP : value);
      }
      break;
    }
    case 'bool':
      if (typeof value === 'boolean') return encodeUint(value ? 1n : 0n);
      break;
    case 'address':
      return parseDigits(type, value, 20).padStart(WORD_DIGITS, '0');
    case 'fixedBytes':
      return parseDigits(type, value, type.size).padEnd(WORD_DIGITS, '0');
  }
  throw wrongTypeError(type);
}

/** The content of a `string` or `bytes`, without its length. */
function encodeContent(type: AbiType, value: AbiValue): string {
  if (type.kind !== 'string') return parseDigits(type, value, undefined);
  if (typeof value !== 'string') throw wrongTypeError(type);
  const bytes = utf8.encode(value);
  return readHex(bytes, 0, bytes.length).slice(2);
}

function padToWord(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, '0');
}

function requireList(type: AbiType, value: AbiValue): readonly AbiValue[] {
  const length =
    type.kind === 'array' ? type.length : type.kind === 'tuple' ? type.members.length : undefined;
  if (typeof value !== 'object' || (length !== undefined && value.length !== length))
    throw wrongTypeError(type);
  return value;
}

function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return true;
    case 'array':
      return type.length === undefined || isDynamic(type.item);
    case 'tuple':
      return type.members.some((member) => isDynamic(member.type));
    default:
      return false;
  }
}

function parseDigits(type: AbiType, value: AbiValue, bytes: number | undefined): string {
  const hex = parseHexData(value, bytes);
  if (hex === undefined) throw wrongTypeError(type);
  return hex.slice(2);
}

function encodeUint(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0');
}

function encodeLength(length: number): string {
  return length.toString(16).padStart(WORD_DIGITS, '0');
}

function wrongTypeError({ text }: AbiType) {
  return badInput('values', createMessage('Not a value of type {0}.', foreign(text)));
}

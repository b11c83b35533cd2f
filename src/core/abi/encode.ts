import { keccak256 } from 'ox/Hash';
import { badInput } from '../base/errors.ts';
import { readHex, writeHex } from '../eth/bytes.ts';
import { type Address, type Hex, parseHexData } from '../eth/hex.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';
import { parseValue } from './value.ts';

const WORD = 64;
const WRAP = 1n << 256n;
const utf8 = new TextEncoder();

/**
 * ABI-encodes values, as the compilers do: https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 *
 * @throws AppError `badInput` for `values` where one is none of its type.
 * @example
 * encodeParameters([{ name: 'amount', type: { kind: 'uint', bits: 8, text: 'uint8' } }], [7n]) // toAbiWord(7n)
 */
export function encodeParameters(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Hex {
  return `0x${encodeMembers(
    parameters.map(({ type }) => type),
    values,
  )}`;
}

/** Heads, in which a dynamic value has the place of its tail, then the tails. */
function encodeMembers(types: readonly AbiType[], values: readonly AbiValue[]): string {
  if (types.length !== values.length) throw badInput('values', `${types.length} values are needed.`);
  const parts = types.map((type, index) => ({
    dynamic: isDynamic(type),
    digits: encodeValue(type, values[index] as AbiValue),
  }));
  let place = parts.reduce((sum, { dynamic, digits }) => sum + (dynamic ? WORD : digits.length), 0);
  let heads = '';
  let tails = '';
  for (const { dynamic, digits } of parts) {
    heads += dynamic ? lengthWord(place / 2) : digits;
    if (!dynamic) continue;
    tails += digits;
    place += digits.length;
  }
  return heads + tails;
}

function encodeValue(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes': {
      const digits = dynamicDigits(type, value);
      return lengthWord(digits.length / 2) + padToWord(digits);
    }
    case 'array': {
      const items = requireList(type, value);
      const digits = encodeMembers(Array(items.length).fill(type.item), items);
      return type.length === undefined ? lengthWord(items.length) + digits : digits;
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

/** A value of one word: 64 digits. */
function encodeWord(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'uint':
      if (typeof value === 'bigint' && value >= 0n && value < 1n << BigInt(type.bits)) return word(value);
      break;
    case 'int': {
      const limit = 1n << BigInt(type.bits - 1);
      if (typeof value === 'bigint' && value >= -limit && value < limit) {
        return word(value < 0n ? value + WRAP : value);
      }
      break;
    }
    case 'bool':
      if (typeof value === 'boolean') return word(value ? 1n : 0n);
      break;
    case 'address':
      return hexDigits(type, value, 20).padStart(WORD, '0');
    case 'fixedBytes':
      return hexDigits(type, value, type.size).padEnd(WORD, '0');
  }
  throw notOf(type);
}

/** What a `string` or `bytes` holds, without its length. */
function dynamicDigits(type: AbiType, value: AbiValue): string {
  if (type.kind !== 'string') return hexDigits(type, value, undefined);
  if (typeof value !== 'string') throw notOf(type);
  const bytes = utf8.encode(value);
  return readHex(bytes, 0, bytes.length).slice(2);
}

/** Digits with zeros up to a whole word. */
function padToWord(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
}

/** The values of an array or a tuple, as many as there have to be. */
function requireList(type: AbiType, value: AbiValue): readonly AbiValue[] {
  const length =
    type.kind === 'array' ? type.length : type.kind === 'tuple' ? type.members.length : undefined;
  if (typeof value !== 'object' || (length !== undefined && value.length !== length)) throw notOf(type);
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

function hexDigits(type: AbiType, value: AbiValue, bytes: number | undefined): string {
  const hex = parseHexData(value, bytes);
  if (hex === undefined) throw notOf(type);
  return hex.slice(2);
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0');
}

function lengthWord(length: number): string {
  return length.toString(16).padStart(WORD, '0');
}

function notOf({ text }: AbiType) {
  return badInput('values', `Not a value of type ${text}.`);
}

/**
 * The topic that an indexed parameter with this value has: the value where it is one word, else a hash of it.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#encoding-of-indexed-event-parameters
 *
 * @throws AppError `badInput` for `values` where the value is none of the type.
 * @example encodeTopic({ kind: 'bool', text: 'bool' }, true) // toAbiWord(1n)
 */
export function encodeTopic(type: AbiType, value: AbiValue): Hex {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return hashOf(dynamicDigits(type, value));
    case 'array':
    case 'tuple':
      return hashOf(inPlace(type, value));
    default:
      return `0x${encodeWord(type, value)}`;
  }
}

/** Without offsets and lengths, each value up to a whole word. */
function inPlace(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return padToWord(dynamicDigits(type, value));
    case 'array':
      return requireList(type, value)
        .map((item) => inPlace(type.item, item))
        .join('');
    case 'tuple': {
      const values = requireList(type, value);
      return type.members.map((member, index) => inPlace(member.type, values[index] as AbiValue)).join('');
    }
    default:
      return encodeWord(type, value);
  }
}

function hashOf(digits: string): Hex {
  const bytes = new Uint8Array(digits.length / 2);
  writeHex(`0x${digits}`, bytes, 0);
  return keccak256(bytes, { as: 'Hex' });
}

/**
 * The topic of an indexed parameter, from its value as people write it, as {@link parseValue} does; text and bytes are
 * hashed. Of an array or a tuple the topic itself is taken: 32 bytes of hex.
 *
 * @throws AppError `badInput` for `field`.
 * @example parseTopic({ kind: 'bool', text: 'bool' }, 'true', 'args.ok') // toAbiWord(1n)
 */
export function parseTopic(type: AbiType, text: string, field: string): Hex {
  const isHashAlone = type.kind === 'array' || type.kind === 'tuple';
  const topic = isHashAlone ? parseHexData(text.trim(), 32) : undefined;
  return topic ?? encodeTopic(type, parseValue(type, text, field));
}

/**
 * A value as a 32-byte word, as it stands in a topic or an argument of a call (Solidity ABI specification).
 *
 * @param value an unsigned integer under 2^256, or an address.
 * @example
 * toAbiWord(255n); // '0x00…ff', 64 digits
 */
export function toAbiWord(value: bigint | Address): Hex {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return `0x${digits.padStart(64, '0')}`;
}

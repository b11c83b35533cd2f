import { badInput } from '../../base/errors.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { readHex } from '../../values/hexBytes.ts';
import type { AbiParameter, AbiType, AbiValue } from '../abiType.ts';

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
      const digits = rawDigits(type, value);
      return lengthWord(digits.length / 2) + padded(digits);
    }
    case 'array': {
      const items = listOf(type, value);
      const digits = encodeMembers(Array(items.length).fill(type.item), items);
      return type.length === undefined ? lengthWord(items.length) + digits : digits;
    }
    case 'tuple':
      return encodeMembers(
        type.members.map((member) => member.type),
        listOf(type, value),
      );
    default:
      return encodeWord(type, value);
  }
}

/** A value of one word: 64 digits. */
export function encodeWord(type: AbiType, value: AbiValue): string {
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
export function rawDigits(type: AbiType, value: AbiValue): string {
  if (type.kind !== 'string') return hexDigits(type, value, undefined);
  if (typeof value !== 'string') throw notOf(type);
  const bytes = utf8.encode(value);
  return readHex(bytes, 0, bytes.length).slice(2);
}

/** Digits with zeros up to a whole word. */
export function padded(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
}

/** The values of an array or a tuple, as many as there have to be. */
export function listOf(type: AbiType, value: AbiValue): readonly AbiValue[] {
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

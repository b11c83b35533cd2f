import { badInput } from '../../base/errors.ts';
import { requireAddress } from '../../values/address.ts';
import { parseHexData } from '../../values/hex.ts';
import type { AbiType, AbiValue } from '../abiType.ts';

/** Characters of an integer, with its sign and underscores: 2^256 has 78 digits. What is longer is not looked at. */
const LONGEST_INTEGER = 160;
const INTEGER = /^-?(?:\d+(?:_\d+)*|0x[0-9a-f]+)$/i;
/** Digits of a bound that is written in full. */
const SHORT_BOUND = 12;

/**
 * A value of a type as people write it: an address, `true` or `false`, an integer in decimal (underscores between its
 * digits allowed) or in `0x` hex, both with `-` before them for one below zero, bytes as `0x` and hex digits. Text is
 * the value of a `string` as it stands. Arrays and tuples are not read.
 *
 * @throws AppError `badInput` for `field`, with what the type takes.
 * @example readValue({ kind: 'int', bits: 8, text: 'int8' }, '-0x80', 'args.change') // -128n
 */
export function readValue(type: AbiType, text: string, field: string): AbiValue {
  const typed = text.trim();
  switch (type.kind) {
    case 'string':
      return text;
    case 'uint':
    case 'int':
      return readInteger(type, typed, field);
    case 'address':
      return requireAddress(typed, field);
    case 'bool':
      if (/^(?:true|false)$/i.test(typed)) return typed.toLowerCase() === 'true';
      throw badInput(field, 'Not a bool: write true or false.', { code: 'notBool' });
    case 'bytes': {
      const value = parseHexData(typed);
      if (value) return value;
      const message = 'Not bytes: write 0x and two hex digits for each byte.';
      throw badInput(field, message, { code: 'notBytes' });
    }
    case 'fixedBytes': {
      const value = parseHexData(typed, type.size);
      if (value) return value;
      const values = [type.text, String(type.size * 2)];
      const message = `Not a ${values[0]}: expected 0x and ${values[1]} hex digits.`;
      throw badInput(field, message, { code: 'notFixedBytes', values });
    }
    default:
      throw badInput(
        field,
        `An indexed ${type.text} is stored as its hash: enter that, 0x and 64 hex digits.`,
        { code: 'onlyHash', values: [type.text] },
      );
  }
}

type IntegerType = Extract<AbiType, { readonly kind: 'uint' | 'int' }>;

/**
 * The least and the greatest value of an integer type.
 *
 * @example integerBounds({ kind: 'int', bits: 8, text: 'int8' }) // [-128n, 127n]
 */
export function integerBounds({ kind, bits }: IntegerType): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1);
  return kind === 'int' ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

function readInteger(type: IntegerType, typed: string, field: string): bigint {
  if (typed.length > LONGEST_INTEGER || !INTEGER.test(typed)) {
    throw badInput(field, 'Not an integer: write digits, or 0x and hex digits.', { code: 'notInteger' });
  }
  const size = BigInt(typed.replace('-', '').replaceAll('_', ''));
  const value = typed.startsWith('-') ? -size : size;
  const [least, greatest] = integerBounds(type);
  if (value >= least && value <= greatest) return value;
  const values = [type.text, boundText(least), boundText(greatest)];
  const message = `Out of range: ${values[0]} allows ${values[1]} to ${values[2]}.`;
  throw badInput(field, message, { code: 'outOfBounds', values });
}

/**
 * A bound of an integer type: in full where it is short, else as a power of two.
 *
 * @example boundText(2n ** 256n - 1n) // '2^256 - 1'
 */
export function boundText(bound: bigint): string {
  const text = bound.toString();
  if (text.length <= SHORT_BOUND) return text;
  const power = (bound < 0n ? -bound : bound + 1n).toString(2).length - 1;
  return bound < 0n ? `-2^${power}` : `2^${power} - 1`;
}

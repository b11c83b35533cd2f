import { badInput } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, parseHexData, requireAddress } from '../eth/hex.ts';
import { groupDigits } from '../eth/units.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';

/** Characters of an integer, with its sign and underscores: 2^256 has 78 digits. What is longer is not looked at. */
const MAX_INTEGER_CHARS = 160;
const INTEGER = /^-?(?:\d+(?:_\d+)*|0x[0-9a-f]+)$/i;
/** Digits of a bound that is written in full. */
const MAX_BOUND_DIGITS = 12;

/**
 * A value of a type as people write it: an address, `true` or `false`, an integer in decimal (underscores between its
 * digits allowed) or in `0x` hex, both with `-` before them for one below zero, bytes as `0x` and hex digits. Text is
 * the value of a `string` as it stands. Arrays and tuples are not read.
 *
 * @throws AppError `badInput` for `field`, with what the type takes.
 * @example parseValue({ kind: 'int', bits: 8, text: 'int8' }, '-0x80', 'args.change') // -128n
 */
export function parseValue(type: AbiType, text: string, field: string): AbiValue {
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
 * @example getIntegerBounds({ kind: 'int', bits: 8, text: 'int8' }) // [-128n, 127n]
 */
export function getIntegerBounds({ kind, bits }: IntegerType): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1);
  return kind === 'int' ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

function readInteger(type: IntegerType, typed: string, field: string): bigint {
  if (typed.length > MAX_INTEGER_CHARS || !INTEGER.test(typed)) {
    throw badInput(field, 'Not an integer: write digits, or 0x and hex digits.', { code: 'notInteger' });
  }
  const size = BigInt(typed.replace('-', '').replaceAll('_', ''));
  const value = typed.startsWith('-') ? -size : size;
  const [least, greatest] = getIntegerBounds(type);
  if (value >= least && value <= greatest) return value;
  const values = [type.text, formatIntegerBound(least), formatIntegerBound(greatest)];
  const message = `Out of range: ${values[0]} allows ${values[1]} to ${values[2]}.`;
  throw badInput(field, message, { code: 'outOfBounds', values });
}

/**
 * A bound of an integer type: in full where it is short, else as a power of two.
 *
 * @example formatIntegerBound(2n ** 256n - 1n) // '2^256 - 1'
 */
export function formatIntegerBound(bound: bigint): string {
  const text = bound.toString();
  if (text.length <= MAX_BOUND_DIGITS) return text;
  const power = (bound < 0n ? -bound : bound + 1n).toString(2).length - 1;
  return bound < 0n ? `-2^${power}` : `2^${power} - 1`;
}

interface ValueTextOptions {
  /** How an address is called. */
  readonly address?: (address: Address) => string;
  /** Characters after which it is cut; what is behind them is not even made. Default 500. */
  readonly most?: number;
}

/**
 * A value as a person reads it, on one line: integers grouped, `[1, 2]` for arrays, `{token: 0x…, amount: 5}` for tuples,
 * in parentheses where a member has no name. Strings inside of arrays and tuples stand in quotes.
 *
 * @example formatAbiValue({ kind: 'uint', bits: 256, text: 'uint256' }, 1250n) // '1,250'
 */
export function formatAbiValue(type: AbiType, value: AbiValue, options: ValueTextOptions = {}): string {
  const { most = 500 } = options;
  const text = textOf({ type, value }, { ...options, most }, false);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

interface Typed {
  readonly type: AbiType;
  readonly value: AbiValue;
}

function textOf(
  { type, value }: Typed,
  options: ValueTextOptions & { readonly most: number },
  inside: boolean,
): string {
  switch (type.kind) {
    case 'array':
      return typeof value === 'object'
        ? list(
            value.map((item) => ({ name: '', type: type.item, value: item })),
            options,
            '[]',
          )
        : String(value);
    case 'tuple': {
      if (typeof value !== 'object') return String(value);
      const items = type.members.map((member, index) => ({ ...member, value: value[index] ?? '' }));
      return list(items, options, items.every(({ name }) => name !== '') ? '{}' : '()');
    }
    case 'address':
      return options.address?.(value as Address) ?? String(value);
    case 'string': {
      const text = sanitizeText(String(value), options.most);
      return inside ? `"${text}"` : text;
    }
    default:
      return typeof value === 'bigint' ? groupDigits(value) : String(value);
  }
}

function list(
  items: readonly (Typed & { readonly name: string })[],
  options: ValueTextOptions & { readonly most: number },
  [open, close]: string,
): string {
  let text = open ?? '';
  for (const [index, { name, ...item }] of items.entries()) {
    if (index > 0) text += ', ';
    if (text.length > options.most) return text;
    if (open === '{') text += `${name}: `;
    text += textOf(item, { ...options, most: options.most - text.length }, true);
  }
  return text + (close ?? '');
}

export type AbiJson = string | boolean | readonly AbiJson[] | { readonly [name: string]: AbiJson };

/**
 * A value as JSON: integers as decimal strings, addresses and bytes as hex; a tuple as an object where all its members
 * have names, each another, and as a list otherwise.
 *
 * @example
 * abiValueToJson({ kind: 'uint', bits: 256, text: 'uint256' }, 2n ** 64n) // '18446744073709551616'
 */
export function abiValueToJson(type: AbiType, value: AbiValue): AbiJson {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (type.kind === 'array') return value.map((item) => abiValueToJson(type.item, item));
  const members = type.kind === 'tuple' ? type.members : [];
  const values = members.map((member, index) => abiValueToJson(member.type, value[index] as AbiValue));
  if (!areKeys(members)) return values;
  return Object.fromEntries(members.map(({ name }, index) => [name, values[index] as AbiJson]));
}

/** `__proto__` is no key that every reader of JSON takes for a plain one. */
function areKeys(members: readonly AbiParameter[]): boolean {
  const names = new Set(members.map(({ name }) => name));
  return names.size === members.length && !names.has('') && !names.has('__proto__');
}

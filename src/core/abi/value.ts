import { badInput } from '../base/errors.ts';
import { createMessage, foreign, groupDigits, sanitizeText } from '../base/text.ts';
import { type Address, parseHexData, requireAddress } from '../eth/hex.ts';
import { formatUnits, formatUnitsGrouped } from '../eth/units.ts';
import { formatAmount, resolveUnit, type UnitsOf } from '../tokens/amounts.ts';
import { formatEnumMember } from './enums.ts';
import type { AbiParameter, AbiType, AbiValue, EnumType } from './type.ts';

/** With sign and underscores; 2^256 has 78 digits. */
const MAX_INTEGER_CHARS = 160;
const INTEGER = /^-?(?:\d+(?:_\d+)*|0x[0-9a-f]+)$/i;
const DECIMAL = /^-?\d+(?:_\d+)*(?:\.\d+)?$/;
/** The longest bound that is written in full. */
const MAX_BOUND_DIGITS = 12;

/**
 * Parses a value that a person typed: an address, `true` or `false`, an integer in decimal (underscores allowed between
 * digits) or in `0x` hex, either with a leading `-`, bytes as `0x` and hex digits. For a `string` the text is the value;
 * for a fixed-point type a decimal number, whose value is the scaled integer.
 * Arrays and tuples are not accepted.
 *
 * @throws AppError `badInput` for `field`, with the form that the type accepts.
 * @example parseValue({ kind: 'int', bits: 8, text: 'int8' }, '-0x80', 'args.change') // -128n
 */
export function parseValue(type: AbiType, text: string, field: string): AbiValue {
  const typed = text.trim();
  switch (type.kind) {
    case 'string':
      return text;
    case 'uint':
    case 'int':
      return type.decimals === undefined
        ? readInteger(type, typed, field)
        : readFixedPoint({ ...type, decimals: type.decimals }, typed, field);
    case 'address':
      return requireAddress(typed, field);
    case 'bool':
      if (/^(?:true|false)$/i.test(typed)) return typed.toLowerCase() === 'true';
      throw badInput(field, 'Not a bool. Enter true or false.');
    case 'bytes': {
      const value = parseHexData(typed);
      if (value) return value;
      throw badInput(field, 'Not bytes. Enter 0x and two hex digits for each byte.');
    }
    case 'fixedBytes': {
      const value = parseHexData(typed, type.size);
      if (value) return value;
      throw badInput(
        field,
        createMessage('Not a {0}. Enter 0x and {1} hex digits.', foreign(type.text), type.size * 2),
      );
    }
    default:
      throw badInput(
        field,
        createMessage(
          'A topic holds only the hash of an indexed {0}. Enter the hash: 0x and 64 hex digits.',
          foreign(type.text),
        ),
      );
  }
}

type IntegerType = Extract<AbiType, { readonly kind: 'uint' | 'int' }>;

function readInteger(type: IntegerType, typed: string, field: string): bigint {
  if (typed.length > MAX_INTEGER_CHARS || !INTEGER.test(typed)) {
    throw badInput(field, 'Not an integer. Enter digits without spaces, or 0x and hex digits.');
  }
  const magnitude = BigInt(typed.replace('-', '').replaceAll('_', ''));
  const value = typed.startsWith('-') ? -magnitude : magnitude;
  const [minimum, maximum] = getIntegerBounds(type);
  if (value >= minimum && value <= maximum) return value;
  const bounds = [minimum, maximum].map((bound) => foreign(formatIntegerBound(bound)));
  throw badInput(field, createMessage('Out of range. {0} allows {1} to {2}.', foreign(type.text), ...bounds));
}

function readFixedPoint(
  type: IntegerType & { readonly decimals: number },
  typed: string,
  field: string,
): bigint {
  if (typed.length > MAX_INTEGER_CHARS || !DECIMAL.test(typed)) {
    throw badInput(field, 'Not a decimal number. Enter digits, such as 1.5.');
  }
  const [whole = '', fraction = ''] = typed.replace('-', '').replaceAll('_', '').split('.');
  const digits = fraction.slice(0, type.decimals);
  if (/[1-9]/.test(fraction.slice(type.decimals))) {
    throw badInput(field, createMessage('{0} has {1} decimals at most.', foreign(type.text), type.decimals));
  }
  const magnitude = BigInt(whole + digits.padEnd(type.decimals, '0'));
  const value = typed.startsWith('-') ? -magnitude : magnitude;
  const [minimum, maximum] = getIntegerBounds(type);
  if (value >= minimum && value <= maximum) return value;
  const bounds = [minimum, maximum].map((bound) => foreign(formatUnits(bound, type.decimals)));
  throw badInput(field, createMessage('Out of range. {0} allows {1} to {2}.', foreign(type.text), ...bounds));
}

/**
 * The smallest and the largest value of an integer type.
 *
 * @example getIntegerBounds({ kind: 'int', bits: 8, text: 'int8' }) // [-128n, 127n]
 */
export function getIntegerBounds({ kind, bits }: IntegerType): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1);
  return kind === 'int' ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/**
 * A bound of an integer type: in full if it is short, else as a power of two.
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
  /** Replaces an address by its label. */
  readonly address?: (address: Address) => string;
  /** Cuts the text here; the rest is never formatted. Default 500. */
  readonly most?: number;
  /** Leaves out the number of a member of an enum. */
  readonly onlyMembers?: boolean;
  /** Integers that count something are shown in its unit, as far as its symbol and decimals are known. */
  readonly unitsOf?: UnitsOf | undefined;
  /** Replaces an integer of this name; empty for an item of a list. */
  readonly integer?: (name: string, value: bigint) => string | undefined;
}

/**
 * A value for people, on one line: integers grouped, `[1, 2]` for arrays, `{token: 0x…, amount: 5}` for tuples, in
 * parentheses if a member has no name. Strings inside arrays and tuples are in quotes. A member of an enum is
 * `Auditor (2)`.
 *
 * @example formatAbiValue({ kind: 'uint', bits: 256, text: 'uint256' }, 1250n) // '1,250'
 */
export function formatAbiValue(type: AbiType, value: AbiValue, options: ValueTextOptions = {}): string {
  const { most = 500 } = options;
  const text = formatTyped({ name: '', type, value }, { ...options, most }, false);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

interface TypedValue {
  readonly name: string;
  readonly type: AbiType;
  readonly value: AbiValue;
}

function formatTyped(
  { name, type, value }: TypedValue,
  options: ValueTextOptions & { readonly most: number },
  isNested: boolean,
): string {
  switch (type.kind) {
    case 'array':
      return typeof value === 'object'
        ? formatList(
            value.map((item) => ({ name: '', type: type.item, value: item })),
            options,
            '[]',
          )
        : String(value);
    case 'tuple': {
      if (typeof value !== 'object') return String(value);
      const items = type.members.map((member, index) => ({ ...member, value: value[index] ?? '' }));
      return formatList(items, options, items.every(({ name }) => name !== '') ? '{}' : '()');
    }
    case 'address':
      return options.address?.(value as Address) ?? String(value);
    case 'string': {
      const text = sanitizeText(String(value), options.most);
      return isNested ? `"${text}"` : text;
    }
    case 'uint':
    case 'int': {
      if (typeof value !== 'bigint') return String(value);
      if (type.enumeration) return formatEnumValue(type.enumeration, value, options);
      const units = options.unitsOf && resolveUnit(type.unit, options.unitsOf);
      if (units) return formatAmount(value, units);
      if (type.decimals === undefined) return options.integer?.(name, value) ?? groupDigits(value);
      return formatUnitsGrouped(value, type.decimals);
    }
    default:
      return String(value);
  }
}

/** `Auditor (2)`; a value outside of the enum is the number. */
function formatEnumValue(
  type: EnumType,
  value: bigint,
  { onlyMembers }: Pick<ValueTextOptions, 'onlyMembers'>,
): string {
  const member = formatEnumMember(type, value);
  if (member === undefined) return groupDigits(value);
  return onlyMembers ? member : `${member} (${value})`;
}

function formatList(
  items: readonly TypedValue[],
  options: ValueTextOptions & { readonly most: number },
  [open, close]: string,
): string {
  let text = open ?? '';
  for (const [index, item] of items.entries()) {
    if (index > 0) text += ', ';
    if (text.length > options.most) return text;
    if (open === '{') text += `${item.name}: `;
    text += formatTyped(item, { ...options, most: options.most - text.length }, true);
  }
  return text + (close ?? '');
}

export interface JsonFormat extends Pick<ValueTextOptions, 'address'> {
  /** Replaces an integer. */
  readonly number?: (type: AbiType, value: bigint) => AbiJson | undefined;
}

export type AbiJson = string | boolean | readonly AbiJson[] | { readonly [name: string]: AbiJson };

/**
 * A value as JSON: integers and fixed-point numbers as decimal strings, bytes and addresses as lower-case hex; a tuple
 * as an object if all its members have distinct names, and as a list otherwise. `format.address` formats addresses.
 *
 * @example
 * abiValueToJson({ kind: 'uint', bits: 256, text: 'uint256' }, 2n ** 64n) // '18446744073709551616'
 */
export function abiValueToJson(type: AbiType, value: AbiValue, format: JsonFormat = {}): AbiJson {
  if (typeof value === 'bigint') return format.number?.(type, value) ?? formatExactNumber(type, value);
  if (type.kind === 'address') return format.address?.(value as Address) ?? (value as string);
  if (typeof value !== 'object') return value;
  if (type.kind === 'array') return value.map((item) => abiValueToJson(type.item, item, format));
  const members = type.kind === 'tuple' ? type.members : [];
  const values = members.map((member, index) =>
    abiValueToJson(member.type, value[index] as AbiValue, format),
  );
  if (!canBeKeys(members)) return values;
  return Object.fromEntries(members.map(({ name }, index) => [name, values[index] as AbiJson]));
}

/**
 * The value as {@link abiValueToJson}, with members of enums by their names, as `named`; empty if there are none.
 *
 * @example namedValueToJson({ kind: 'bool', text: 'bool' }, true) // {}
 */
export function namedValueToJson(
  type: AbiType,
  value: AbiValue,
  format: Pick<JsonFormat, 'address'> = {},
): { readonly named?: AbiJson } {
  let hasMembers = false;
  const named = abiValueToJson(type, value, {
    ...format,
    number(numberType, integer) {
      const { enumeration } = numberType as IntegerType;
      const member = enumeration && formatEnumMember(enumeration, integer);
      hasMembers ||= member !== undefined;
      return member;
    },
  });
  return hasMembers ? { named } : {};
}

/**
 * A number in digits, exact: `15000000000` of `fixed168x10` is `1.5`.
 *
 * @example formatExactNumber({ kind: 'int', bits: 168, decimals: 10, text: 'fixed168x10' }, 15_000_000_000n) // '1.5'
 */
export function formatExactNumber(type: AbiType, value: bigint): string {
  const decimals = type.kind === 'uint' || type.kind === 'int' ? type.decimals : undefined;
  return decimals === undefined ? value.toString() : formatUnits(value, decimals);
}

/** Rejects `__proto__`, which some JSON readers do not treat as a plain key. */
function canBeKeys(members: readonly AbiParameter[]): boolean {
  const names = new Set(members.map(({ name }) => name));
  return names.size === members.length && !names.has('') && !names.has('__proto__');
}

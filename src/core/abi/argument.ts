import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { createMessage, foreign, groupDigits } from '../base/text.ts';
import { isRecord, pushAll } from '../base/values.ts';
import { isWrittenAddress, requireWrittenAddress } from '../eth/address.ts';
import type { Address } from '../eth/hex.ts';
import { ETHER_UNITS } from './amountUnit.ts';
import { parseEnumMember } from './enums.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';
import { abiValueToJson, parseValue } from './value.ts';

/** Longer than the calldata that nodes accept for a call. */
const MAX_ARGUMENT_CHARS = 1_000_000;
/** Each takes some two microseconds. A call of so many is as long. */
const MAX_VALUES = 50_000;

export interface ArgumentOptions {
  /**
   * Finds the address of a name that is not hex.
   *
   * @throws AppError `badInput` for `field`.
   */
  readonly resolveAddress?: ((name: string, field: string) => Address) | undefined;
}

/**
 * Parses the arguments of a call: texts, or JSON values. A text is the value as {@link parseValue} reads it, and also the
 * name of an address, a member of an enum, or a number with a unit or an exponent (`1.5 ether`, `20 gwei`, `1e18`). Lists
 * and structs are JSON, as text or as values; a struct is an object with all its members, or a list. Numbers in JSON text
 * are exact; hex and names need no quotes.
 *
 * @throws AppError `badInput` for `args` if there are too few or too many; for `args.NAME`, `args.0`, `args.order.ids[2]`
 *   if one does not fit its type.
 * @example parseArguments([{ name: 'amount', type: { kind: 'uint', bits: 256, text: 'uint256' } }], ['20 gwei'])
 * // [20000000000n]
 */
export function parseArguments(
  inputs: readonly AbiParameter[],
  values: readonly unknown[],
  options: ArgumentOptions = {},
): readonly AbiValue[] {
  if (values.length !== inputs.length) throw argumentCountError(inputs, values.length);
  requireFewValues(values, 1);
  return inputs.map(({ name, type }, index) =>
    parseArgument(type, values[index], { ...options, field: `args.${name || index}` }),
  );
}

/**
 * Refuses arguments with so many values that it takes long to parse them, in lists or in the texts of lists.
 *
 * @param times that they are parsed.
 * @throws AppError `badInput` for `args`.
 * @example requireFewValues([['1', '2']], 1); // two values, no error
 */
export function requireFewValues(args: readonly unknown[], times: number): void {
  const queue = [...args];
  let left = MAX_VALUES / times;
  while (queue.length > 0) {
    const value = queue.pop();
    left -= typeof value === 'string' ? value.split(',', MAX_VALUES + 1).length : 1;
    if (left < 0)
      throw badInput('args', createMessage('More than {0} values. Enter fewer.', groupDigits(MAX_VALUES)));
    if (Array.isArray(value) || isRecord(value)) pushAll(queue, Object.values(value));
  }
}

/**
 * Arguments as texts that {@link parseArguments} parses to the same values, without names: integers in decimal, lists and
 * structs as JSON.
 *
 * @example formatArguments([{ name: 'amount', type: { kind: 'uint', bits: 256, text: 'uint256' } }], [20n]) // ['20']
 */
export function formatArguments(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
): readonly string[] {
  return inputs.map(({ type }, index) => {
    const json = abiValueToJson(type, values[index] ?? '');
    return typeof json === 'string' ? json : JSON.stringify(json);
  });
}

function argumentCountError(inputs: readonly AbiParameter[], count: number): AppError {
  if (inputs.length === 0) return badInput('args', 'This function takes no arguments. Leave them out.');
  const list = inputs.map(({ name, type }) => `${type.text} ${name}`.trim()).join(', ');
  return badInput(
    'args',
    createMessage('Arguments needed: {0} ({1}). Given: {2}.', inputs.length, foreign(list), count),
  );
}

export interface ArgumentContext extends ArgumentOptions {
  readonly field: string;
}

/**
 * Parses one value as {@link parseArguments} does.
 *
 * @throws AppError `badInput` for `field` and its parts.
 * @example parseArgument({ kind: 'bool', text: 'bool' }, true, { field: 'expect.value' }) // true
 */
export function parseArgument(type: AbiType, value: unknown, context: ArgumentContext): AbiValue {
  if (type.kind !== 'array' && type.kind !== 'tuple') return parseScalar(type, value, context);
  const json = typeof value === 'string' ? parseExactJson(value, type, context) : value;
  return type.kind === 'array' ? parseList(type, json, context) : parseStruct(type, json, context);
}

/**
 * Reads JSON with its numbers as texts: a JavaScript number cannot hold a uint256. Numbers with units and names need no
 * quotes, which some shells take away.
 */
function parseExactJson(text: string, type: AbiType, { field }: ArgumentContext): unknown {
  try {
    if (text.length <= MAX_ARGUMENT_CHARS) return JSON.parse(text.replace(TOKEN, quoteToken));
  } catch {
    // The error below says what to write.
  }
  throw badInput(
    field,
    createMessage(
      'Not JSON. Enter a {0} such as {1}.',
      foreign(type.text),
      foreign(formatArgumentExample(type)),
    ),
  );
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\w.+-]*(?:\s{1,3}(?:wei|gwei|ether)\b)?|[A-Za-z_$][\w.$]*/gis;
const quoteToken = (token: string) => (/^(?:"|(?:true|false|null)$)/.test(token) ? token : `"${token}"`);

/**
 * An example of an argument, in JSON for a list or a struct.
 *
 * @example formatArgumentExample({ kind: 'bool', text: 'bool' }) // 'true'
 */
export function formatArgumentExample(type: AbiType): string {
  return formatExample(type, 0);
}

function formatExample(type: AbiType, depth: number): string {
  if (depth > MAX_EXAMPLE_DEPTH) return '…';
  switch (type.kind) {
    case 'array':
      return `[${formatExample(type.item, depth + 1)}]`;
    case 'tuple': {
      const isNamed = type.members.every(({ name }) => name !== '');
      const members = type.members.map(
        (member) => (isNamed ? `"${member.name}": ` : '') + formatExample(member.type, depth + 1),
      );
      return isNamed ? `{${members.join(', ')}}` : `[${members.join(', ')}]`;
    }
    case 'bool':
      return 'true';
    case 'uint':
    case 'int': {
      const member = type.enumeration?.members[0];
      return member === undefined ? '1' : depth > 0 ? `"${member}"` : member;
    }
    case 'string':
      return depth > 0 ? '"text"' : 'text';
    default:
      return depth > 0 ? '"0x…"' : '0x…';
  }
}

const MAX_EXAMPLE_DEPTH = 3;

function parseList(
  type: Extract<AbiType, { kind: 'array' }>,
  json: unknown,
  context: ArgumentContext,
): AbiValue {
  const { field } = context;
  if (!Array.isArray(json)) {
    throw badInput(
      field,
      createMessage(
        'Not a list. Enter a {0} such as {1}.',
        foreign(type.text),
        foreign(formatArgumentExample(type)),
      ),
    );
  }
  if (type.length !== undefined && json.length !== type.length) {
    throw badInput(
      field,
      createMessage('A {0} has {1} items, not {2}.', foreign(type.text), type.length, json.length),
    );
  }
  return json.map((item, index) =>
    parseArgument(type.item, item, { ...context, field: `${field}[${index}]` }),
  );
}

function parseStruct(
  type: Extract<AbiType, { kind: 'tuple' }>,
  json: unknown,
  context: ArgumentContext,
): AbiValue {
  const { field } = context;
  const { members } = type;
  if (Array.isArray(json) && json.length === members.length) {
    return members.map((member, index) =>
      parseArgument(member.type, json[index], { ...context, field: `${field}.${member.name || index}` }),
    );
  }
  if (!isRecord(json)) {
    throw badInput(
      field,
      createMessage('Not a struct. Enter it such as {0}.', foreign(formatArgumentExample(type))),
    );
  }
  const unknownName = Object.keys(json).find((key) => !members.some(({ name }) => name === key));
  if (unknownName !== undefined) {
    const names = members.map(({ name }) => name).join(', ');
    const template = 'The struct has no member {0}. Its members are {1}.';
    throw badInput(field, createMessage(template, foreign(unknownName, 80), foreign(names)));
  }
  return members.map((member) => {
    const memberField = `${field}.${member.name}`;
    if (!Object.hasOwn(json, member.name)) {
      throw badInput(
        memberField,
        createMessage('The member {0} of the struct is missing.', foreign(member.name)),
      );
    }
    return parseArgument(member.type, json[member.name], { ...context, field: memberField });
  });
}

function parseScalar(type: AbiType, value: unknown, { field, resolveAddress }: ArgumentContext): AbiValue {
  const text = toText(value, field);
  switch (type.kind) {
    case 'uint':
    case 'int': {
      const member = type.enumeration && parseEnumMember(type.enumeration, text);
      if (member !== undefined) return member;
      try {
        return parseValue(type, type.decimals === undefined ? expandNumber(text) : text, field);
      } catch (error) {
        throw type.enumeration ? withMembers(error, type.enumeration.members, field) : error;
      }
    }
    case 'address':
      return !resolveAddress || isWrittenAddress(text)
        ? requireWrittenAddress(text, field)
        : resolveAddress(text.trim(), field);
    default:
      return parseValue(type, text, field);
  }
}

function toText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'number') {
    throw badInput(field, 'This number is not exact. Enter it as a text in quotes.');
  }
  throw badInput(field, 'Not a value. Enter a text, a number, true or false.');
}

function withMembers(error: unknown, members: readonly string[], field: string): unknown {
  if (!isAppError(error, 'badInput')) return error;
  return badInput(
    field,
    createMessage('Not a member of the enum. Enter one of {0}.', foreign(members.join(', '))),
  );
}

const MAX_NUMBER_CHARS = 160;
const SCALED_NUMBER = /^(-?)(\d[\d_]{0,80})(?:\.(\d{1,80}))?(?:e\+?(\d{1,2})|\s{0,3}(wei|gwei|ether))$/i;

/** `1.5 ether` and `1e18` as an integer in digits; any other text as it is, and a part of a unit as well. */
function expandNumber(text: string): string {
  const typed = text.trim();
  const match = typed.length <= MAX_NUMBER_CHARS ? SCALED_NUMBER.exec(typed) : null;
  if (!match) return text;
  const [, sign = '', whole = '', fraction = '', exponent, unit = ''] = match;
  const decimals = exponent === undefined ? (ETHER_UNITS.get(unit.toLowerCase()) ?? 0) : Number(exponent);
  const digits = fraction.replace(/(?<!0)0+$/, '');
  if (digits.length > decimals) return text;
  return `${sign}${whole.replaceAll('_', '')}${digits.padEnd(decimals, '0')}`;
}

import { type ArgumentContext, type ArgumentOptions, parseArgument } from '../abi/argument.ts';
import { formatEnumMember } from '../abi/enums.ts';
import type { MeaningJson } from '../abi/hexMeaning.ts';
import { type AbiParameter, type AbiType, type AbiValue, tupleType } from '../abi/type.ts';
import { type AbiJson, abiValueToJson, formatAbiValue } from '../abi/value.ts';
import { type AppError, badInput } from '../base/errors.ts';
import { createMessage, type Foreign, foreign, type Message, sanitizeText } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import type { ReadResult } from '../reads/readContract.ts';
import type { ReadExpectation } from './readDefinition.ts';

/** Why a read is not as expected; empty if it is. */
export type ReadDifferences = readonly Message[];

/**
 * Compares the values that a function returned with what is expected of it. Without values, only whether something can be
 * expected so.
 *
 * @throws AppError `badInput` for `expect.value…`, `expect.atLeast` or `expect.atMost`, which the results cannot be.
 * @example
 * compareValues({ outputs: [{ name: '', type: { kind: 'bool', text: 'bool' } }], values: [true] }, { value: true }); // []
 */
export function compareValues(
  { outputs, values }: Pick<ReadResult, 'outputs'> & { readonly values?: ReadResult['values'] | undefined },
  expect: ReadExpectation,
  options: ArgumentOptions,
): ReadDifferences {
  const found: Message[] = [];
  if ('reverts' in expect) {
    if (!values) return [];
    const shown = formatAbiValue(tupleType(outputs), values, { most: MAX_SHOWN_CHARS });
    return [createMessage('The call returned {0}. Expected: a revert.', foreign(shown))];
  }
  if ('value' in expect) {
    if (outputs.length === 0)
      throw badInput('expect.value', 'The function returns nothing. Remove "value" from "expect".');
    const type = getResultType(outputs);
    const value = values && (outputs.length === 1 ? values[0] : values);
    compareValue({ type, value, expected: expect.value }, { ...options, field: 'expect.value' }, found);
    return found;
  }
  const [output, ...others] = outputs;
  for (const side of ['atLeast', 'atMost'] as const) {
    const expected = expect[side];
    if (expected === undefined) continue;
    const field = `expect.${side}`;
    const type = output?.type;
    const isNumber = (type?.kind === 'uint' || type?.kind === 'int') && others.length === 0;
    if (!isNumber)
      throw badInput(field, 'The function does not return one number. Expect a "value" instead.');
    const limit = parseArgument(type, expected, { ...options, field }) as bigint;
    const value = values?.[0] as bigint | undefined;
    if (value === undefined || (side === 'atLeast' ? value >= limit : value <= limit)) continue;
    const template =
      side === 'atLeast'
        ? 'The value is {0}. Expected: at least {1}.'
        : 'The value is {0}. Expected: at most {1}.';
    found.push(
      createMessage(template, ...[value, limit].map((number) => foreign(formatAbiValue(type, number)))),
    );
  }
  return found;
}

const MAX_SHOWN_CHARS = 300;

/** What one value of `expect` is compared with: the result, or all results as a struct. */
function getResultType(outputs: readonly AbiParameter[]): AbiType {
  const [only, ...others] = outputs;
  return only && others.length === 0 ? only.type : tupleType(outputs);
}

interface Compared {
  readonly type: AbiType;
  /** Undefined if it is not known. */
  readonly value: AbiValue | undefined;
  readonly expected: unknown;
}

/** A struct is compared by its members, of which an object may name some; a list by its items. */
function compareValue(compared: Compared, context: ArgumentContext, found: Message[]): void {
  const { type, value, expected } = compared;
  const { field } = context;
  const items = Array.isArray(value) ? (value as readonly AbiValue[]) : undefined;
  const compareItem = (itemType: AbiType, index: number, part: unknown, place: string) =>
    compareValue(
      { type: itemType, value: items?.[index], expected: part },
      { ...context, field: `${field}${place}` },
      found,
    );
  if (type.kind === 'tuple' && isRecord(expected)) {
    if (Object.keys(expected).length === 0 && type.members.length > 0)
      throw badInput(field, createMessage('{0} names no member to compare.', foreign(field)));
    for (const [name, part] of Object.entries(expected)) {
      const index = type.members.findIndex((member) => member.name === name);
      const member = type.members[index];
      if (!member || name === '') throw unknownMemberError(name, type.members, context);
      compareItem(member.type, index, part, `.${name}`);
    }
  } else if (type.kind === 'tuple' && Array.isArray(expected) && expected.length === type.members.length) {
    for (const [index, member] of type.members.entries())
      compareItem(member.type, index, expected[index], `[${index}]`);
  } else if (type.kind === 'array' && Array.isArray(expected)) {
    if (items && items.length !== expected.length) {
      const counts = [items.length, expected.length];
      found.push(createMessage('{0} has {1} items. Expected: {2}.', formatPlace(field), ...counts));
    } else {
      for (const [index, part] of expected.entries()) compareItem(type.item, index, part, `[${index}]`);
    }
  } else {
    const wanted = parseArgument(type, expected, context);
    if (value === undefined || isSameValue(value, wanted) || found.length >= MAX_DIFFERENCES) return;
    const shown = [value, wanted].map((one) => foreign(formatAbiValue(type, one, { most: MAX_SHOWN_CHARS })));
    found.push(createMessage('{0} is {1}. Expected: {2}.', formatPlace(field), ...shown));
  }
}

const MAX_DIFFERENCES = 20;

/** `The value`, or the member: `legs[0].amount`. */
function formatPlace(field: string): Message | Foreign {
  const place = field.slice('expect.value'.length).replace(/^\./, '');
  return place === '' ? createMessage('The value') : foreign(place, 200);
}

function isSameValue(one: AbiValue, other: AbiValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((item, index) => isSameValue(item, other[index] ?? ''));
}

function unknownMemberError(
  name: string,
  members: readonly AbiParameter[],
  { field }: ArgumentContext,
): AppError {
  const names = members.flatMap((member) => (member.name === '' ? [] : [member.name]));
  const shown = sanitizeText(name, 80);
  return names.length === 0
    ? badInput(field, 'The values have no names. Enter them as a list.')
    : badInput(
        field,
        createMessage(
          'There is no {0} in the result. It has {1}.',
          foreign(shown),
          foreign(names.join(', ')),
        ),
      );
}

/**
 * Whether a call reverted as expected; undefined if the endpoint does not say why it reverted.
 *
 * @param error of kind `reverted`.
 * @example isExpectedRevert(error, 'TooMany'); // true for `error TooMany(uint256)`
 */
export function isExpectedRevert(error: AppError, reverts: true | string): boolean | undefined {
  if (reverts === true) return true;
  const { revert, serverMessage } = error.details;
  const { data, name, signature, note, args } = (revert ?? {}) as Partial<MeaningJson> & {
    readonly data?: string | null;
  };
  if (data === null || data === undefined) return undefined;
  const wanted = /^\s*0x/i.test(reverts) ? reverts.trim().toLowerCase() : reverts.trim();
  const reason = signature === 'Error(string)' ? args?.[0]?.value : undefined;
  const texts = [data, data.slice(0, 10), name, signature, note, reason, serverMessage];
  return texts.some((text) => text === wanted);
}

/** The values of a read as its expectation has them: members of enums by name, several results by their names. */
export function readResultToExpectation({ outputs, values }: Pick<ReadResult, 'outputs' | 'values'>): {
  readonly value: AbiJson;
} {
  const type = getResultType(outputs);
  const value = outputs.length === 1 ? (values[0] as AbiValue) : values;
  return {
    value: abiValueToJson(type, value, {
      number(numberType, integer) {
        const { enumeration } = numberType as Extract<AbiType, { kind: 'uint' }>;
        return enumeration && formatEnumMember(enumeration, integer);
      },
    }),
  };
}

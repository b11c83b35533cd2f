import { formatEnumMember, isSameEnum, parseEnumMember } from '../../abi/enums.ts';
import type { AbiEvent } from '../../abi/item.ts';
import type { EnumType } from '../../abi/type.ts';
import { type AppError, badInput } from '../../base/errors.ts';
import { createMessage, foreign, sanitizeText } from '../../base/text.ts';
import { type Address, type Hex, parseAddress } from '../../eth/hex.ts';
import {
  type EventArgument,
  getArgumentField,
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
} from './eventArguments.ts';
import { joinList, splitList } from './fieldValues.ts';
import { type FormField, getFieldText, type QueryForm, withFieldText } from './form.ts';

/** The events with this topic0 that the project declares, with their enums; at an address, those of its contract. */
export type FindDeclaredEvents = (topic0: Hex, address?: Address) => readonly AbiEvent[];

/** An integer argument of a query. */
interface IntegerArgument {
  readonly key: string;
  readonly field: FormField;
  readonly values: readonly string[];
}

/** Members that an error names. */
const MAX_NAMED_MEMBERS = 8;
const NAME = /^[A-Za-z_$]/;

/**
 * The fields that accept members of an enum, if there is one: those of unsigned integers.
 *
 * @example listEnumFields({ ...emptyForm, event: 'Paid(uint8 indexed role)' }) // ['args.role']
 */
export function listEnumFields(form: QueryForm): readonly FormField[] {
  return listIntegerArguments(form).map(({ field }) => field);
}

function listIntegerArguments(form: QueryForm): readonly IntegerArgument[] {
  const declared = parseDeclaredEvent(form.event);
  return (declared ? listEventArguments(declared) : []).flatMap(({ key, parameter: { type } }) => {
    if (type.kind !== 'uint' || type.decimals !== undefined) return [];
    const field = getArgumentField(key);
    return [{ key, field, values: splitArgument(type, getFieldText(form, field)) }];
  });
}

/** The enums of arguments by their keys; null where contracts of the query differ. */
export type ArgumentEnums = ReadonlyMap<string, EnumType | null>;

/**
 * The enums of the arguments of a query, whose addresses are resolved. All contracts that it may be for must agree on
 * an enum, since the same number would be another member.
 *
 * @example listArgumentEnums({ event: 'Paid(uint256)', address: '' }, () => []).size // 0
 */
export function listArgumentEnums(
  { event, address }: Pick<QueryForm, 'event' | 'address'>,
  findEvents: FindDeclaredEvents,
): ArgumentEnums {
  const declared = parseDeclaredEvent(event);
  if (!declared) return new Map();
  const addresses = splitList(address).flatMap((text) => parseAddress(text) ?? []);
  const eventsByPlace = (addresses.length > 0 ? addresses : [undefined]).map((at) =>
    findEvents(declared.topic0, at).filter((found) => hasSameTopics(found, declared)),
  );
  const enums = new Map<string, EnumType | null>();
  for (const { key, position } of listEventArguments(declared)) {
    const byPlace = eventsByPlace.map((events) =>
      events.flatMap((found) => getEnum(listEventArguments(found)[position - 1]) ?? []),
    );
    const [first, ...others] = byPlace.flat();
    if (!first) continue;
    const isClear =
      byPlace.every((found) => found.length > 0) && others.every((other) => isSameEnum(first, other));
    enums.set(key, isClear ? first : null);
  }
  return enums;
}

function hasSameTopics({ inputs }: AbiEvent, other: AbiEvent): boolean {
  return inputs.every(({ indexed }, index) => indexed === other.inputs[index]?.indexed);
}

function getEnum(argument: EventArgument | undefined): EnumType | undefined {
  const type = argument?.parameter.type;
  return type?.kind === 'uint' ? type.enumeration : undefined;
}

/**
 * The form with numbers in place of members of enums, `2` for `Auditor` or `Role.Auditor`, and an error for each argument
 * with a name that is none.
 *
 * @example replaceEnumMembers(form, findEvents).form.args.role
 */
export function replaceEnumMembers(
  form: QueryForm,
  findEvents: FindDeclaredEvents,
): { readonly form: QueryForm; readonly errors: readonly AppError[] } {
  const named = listIntegerArguments(form).filter(({ values }) => values.some(isName));
  if (named.length === 0) return { form, errors: [] };
  const enums = listArgumentEnums(form, findEvents);
  const errors: AppError[] = [];
  let replaced = form;
  for (const { key, field, values } of named) {
    const type = enums.get(key);
    const numbers = values.map((value) => (isName(value) ? type && parseEnumMember(type, value) : value));
    const wrong = values.find((_, index) => numbers[index] === undefined || numbers[index] === null);
    if (wrong === undefined) replaced = withFieldText(replaced, field, joinList(numbers.map(String)));
    else errors.push(createMemberError(field, wrong, type));
  }
  return { form: replaced, errors };
}

/**
 * The form with a number in place of each name that may be a member of an enum, to check a form without the project.
 *
 * @example ignoreEnumMembers({ ...emptyForm, event: 'Paid(uint8 indexed role)', args: { role: 'Auditor' } }).args.role // '0'
 */
export function ignoreEnumMembers(form: QueryForm): QueryForm {
  return listIntegerArguments(form).reduce((ignoring, { field, values }) => {
    const numbers = values.map((value) => (isName(value) ? '0' : value));
    return values.some(isName) ? withFieldText(ignoring, field, joinList(numbers)) : ignoring;
  }, form);
}

function isName(value: string): boolean {
  return NAME.test(value);
}

function createMemberError(field: FormField, name: string, type: EnumType | null | undefined): AppError {
  if (type === undefined)
    return badInput(field, 'Not an integer, and no enum is known for it. Enter the number.');
  if (type === null)
    return badInput(field, 'Contracts have different enums for this value. Enter the number.');
  const members = type.members.slice(0, MAX_NAMED_MEMBERS).map((member) => sanitizeText(member, 80));
  if (type.members.length > MAX_NAMED_MEMBERS) members.push('…');
  const enumName = sanitizeText(type.name.slice(type.name.lastIndexOf('.') + 1), 80);
  return badInput(
    field,
    createMessage(
      '{0} has no member {1}. Enter {2}, or a number.',
      foreign(enumName),
      foreign(name, 80),
      foreign(members.join(', ')),
    ),
  );
}

/**
 * The members of the numbers in the field of an argument; other texts stay.
 *
 * @example formatEnumMembers({ name: 'Role', members: ['Employee', 'Auditor'] }, ['1', '7']) // ['Auditor', '7']
 */
export function formatEnumMembers(type: EnumType, values: readonly string[]): readonly string[] {
  return values.map((value) => (/^\d{1,78}$/.test(value) && formatEnumMember(type, BigInt(value))) || value);
}

/** The same for the argument of an event at a topic position, 1 to 3. Other arguments keep their values. */
export function formatArgumentMembers(
  event: AbiEvent | undefined,
  position: number,
  values: readonly string[],
): readonly string[] {
  const type = getEnum(event && listEventArguments(event).find((argument) => argument.position === position));
  return type ? formatEnumMembers(type, values) : values;
}

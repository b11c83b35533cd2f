import { parseAmountUnit } from './amountUnit.ts';
import type { AbiItem, AbiItemText } from './item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AmountUnit,
  arrayType,
  type EnumType,
  tupleType,
} from './type.ts';

/** The enum of a parameter, the name of another type that the source declares, or what its integers count. */
export interface EnumPlace {
  /** Indexes of the parameter and of members of tuples, `2.1`; of results of a function after `returns.`. */
  readonly path: string;
  /** As the compiler writes it: `Payroll.Role`, or `Role` outside of contracts. Empty beside a unit. */
  readonly name: string;
  /** As `parseAmountUnit` reads it. */
  readonly unit?: string;
  /** Undefined in a compiled ABI, which has only the name. */
  readonly members?: readonly string[];
  /** Set for a flag of Vyper. */
  readonly isFlag?: true;
  /** Set if it is no enum, but a struct, a contract or a user-defined value type. */
  readonly isOther?: true;
}

export type ItemEnums = readonly EnumPlace[];

/** The enums of the items that have any. */
export type EnumsByItem = Readonly<Record<AbiItemText, ItemEnums>>;

/** Finds an enum by the name in a compiled ABI; undefined if none has it, or several with other members. */
export type FindEnum = (name: string) => EnumType | undefined;

/** What one contract, or several that declare an equal item, say about the enums of it. */
export interface EnumSources {
  readonly places: readonly ItemEnums[];
  readonly find: FindEnum;
}

/**
 * The item with the enums and units of its parameters. Where the sources contradict each other, a parameter stays an
 * integer; so if only some of them say what it counts.
 *
 * @example attachEnums(event, { places: [[{ path: '0', name: 'Role', members: ['Admin'] }]], find: () => undefined })
 */
export function attachEnums<Item extends AbiItem>(item: Item, { places, find }: EnumSources): Item {
  const enums = new Map<string, EnumType | undefined>();
  const names = new Map<string, string | undefined>();
  for (const { path, name, members, isFlag, isOther, unit } of places.flat()) {
    if (unit !== undefined) continue;
    names.set(path, names.has(path) && !isSameName(names.get(path), name) ? undefined : name);
    if (isOther) continue;
    const found = members ? { name, members, ...(isFlag && { isFlag }) } : find(name);
    if (!found) continue;
    const other = enums.get(path);
    enums.set(path, enums.has(path) && (!other || !isSameEnum(other, found)) ? undefined : (other ?? found));
  }
  const units = findCommonUnits(places);
  if (units.size === 0 && ![...enums.values(), ...names.values()].some(Boolean)) return item;
  const declared = { enums, names, units };
  const attach = <Parameter extends AbiParameter>(parameters: readonly Parameter[], prefix: string) =>
    parameters.map((parameter, index) => ({
      ...parameter,
      type: attachToType(parameter.type, `${prefix}${index}`, declared),
    }));
  const inputs = attach(item.inputs, '');
  return item.kind === 'function'
    ? { ...item, inputs, outputs: attach(item.outputs, 'returns.') }
    : { ...item, inputs };
}

/** Of several units of one place in a list, the last counts. */
function findCommonUnits(places: readonly ItemEnums[]): ReadonlyMap<string, AmountUnit> {
  const [first = [], ...others] = places.map(
    (list) => new Map(list.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit] as const]))),
  );
  const units = new Map<string, AmountUnit>();
  for (const [path, text] of first) {
    const unit = others.every((other) => other.get(path) === text) ? parseAmountUnit(text) : undefined;
    if (unit) units.set(path, unit);
  }
  return units;
}

/** Whether both have the same members; names of contracts that inherit the enum may differ. */
export function isSameEnum(a: EnumType, b: EnumType): boolean {
  const isEqual = a.members.length === b.members.length && a.isFlag === b.isFlag;
  return isEqual && a.members.every((member, index) => member === b.members[index]);
}

/** Whether both name one type; the contract before the name may be left out. */
function isSameName(one: string | undefined, other: string): boolean {
  return one !== undefined && (`.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`));
}

interface DeclaredTypes {
  readonly enums: ReadonlyMap<string, EnumType | undefined>;
  readonly names: ReadonlyMap<string, string | undefined>;
  readonly units: ReadonlyMap<string, AmountUnit>;
}

function attachToType(type: AbiType, path: string, declared: DeclaredTypes): AbiType {
  const writtenAs = declared.names.get(path);
  const attached = attachToMembers(type, path, declared);
  const hasName = attached.kind === 'array' || (attached.kind === 'uint' && attached.enumeration);
  return writtenAs === undefined || hasName ? attached : { ...attached, writtenAs };
}

function attachToMembers(type: AbiType, path: string, declared: DeclaredTypes): AbiType {
  switch (type.kind) {
    case 'array':
      return { ...arrayType(attachToType(type.item, path, declared), type.length), text: type.text };
    case 'tuple':
      return {
        ...tupleType(
          type.members.map((member, index) => ({
            ...member,
            type: attachToType(member.type, `${path}.${index}`, declared),
          })),
        ),
        text: type.text,
      };
    case 'uint':
    case 'int': {
      const enumeration = type.kind === 'uint' ? declared.enums.get(path) : undefined;
      const unit = declared.units.get(path);
      return enumeration || unit
        ? { ...type, ...(enumeration && { enumeration }), ...(unit && { unit }) }
        : type;
    }
    default:
      return type;
  }
}

/**
 * The member of a value, the members of a flag's bits; undefined for a value outside of the enum.
 *
 * @example formatEnumMember({ name: 'Role', members: ['Employee', 'Auditor'] }, 1n) // 'Auditor'
 */
export function formatEnumMember({ members, isFlag }: EnumType, value: bigint): string | undefined {
  if (!isFlag) return value < BigInt(members.length) ? members[Number(value)] : undefined;
  if (value === 0n || value >> BigInt(members.length) !== 0n) return undefined;
  return members.filter((_, bit) => (value >> BigInt(bit)) & 1n).join(' | ');
}

/**
 * The value of a member, with or without the names before it: `Auditor`, `Role.Auditor`, `Payroll.Role.Auditor`; of a
 * flag also several, `ADMIN | MINTER`. Undefined if it is none.
 *
 * @example parseEnumMember({ name: 'Payroll.Role', members: ['Employee', 'Auditor'] }, 'Role.Auditor') // 1n
 */
export function parseEnumMember(type: EnumType, text: string): bigint | undefined {
  if (!type.isFlag) return parseMember(type, text.trim());
  let value = 0n;
  for (const part of text.split('|')) {
    const bit = parseMember(type, part.trim());
    if (bit === undefined) return undefined;
    value |= 1n << bit;
  }
  return value;
}

function parseMember({ name, members }: EnumType, text: string): bigint | undefined {
  const dot = text.lastIndexOf('.');
  const index = members.indexOf(text.slice(dot + 1));
  if (index < 0 || (dot >= 0 && !`.${name}`.endsWith(`.${text.slice(0, dot)}`))) return undefined;
  return BigInt(index);
}

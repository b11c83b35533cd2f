import { type Budget, createBudget } from '../base/timeSlices.ts';
import { isRecord, type PlainRecord } from '../base/values.ts';
import { fitsTopics, isIdentifier, isParameterName, MAX_TYPE_DEPTH, toAbiParameter } from './declaration.ts';
import type { EnumPlace, EnumsByItem, ItemEnums } from './enums.ts';
import {
  type AbiItemParts,
  type AbiItemText,
  formatAbiItem,
  MAX_ABI_ITEMS,
  MAX_ITEM_CHARS,
  parseAbiItem,
} from './item.ts';
import {
  type AbiType,
  arrayType,
  type EventParameter,
  type NamedTypeKind,
  namedType,
  parseElementaryType,
  structType,
  tupleType,
} from './type.ts';

/** Per item, members of tuples included: enough for the longest text of an item. */
const MAX_PARAMETERS = 2048;
/** Of a whole ABI, members of tuples included: the largest in use have some thousand. */
const MAX_ABI_PARAMETERS = 50_000;
/** Of a whole ABI, for the types of a library. */
const MAX_SEARCHED = 50_000;
const MAX_TYPE_CHARS = 256;
/** Of a function of a library. A mapping is the longest: `mapping(address => uint256) storage`. */
const WRITTEN_NAME = /^([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)((?:\[\d*\])*)$/;
const STORAGE = /^([A-Za-z_$][\w$.]*(?:\[\d*\])*|mapping\([\w$.[\]()=> ]+\)) storage(?: (?:ref|pointer))?$/;
const STRUCT = /^struct ([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)(?:\[\d*\])*$/;
const TYPE_NAME = /^([a-z]+\d*(?:x\d+)?)((?:\[\d*\])*)$/;

/**
 * Reads an ABI as compilers write it (a JSON array, already parsed); an entry may also be text, `event Paid(uint256)`.
 * Events, errors and functions become items; a constructor, `fallback` and `receive` do not. Malformed, unknown or
 * oversized entries count as skipped (limits: 5,000 items and 50,000 parameters; per item 2048 parameters, 16 levels,
 * 16,384 characters). Parameter names that no compiler accepts are dropped. Never throws.
 *
 * @param options.isLibrary whether it is the ABI of a library, whose selectors have the names of structs. By default, if
 *   a function has a type that only libraries have.
 * @example parseAbi([{ type: 'error', name: 'Unpaid', inputs: [] }, { type: 'event' }])
 * // { items: ['error Unpaid()'], skipped: 1 }
 */
export function parseAbi(
  json: unknown,
  options: AbiOptions = {},
): {
  readonly items: readonly AbiItemText[];
  readonly skipped: number;
} {
  const entries: readonly unknown[] = Array.isArray(json) ? json : [];
  const isLibrary = options.isLibrary ?? isOfLibrary(entries);
  const items: AbiItemText[] = [];
  let skipped = Math.max(0, entries.length - MAX_ABI_ITEMS);
  const all = createBudget(MAX_ABI_PARAMETERS);
  for (const entry of entries.slice(0, MAX_ABI_ITEMS)) {
    const text = readEntry(entry, isLibrary, all);
    if (text === undefined) skipped++;
    else if (text !== 'none') items.push(text);
  }
  return { items, skipped };
}

/**
 * The enums of parameters, which a compiled ABI names in `internalType`, by the item that {@link parseAbi} reads from
 * the entry.
 *
 * @example listAbiEnums([]) // {}
 */
export function listAbiEnums(json: unknown, options: AbiOptions = {}): EnumsByItem {
  const all: Record<AbiItemText, ItemEnums> = {};
  const entries: readonly unknown[] = Array.isArray(json) ? json : [];
  const isLibrary = options.isLibrary ?? isOfLibrary(entries);
  const [searched, parameters] = [createBudget(MAX_ABI_PARAMETERS), createBudget(MAX_ABI_PARAMETERS)];
  for (const entry of entries.slice(0, MAX_ABI_ITEMS)) {
    if (!isRecord(entry)) continue;
    const places = [
      ...listEnumPlaces(entry.inputs, '', searched),
      ...listEnumPlaces(entry.outputs, 'returns.', searched),
    ];
    const text = places.length > 0 ? readEntry(entry, isLibrary, parameters) : undefined;
    if (text !== undefined && text !== 'none') all[text] = [...(all[text] ?? []), ...places];
  }
  return all;
}

export interface AbiOptions {
  readonly isLibrary?: boolean | undefined;
}

/**
 * Whether a function has an enum or a contract by its name, which other ABIs have as `uint8` and `address`.
 *
 * @example isOfLibrary([]) // false
 */
export function isOfLibrary(entries: readonly unknown[]): boolean {
  let left = MAX_SEARCHED;
  const hasName = (json: unknown, depth = 0): boolean =>
    Array.isArray(json) &&
    depth <= MAX_TYPE_DEPTH &&
    json.some((each: unknown) => {
      if (--left < 0 || !isRecord(each)) return false;
      const { type, internalType, components } = each;
      const isNamed =
        typeof type === 'string' && (internalType === `enum ${type}` || internalType === `contract ${type}`);
      return isNamed || hasName(components, depth + 1);
    });
  return entries
    .slice(0, MAX_ABI_ITEMS)
    .some(
      (entry) =>
        isRecord(entry) && entry.type === 'function' && (hasName(entry.inputs) || hasName(entry.outputs)),
    );
}

/** The type of a function of a library is the name of the enum. */
const DECLARED = /^(?:(enum|struct|contract) )?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)(?:\[\d*\])*$/;

function listEnumPlaces(json: unknown, prefix: string, searched: Budget, depth = 0): ItemEnums {
  if (!Array.isArray(json) || depth > MAX_TYPE_DEPTH) return [];
  return json.slice(0, MAX_PARAMETERS).flatMap((entry: unknown, index): ItemEnums => {
    if (!isRecord(entry) || !searched.pay(1)) return [];
    const path = `${prefix}${index}`;
    const own = findDeclaredType(entry, path);
    const members =
      entry.components === undefined ? [] : listEnumPlaces(entry.components, `${path}.`, searched, depth + 1);
    return [...(own ? [own] : []), ...members];
  });
}

function findDeclaredType({ internalType }: PlainRecord, path: string): EnumPlace | undefined {
  if (typeof internalType !== 'string' || internalType.length > MAX_TYPE_CHARS) return undefined;
  const [, kind, name] = DECLARED.exec(internalType) ?? [];
  if (name === undefined || (kind === undefined && parseElementaryType(name) !== undefined)) return undefined;
  return { path, name, ...(kind !== 'enum' && { isOther: true }) };
}

function readEntry(entry: unknown, isLibrary: boolean, all: Budget): AbiItemText | 'none' | undefined {
  const parts = typeof entry === 'string' ? parseAbiItem(entry) : readItem(entry, isLibrary, all);
  if (parts === undefined || parts === 'none') return parts;
  const text = formatAbiItem(parts);
  return text.length > MAX_ITEM_CHARS ? undefined : text;
}

/** Before Solidity 0.4.16 an ABI has only `constant`. */
function isViewEntry({ stateMutability, constant }: PlainRecord): boolean {
  return stateMutability === undefined
    ? constant === true
    : stateMutability === 'view' || stateMutability === 'pure';
}

function readItem(entry: unknown, isLibrary: boolean, all: Budget): AbiItemParts | 'none' | undefined {
  if (!isRecord(entry)) return undefined;
  // The specification allows a function to omit its type.
  const { type = 'function', name } = entry;
  if (type === 'constructor' || type === 'fallback' || type === 'receive') return 'none';
  if (typeof name !== 'string' || !isIdentifier(name)) return undefined;
  const budget: ItemBudget = { own: createBudget(MAX_PARAMETERS), all, takesNames: type === 'function' };
  // Some tools leave out what is empty.
  const inputs = readParameters(entry.inputs ?? [], budget, 0, isLibrary && type === 'function');
  if (inputs === undefined) return undefined;
  switch (type) {
    case 'event': {
      const anonymous = entry.anonymous === true;
      return fitsTopics(inputs, anonymous) ? { kind: type, name, inputs, anonymous } : undefined;
    }
    case 'error':
      return { kind: type, name, inputs: inputs.map(toAbiParameter) };
    case 'function': {
      const outputs = readParameters(entry.outputs ?? [], budget)?.map(toAbiParameter);
      const isView = isViewEntry(entry);
      return outputs && { kind: type, name, inputs: inputs.map(toAbiParameter), outputs, isView };
    }
    default:
      return undefined;
  }
}

interface ItemBudget {
  readonly own: Budget;
  /** Of the whole ABI. */
  readonly all: Budget;
  /** Whether types may have the names that libraries write. */
  readonly takesNames: boolean;
}

function readParameters(
  json: unknown,
  budget: ItemBudget,
  depth = 0,
  namesStructs = false,
): readonly EventParameter[] | undefined {
  if (!Array.isArray(json) || depth > MAX_TYPE_DEPTH) return undefined;
  if (!budget.own.pay(json.length) || !budget.all.pay(json.length)) return undefined;
  const parameters: EventParameter[] = [];
  for (const entry of json as readonly unknown[]) {
    const type = isRecord(entry)
      ? (readType(entry, budget, depth, namesStructs) ??
        (budget.takesNames ? readNamedType(entry) : undefined))
      : undefined;
    if (type === undefined || !isRecord(entry)) return undefined;
    const name = typeof entry.name === 'string' && isParameterName(entry.name) ? entry.name : '';
    parameters.push({ name, type, indexed: entry.indexed === true });
  }
  return parameters;
}

function readType(
  entry: PlainRecord,
  budget: ItemBudget,
  depth: number,
  namesStructs: boolean,
): AbiType | undefined {
  if (typeof entry.type !== 'string' || entry.type.length > MAX_TYPE_CHARS) return undefined;
  const [, base = '', dimensions = ''] = TYPE_NAME.exec(entry.type) ?? [];
  const sizes = [...dimensions.matchAll(/\[(\d*)\]/g)].map(([, size]) => (size ? Number(size) : undefined));
  if (sizes.length > MAX_TYPE_DEPTH) return undefined;
  let type = base === 'tuple' ? readTuple(entry.components, budget, depth) : parseElementaryType(base);
  if (namesStructs && type?.kind === 'tuple') {
    const [, name] = STRUCT.exec(String(entry.internalType)) ?? [];
    // Its selector is unknown.
    if (name === undefined) return undefined;
    type = structType(name, type.members);
  }
  for (const size of sizes) {
    if (size !== undefined && !Number.isSafeInteger(size)) return undefined;
    type = type && arrayType(type, size);
  }
  return type;
}

/** A type of a function of a library, whose selector has its name: an enum, a contract or a storage reference. */
function readNamedType({ type: written, internalType }: PlainRecord): AbiType | undefined {
  if (typeof written !== 'string' || written.length > MAX_TYPE_CHARS) return undefined;
  const [, stored] = STORAGE.exec(written) ?? [];
  if (stored !== undefined) return namedType('storage', stored);
  const [, name = '', dimensions = ''] = WRITTEN_NAME.exec(written) ?? [];
  const sizes = [...dimensions.matchAll(/\[(\d*)\]/g)].map(([, size]) => (size ? Number(size) : undefined));
  const isAbiType = name === 'tuple' || parseElementaryType(name) !== undefined;
  if (name === '' || isAbiType || sizes.length > MAX_TYPE_DEPTH) return undefined;
  const [, named = name.includes('.') ? 'type' : undefined] =
    /^(enum|contract) /.exec(String(internalType)) ?? [];
  if (named === undefined) return undefined;
  let type = namedType(named as NamedTypeKind, name);
  for (const size of sizes) {
    if (size !== undefined && !Number.isSafeInteger(size)) return undefined;
    type = arrayType(type, size);
  }
  return type;
}

/** An empty tuple is invalid: no compiler accepts an empty struct. */
function readTuple(json: unknown, budget: ItemBudget, depth: number): AbiType | undefined {
  const members = readParameters(json, budget, depth + 1);
  return members && members.length > 0 ? tupleType(members.map(toAbiParameter)) : undefined;
}

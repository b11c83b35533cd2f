import { sanitizeText } from '../base/text.ts';
import { type Budget, createBudget } from '../base/timeSlices.ts';
import { asList, asRecord, compareValues, isRecord, type PlainRecord } from '../base/values.ts';

/** Where the variables of a contract are in its storage. */
export interface StorageLayout {
  /** By their place. */
  readonly variables: readonly StorageVariable[];
  /** Whether there are more than are read. */
  readonly isCut: boolean;
}

export interface StorageVariable {
  readonly label: string;
  /** The name of the contract that declares it, without its path, which differs between tools; empty if unknown. */
  readonly contract: string;
  /** Such as `erc7201:vault.main`; empty for the storage of its own. Each namespace has its own order. */
  readonly namespace: string;
  readonly slot: bigint;
  /** In bytes from the low end of the slot. */
  readonly offset: number;
  /** In bytes. */
  readonly size: bigint;
  readonly type: StorageType;
}

/** The structure of a type: it does not have the IDs of a syntax tree, which differ between builds. */
export interface StorageType {
  /** As people read it: `mapping(address => uint256)`. */
  readonly label: string;
  /** In bytes. */
  readonly size: bigint;
  /** Equal for types that store the same values the same way; of a value type, a list or a mapping without its parts. */
  readonly kind: string;
  /** Of a mapping or a list. */
  readonly key: StorageType | undefined;
  readonly value: StorageType | undefined;
  /** Of a struct. */
  readonly members: readonly StorageMember[];
}

export type StorageMember = Pick<StorageVariable, 'label' | 'offset' | 'slot' | 'type'>;

/** Of one contract; the largest in use have some hundred. */
const MAX_VARIABLES = 1_000;
/** Types inside of types, and members of all structs, of one layout. */
const MAX_TYPES = 5_000;
const MAX_MEMBERS = 10_000;
const MAX_TYPE_DEPTH = 12;
const MAX_LABEL_CHARS = 200;
const SLOT_BYTES = 32n;

/**
 * Reads a storage layout: `storageLayout` of solc, also with the namespaces that OpenZeppelin's plugins and Foundry add,
 * or `layout` of Vyper. Undefined if it is neither.
 *
 * - https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html#json-output
 * - https://docs.vyperlang.org/en/stable/compiling-a-contract.html
 *
 * @example
 * parseStorageLayout({ storage: [{ label: 'total', slot: '0', offset: 0, type: 't_uint256' }], types: {
 *   t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } } })?.variables.length // 1
 */
export function parseStorageLayout(json: unknown): StorageLayout | undefined {
  if (!isRecord(json)) return undefined;
  const isSolc = Array.isArray(json.storage);
  if (!isSolc && !isRecord(json.storage_layout)) return undefined;
  const members = createBudget(MAX_MEMBERS + 1);
  const found = isSolc
    ? listSolcVariables(json, members)
    : listVyperVariables(asRecord(json.storage_layout), '', MAX_TYPE_DEPTH);
  const variables: StorageVariable[] = [];
  let isCut = false;
  for (const variable of found) {
    if (variables.length === MAX_VARIABLES) {
      isCut = true;
      break;
    }
    variables.push(variable);
  }
  const order = variables.sort((a, b) => compareValues(getStart(a), getStart(b)));
  return { variables: order, isCut: isCut || members.left === 0 };
}

/**
 * The first byte of a variable, counted from the low end of slot 0.
 *
 * @example getStart({ slot: 1n, offset: 4 }) // 36n
 */
export function getStart({ slot, offset }: Pick<StorageVariable, 'offset' | 'slot'>): bigint {
  return slot * SLOT_BYTES + BigInt(offset);
}

function* listSolcVariables(
  { storage, types, namespaces }: PlainRecord,
  members: Budget,
): Generator<StorageVariable> {
  const readType = createTypeReader(asRecord(types), members);
  yield* listGroup(asList(storage), '', readType);
  for (const [name, group] of Object.entries(asRecord(namespaces))) {
    yield* listGroup(asList(group), sanitizeText(name, MAX_LABEL_CHARS), readType);
  }
}

function* listGroup(
  entries: readonly unknown[],
  namespace: string,
  readType: (id: unknown) => StorageType | undefined,
): Generator<StorageVariable> {
  for (const entry of entries) {
    const { label, slot, offset, type: id, contract } = asRecord(entry);
    const position = readPosition(slot, offset);
    const type = readType(id);
    if (typeof label !== 'string' || !position || !type) continue;
    const clean = sanitizeText(label, MAX_LABEL_CHARS);
    // Foundry writes the variables of a namespace as `erc7201:vault.main.total`. No name in Solidity has a dot.
    const dot = clean.lastIndexOf('.');
    yield {
      label: clean.slice(dot + 1),
      contract:
        typeof contract === 'string' ? sanitizeText(contract.replace(/^.*:/s, ''), MAX_LABEL_CHARS) : '',
      namespace: dot < 0 ? namespace : clean.slice(0, dot),
      ...position,
      ...{ size: type.size, type },
    };
  }
}

function readPosition(slot: unknown, offset: unknown) {
  // In a namespace of OpenZeppelin's plugins, the slot may be missing.
  const text = slot === undefined ? '0' : String(slot);
  const bytes = offset === undefined ? 0 : Number(offset);
  const isValid = /^\d{1,78}$/.test(text) && Number.isInteger(bytes) && bytes >= 0 && bytes < 32;
  return isValid ? { slot: BigInt(text), offset: bytes } : undefined;
}

/** Types may be nested without an end in a broken file. */
function createTypeReader(types: PlainRecord, membersLeft: Budget): (id: unknown) => StorageType | undefined {
  const done = new Map<string, StorageType>();
  const plain = new Map<string, StorageType | undefined>();
  const open = new Set<string>();
  let count = 0;

  /** The type without its parts. */
  function readPlain(id: string): StorageType | undefined {
    const entry = Object.hasOwn(types, id) ? types[id] : undefined;
    if (!isRecord(entry) || !/^\d{1,78}$/.test(String(entry.numberOfBytes))) return undefined;
    const label = typeof entry.label === 'string' ? sanitizeText(entry.label, MAX_LABEL_CHARS) : id;
    const size = BigInt(String(entry.numberOfBytes));
    return {
      ...{ label, size, kind: toKind(label, size, entry) },
      ...{ key: undefined, value: undefined, members: [] },
    };
  }

  function read(id: unknown): StorageType | undefined {
    if (typeof id !== 'string') return undefined;
    const existing = done.get(id);
    if (existing) return existing;
    if (!plain.has(id)) plain.set(id, readPlain(id));
    const bare = plain.get(id);
    // A struct may have a mapping to itself.
    if (!bare || open.has(id) || open.size > MAX_TYPE_DEPTH || ++count > MAX_TYPES) return bare;
    const entry = asRecord(types[id]);
    open.add(id);
    const type = {
      ...bare,
      key: read(entry.key),
      value: read(entry.value ?? entry.base),
      members: readMembers(asList(entry.members)),
    };
    open.delete(id);
    done.set(id, type);
    return type;
  }

  function readMembers(entries: readonly unknown[]): readonly StorageMember[] {
    const members: StorageMember[] = [];
    for (const member of entries.slice(0, MAX_VARIABLES)) {
      if (!membersLeft.pay(1)) break;
      const { label: name, slot, offset, type: of } = asRecord(member);
      const position = readPosition(slot, offset);
      const memberType = read(of);
      if (typeof name === 'string' && position && memberType)
        members.push({ label: sanitizeText(name, MAX_LABEL_CHARS), ...position, type: memberType });
    }
    return members;
  }
  return read;
}

function toKind(label: string, size: bigint, { encoding, members, base }: PlainRecord): string {
  if (encoding === 'mapping' || encoding === 'dynamic_array') return encoding;
  if (Array.isArray(members)) return 'struct';
  // A list of a fixed length: what it has is `base`.
  if (base !== undefined) return `list of ${size} bytes`;
  // A contract is stored as its address, an enum as its number, whatever its name is.
  if (/^(?:address payable|contract )/.test(label)) return 'address';
  if (label.startsWith('enum ')) return `enum of ${size} bytes`;
  return label;
}

function* listVyperVariables(
  entries: PlainRecord,
  prefix: string,
  depth: number,
): Generator<StorageVariable> {
  for (const [name, value] of Object.entries(entries)) {
    const { type, slot, n_slots: count } = asRecord(value);
    const label = sanitizeText(prefix + name, MAX_LABEL_CHARS);
    if (typeof type === 'string' && typeof slot === 'number' && slot >= 0 && Number.isSafeInteger(slot)) {
      const slots = Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 1;
      const size = BigInt(slots) * SLOT_BYTES;
      const kind = sanitizeText(type, MAX_LABEL_CHARS);
      yield {
        ...{ label, contract: '', namespace: '', slot: BigInt(slot), offset: 0, size },
        type: { label: kind, size, kind, key: undefined, value: undefined, members: [] },
      };
    } else if (isRecord(value) && depth > 0) {
      // The variables of a module that the contract initializes.
      yield* listVyperVariables(value, `${label}.`, depth - 1);
    }
  }
}

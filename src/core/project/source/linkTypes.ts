import type { EnumPlace, ItemEnums } from '../../abi/enums.ts';
import { parseElementaryType } from '../../abi/type.ts';
import { evaluateLength } from './arrayLength.ts';
import {
  MAX_LINKED_ITEM_CHARS,
  MAX_NESTING_DEPTH,
  type SourceFacts,
  type SourceItem,
  type SourceParameter,
  type SourceType,
} from './declarations.ts';
import type { NameResolver, ResolvedName, SourceLocation } from './sourceNames.ts';

const MAX_TYPE_NAME_CHARS = 256;
const MAX_LENGTH = BigInt(Number.MAX_SAFE_INTEGER);
/** In one item. */
const MAX_ENUMS = 64;
const KEYWORDS = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;

/**
 * Replaces the types of an item by ABI types; none if one of them is not an ABI type, or not found. Several if an item
 * has a `decimal` of Vyper, whose type depends on the compiler, and the source does not tell which one that is.
 */
export function linkItem(
  item: SourceItem,
  at: SourceLocation,
  options: Pick<Linking, 'budget' | 'getFacts' | 'names'>,
): readonly LinkedItem[] {
  const linking: Linking = {
    ...options,
    remainingChars: MAX_LINKED_ITEM_CHARS,
    path: at.path,
    decimal: undefined,
    isUndecided: false,
    hasNames: item.kind === 'function' && at.contract?.kind === 'library',
  };
  const first = linkAs(item, at, linking);
  if (!first || !linking.isUndecided) return first ? [first] : [];
  const second = linkAs(item, at, { ...linking, remainingChars: MAX_LINKED_ITEM_CHARS, decimal: 'int168' });
  return second ? [first, second] : [first];
}

function linkAs(
  { kind, name, inputs, outputs: written = [], anonymous, isView, isGetter }: SourceItem,
  at: SourceLocation,
  linking: Linking,
): LinkedItem | undefined {
  const enums: EnumPlace[] = [];
  const context = { at, linking, depth: 0, enums };
  const linked = linkParameters(inputs, { ...context, prefix: '' });
  const struct = isGetter ? findStruct(written[0]?.type, context) : undefined;
  const outputs = struct?.members ?? written;
  const returned = linkParameters(outputs, { ...context, at: struct?.at ?? at, prefix: 'returns.' });
  if (!linked || !returned) return undefined;
  const returns = outputs.length > 0 ? ` returns ${returned.written}` : '';
  const indexed = inputs.map((input) => (input.indexed ? 'i' : '-')).join('');
  return {
    text: `${kind} ${name}${linked.written}${isView ? ' view' : ''}${returns}${anonymous ? ' anonymous' : ''}`,
    key: `${kind} ${name}${linked.canonical}${indexed}${anonymous ?? ''}`,
    enums,
  };
}

/** The members of a struct that its getter returns: all but mappings and arrays. */
function findStruct(name: string | undefined, { at, linking }: Pick<TypeContext, 'at' | 'linking'>) {
  const isStruct = name !== undefined && canonicalType(name) === undefined;
  const [resolved, ...others] = isStruct ? linking.names.find(name, at) : [];
  if (resolved?.kind !== 'type' || resolved.type.kind !== 'struct' || others.length > 0) return undefined;
  const members = resolved.type.members.filter(({ type }) => type !== 'mapping' && !type.endsWith(']'));
  return { members, at: resolved.at };
}

/** An item as ABI text, and a key that is unique within its contract. */
export interface LinkedItem {
  readonly text: string;
  readonly key: string;
  readonly enums: ItemEnums;
}

/** A type of the ABI: with the names of its members, and in canonical form. */
interface LinkedType {
  readonly written: string;
  readonly canonical: string;
}

interface Linking {
  readonly names: NameResolver;
  readonly getFacts: (path: string) => Pick<SourceFacts, 'decimal' | 'language'> | undefined;
  readonly budget: LinkBudget;
  /** Characters left for this item: nested structs multiply. */
  remainingChars: number;
  /** Of the item. */
  readonly path: string;
  /** What `decimal` of Vyper stands for; undefined for what the sources say. */
  readonly decimal: SourceFacts['decimal'];
  /** Whether it is a function of a library, whose selector has the names of types. */
  readonly hasNames: boolean;
  /** Whether the item has a `decimal` that no source decides. */
  isUndecided: boolean;
}

/** Limits and caches that all items of a link share. */
interface LinkBudget {
  /** Characters left for all items. */
  remainingChars: number;
  /** Evaluated constants; each may refer to others. */
  readonly constants: Map<SourceType, bigint | undefined>;
}

interface TypeContext {
  readonly at: SourceLocation;
  readonly linking: Linking;
  readonly depth: number;
  /** Collects the enums of the item. */
  readonly enums: EnumPlace[];
}

type LengthContext = Omit<TypeContext, 'enums'>;

interface ParameterContext extends TypeContext {
  /** Of the paths of the parameters. */
  readonly prefix: string;
}

interface NamedTypeContext extends TypeContext {
  readonly path: string;
}

function linkParameters(
  parameters: readonly SourceParameter[],
  { at, linking, depth, enums, prefix }: ParameterContext,
): LinkedType | undefined {
  const written: string[] = [];
  const canonical: string[] = [];
  for (const [index, { name, type, indexed, isStorage, unit }] of parameters.entries()) {
    const path = `${prefix}${index}`;
    const context = { at, linking, depth, enums, path };
    const linked = isStorage ? linkStorage(type, context) : linkType(type, context);
    if (!linked) return undefined;
    if (unit !== undefined && enums.length < MAX_ENUMS) enums.push({ path, name: '', unit });
    const text = linked.written + (indexed ? ' indexed' : '') + (isReadable(name) ? ` ${name}` : '');
    linking.remainingChars -= text.length + 2;
    linking.budget.remainingChars -= text.length + 2;
    if (linking.remainingChars < 0 || linking.budget.remainingChars < 0) return undefined;
    written.push(text);
    canonical.push(linked.canonical);
  }
  return { written: `(${written.join(', ')})`, canonical: `(${canonical.join(',')})` };
}

/** Whether a name can be parsed again after its type: Vyper allows names that are keywords in Solidity. */
function isReadable(name: string): boolean {
  const isKeyword = KEYWORDS.test(name) || canonicalType(name) !== undefined;
  return name !== '' && name.length <= MAX_TYPE_NAME_CHARS && !isKeyword;
}

function linkType(type: string, context: NamedTypeContext): LinkedType | undefined {
  if (context.depth > MAX_NESTING_DEPTH) return undefined;
  const bracket = type.indexOf('[');
  const name = bracket < 0 ? type : type.slice(0, bracket);
  const lengths = bracket < 0 ? '' : linkLengths(type.slice(bracket), context);
  const elementary = canonicalType(name) ?? linkDecimal(name, context);
  const item = elementary ? { written: elementary, canonical: elementary } : linkName(name, context);
  if (!item || lengths === undefined) return undefined;
  return { written: item.written + lengths, canonical: item.canonical + lengths };
}

/** A reference to storage of a library's function: `storage Lib.State`. */
function linkStorage(type: string, context: NamedTypeContext): LinkedType | undefined {
  const isValue = type !== 'bytes' && type !== 'string' && canonicalType(type) !== undefined;
  const declared = context.linking.hasNames && !isValue ? linkStoredType(type, context) : undefined;
  if (declared === undefined) return undefined;
  const text = `storage ${declared}`;
  return { written: text, canonical: text };
}

/** `mapping(I => mapping(L.E => L.S[2]))`: names as solc writes them into selectors. */
function linkStoredType(type: string, context: NamedTypeContext): string | undefined {
  const mapping = splitMapping(type);
  const [name = ''] = type.split('[', 1);
  const written = mapping ? mapping.lengths : type.slice(name.length);
  const lengths = written === '' ? '' : linkLengths(written, context);
  if (lengths === undefined) return undefined;
  if (!mapping) {
    const elementary = canonicalType(name) ?? getNamed(context.linking.names.find(name, context.at));
    return elementary && elementary + lengths;
  }
  const inner = { ...context, depth: context.depth + 1 };
  if (inner.depth > MAX_NESTING_DEPTH) return undefined;
  const linkedKey = linkStoredType(mapping.key, inner);
  const linkedValue = linkedKey && linkStoredType(mapping.value, inner);
  return linkedValue && `mapping(${linkedKey} => ${linkedValue})${lengths}`;
}

/** The parts of `mapping(uint => Kind)[2]`: `uint `, ` Kind` and `[2]`. */
function splitMapping(
  type: string,
): { readonly key: string; readonly value: string; readonly lengths: string } | undefined {
  const arrow = type.indexOf('=>');
  const end = type.endsWith(']') ? type.lastIndexOf(')[') : type.length - 1;
  if (!type.startsWith(MAPPING) || arrow < 0 || end < arrow || type[end] !== ')') return undefined;
  return {
    key: type.slice(MAPPING.length, arrow),
    value: type.slice(arrow + 2, end),
    lengths: type.slice(end + 1),
  };
}

const MAPPING = 'mapping(';

function getNamed([resolved, ...others]: readonly ResolvedName[]): string | undefined {
  if (others.length > 0) return undefined;
  if (resolved?.kind === 'contract') return resolved.contract.name;
  return resolved?.kind === 'type' && resolved.type.kind !== 'constant' ? getTypeName(resolved) : undefined;
}

const getTypeName = ({ type, at }: Extract<ResolvedName, { kind: 'type' }>) =>
  at.contract ? `${at.contract.name}.${type.name}` : type.name;

function linkDecimal(name: string, { at, linking }: TypeContext): string | undefined {
  const facts = name === 'decimal' ? linking.getFacts(at.path) : undefined;
  if (facts?.language !== 'vyper') return undefined;
  const decided = linking.decimal ?? linking.getFacts(linking.path)?.decimal ?? facts.decimal;
  if (decided === undefined) linking.isUndecided = true;
  return decided ?? 'fixed168x10';
}

function linkName(name: string, context: NamedTypeContext): LinkedType | undefined {
  const [resolved, ...others] = context.linking.names.find(name, context.at);
  if (!resolved || others.length > 0) return undefined;
  if (resolved.kind === 'type') return linkDeclared(resolved, context);
  const isNamed = context.linking.hasNames && resolved.kind === 'contract';
  const address = isNamed ? `contract ${resolved.contract.name}` : 'address';
  const text = isAddressType(resolved, context) ? address : undefined;
  if (text) addName(name, context);
  return text ? { written: text, canonical: text } : undefined;
}

function isAddressType(resolved: ResolvedName, { at, linking }: TypeContext): boolean {
  if (resolved.kind === 'contract') return resolved.contract.kind !== 'library';
  // A Vyper module used as a type is an interface, including those built into the compiler.
  return resolved.kind === 'file' && linking.getFacts(at.path)?.language === 'vyper';
}

function linkDeclared(
  resolved: Extract<ResolvedName, { kind: 'type' }>,
  { linking, depth, enums, path }: NamedTypeContext,
): LinkedType | undefined {
  const { type, at } = resolved;
  const name = getTypeName(resolved);
  if (type.kind === 'alias' || type.kind === 'struct') addName(name, { linking, enums, path });
  if (type.kind === 'alias') return linkType(type.type, { at, linking, depth: depth + 1, enums, path });
  if (type.kind === 'enum') {
    // Solidity encodes the index of a member, Vyper a bit per member.
    const isVyper = linking.getFacts(at.path)?.language === 'vyper';
    const { members } = type;
    const length = members.reduce((sum, member) => sum + member.length + 2, 0);
    if (length > 0 && enums.length < MAX_ENUMS && length < linking.budget.remainingChars) {
      linking.budget.remainingChars -= length;
      enums.push({ path, name, members, ...(isVyper && { isFlag: true }) });
    }
    const text = isVyper ? 'uint256' : linking.hasNames ? `enum ${name}` : 'uint8';
    return { written: text, canonical: text };
  }
  if (type.kind === 'constant' || type.members.length === 0) return undefined;
  const members = linkParameters(type.members, { at, linking, depth: depth + 1, enums, prefix: `${path}.` });
  // Only the selector has the name, which is of inputs.
  if (!members || !linking.hasNames || depth > 0 || path.startsWith('returns.')) return members;
  return { written: `struct ${name}${members.written}`, canonical: name };
}

/** Adds the name of a type that is no enum. */
function addName(
  name: string,
  { linking, enums, path }: Pick<NamedTypeContext, 'linking' | 'enums' | 'path'>,
): void {
  if (enums.length >= MAX_ENUMS || name.length >= linking.budget.remainingChars) return;
  linking.budget.remainingChars -= name.length;
  enums.push({ path, name, isOther: true });
}

/** Replaces `[]`, `[4]` and `[COUNT]`, where a constant is replaced by its value. */
function linkLengths(lengths: string, context: LengthContext): string | undefined {
  let linked = '';
  for (const written of lengths.slice(1, -1).split('][')) {
    const length = written === '' ? '' : evaluateConstant(written, context);
    if (length === undefined || (typeof length === 'bigint' && (length <= 0n || length > MAX_LENGTH)))
      return undefined;
    linked += `[${length}]`;
  }
  return linked;
}

function evaluateConstant(written: string, { at, linking, depth }: LengthContext): bigint | undefined {
  if (depth > MAX_NESTING_DEPTH) return undefined;
  const { constants } = linking.budget;
  return evaluateLength(written, (name) => {
    const [resolved] = linking.names.find(name, at);
    if (resolved?.kind !== 'type' || resolved.type.kind !== 'constant') return undefined;
    const { type } = resolved;
    if (!constants.has(type)) {
      constants.set(type, undefined);
      constants.set(type, evaluateConstant(type.value, { at: resolved.at, linking, depth: depth + 1 }));
    }
    return constants.get(type);
  });
}

/** The ABI type of a keyword, aliases resolved; undefined for other names. */
function canonicalType(name: string): string | undefined {
  return name === 'byte' ? 'bytes1' : parseElementaryType(name)?.text;
}

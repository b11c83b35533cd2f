import {
  MAX_LINKED_ITEM_CHARS,
  MAX_NESTING_DEPTH,
  type SourceFacts,
  type SourceItem,
  type SourceParameter,
  type SourceType,
} from './declarations.ts';
import type { NameResolver, ResolvedName, SourceLocation } from './sourceNames.ts';

/** A type of the ABI: with the names of its members, and as it is hashed. */
interface LinkedType {
  readonly written: string;
  readonly canonical: string;
}

/** An item in the form in which an ABI is kept, and what tells it from others of its contract. */
export interface LinkedItem {
  readonly text: string;
  readonly key: string;
}

/** What all items of a link share. */
export interface LinkBudget {
  /** Characters that they may still take. */
  remainingChars: number;
  /** Values of constants that are known; each may name several others. */
  readonly constants: Map<SourceType, number | undefined>;
}

interface Linking {
  readonly names: NameResolver;
  readonly getLanguage: (path: string) => SourceFacts['language'] | undefined;
  readonly budget: LinkBudget;
  /** Characters that the item may still take: structs in structs multiply. */
  remainingChars: number;
}

const KEYWORDS = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;
const MAX_TYPE_NAME_CHARS = 256;

/** Whether a name can be read again behind its type: Vyper allows some that Solidity has another meaning for. */
function isReadable(name: string): boolean {
  const isKeyword = KEYWORDS.test(name) || canonicalType(name) !== undefined;
  return name !== '' && name.length <= MAX_TYPE_NAME_CHARS && !isKeyword;
}

interface TypeContext {
  readonly at: SourceLocation;
  readonly linking: Linking;
  readonly depth: number;
}

/** An item with its types as the ABI has them; undefined where one of them is none of the ABI, or is not found. */
export function linkItem(
  { kind, name, inputs, outputs = [], anonymous }: SourceItem,
  at: SourceLocation,
  options: Omit<Linking, 'remainingChars'>,
): LinkedItem | undefined {
  const context = { at, linking: { ...options, remainingChars: MAX_LINKED_ITEM_CHARS }, depth: 0 };
  const linked = linkParameters(inputs, context);
  const returned = linkParameters(outputs, context);
  if (!linked || !returned) return undefined;
  const returns = outputs.length > 0 ? ` returns ${returned.written}` : '';
  const indexed = inputs.map((input) => (input.indexed ? 'i' : '-')).join('');
  return {
    text: `${kind} ${name}${linked.written}${returns}${anonymous ? ' anonymous' : ''}`,
    key: `${kind} ${name}${linked.canonical}${indexed}${anonymous ?? ''}`,
  };
}

function linkParameters(
  parameters: readonly SourceParameter[],
  { at, linking, depth }: TypeContext,
): LinkedType | undefined {
  const written: string[] = [];
  const canonical: string[] = [];
  for (const { name, type, indexed } of parameters) {
    const linked = linkType(type, { at, linking, depth });
    if (!linked) return undefined;
    const text = linked.written + (indexed ? ' indexed' : '') + (isReadable(name) ? ` ${name}` : '');
    linking.remainingChars -= text.length + 2;
    linking.budget.remainingChars -= text.length + 2;
    if (linking.remainingChars < 0 || linking.budget.remainingChars < 0) return undefined;
    written.push(text);
    canonical.push(linked.canonical);
  }
  return { written: `(${written.join(', ')})`, canonical: `(${canonical.join(',')})` };
}

function linkType(type: string, context: TypeContext): LinkedType | undefined {
  if (context.depth > MAX_NESTING_DEPTH) return undefined;
  const bracket = type.indexOf('[');
  const name = bracket < 0 ? type : type.slice(0, bracket);
  const lengths = bracket < 0 ? '' : linkLengths(type.slice(bracket), context);
  const elementary = canonicalType(name);
  const item = elementary ? { written: elementary, canonical: elementary } : linkName(name, context);
  if (!item || lengths === undefined) return undefined;
  return { written: item.written + lengths, canonical: item.canonical + lengths };
}

function linkName(name: string, context: TypeContext): LinkedType | undefined {
  const [named, ...others] = context.linking.names.find(name, context.at);
  if (!named || others.length > 0) return undefined;
  if (named.kind === 'type') return linkDeclared(named, context);
  const text = addressOf(named, context) ? 'address' : undefined;
  return text ? { written: text, canonical: text } : undefined;
}

function addressOf(named: ResolvedName, { at, linking }: TypeContext): boolean {
  if (named.kind === 'contract') return named.contract.kind !== 'library';
  // A module of Vyper that is used as a type is an interface, also one that the compiler brings.
  return named.kind === 'file' && linking.getLanguage(at.path) === 'vyper';
}

function linkDeclared(
  { type, at }: Extract<ResolvedName, { kind: 'type' }>,
  { linking, depth }: TypeContext,
): LinkedType | undefined {
  if (type.kind === 'alias') return linkType(type.type, { at, linking, depth: depth + 1 });
  if (type.kind === 'enum') {
    // Solidity counts the names, Vyper has a bit for each.
    const text = linking.getLanguage(at.path) === 'vyper' ? 'uint256' : 'uint8';
    return { written: text, canonical: text };
  }
  if (type.kind === 'constant' || type.members.length === 0) return undefined;
  return linkParameters(type.members, { at, linking, depth: depth + 1 });
}

/** `[]`, `[4]`, `[COUNT]` with the constant's value. */
function linkLengths(lengths: string, context: TypeContext): string | undefined {
  let linked = '';
  for (const written of lengths.slice(1, -1).split('][')) {
    const length = written === '' ? '' : literalNumber(written, context);
    if (length === undefined) return undefined;
    linked += `[${length}]`;
  }
  return linked;
}

function literalNumber(written: string, { at, linking, depth }: TypeContext): number | undefined {
  if (depth > MAX_NESTING_DEPTH) return undefined;
  const { constants } = linking.budget;
  return evaluateLength(written, (name) => {
    const [named] = linking.names.find(name, at);
    if (named?.kind !== 'type' || named.type.kind !== 'constant') return undefined;
    const { type } = named;
    if (!constants.has(type)) {
      constants.set(type, undefined);
      constants.set(type, literalNumber(type.value, { at: named.at, linking, depth: depth + 1 }));
    }
    return constants.get(type);
  });
}

/** Terms of one length. */
const MAX_TERMS = 16;

/**
 * The value of a length as a source writes it: a number, a name, or a sum of products of both, `2 * COUNT - 1`.
 * Undefined for any other, for what is no whole number above 0, and where a name has no value.
 */
function evaluateLength(written: string, constant: (name: string) => number | undefined): number | undefined {
  const signs = written.split(/([-+])/);
  if (signs.length > 2 * MAX_TERMS) return undefined;
  let sum = 0;
  for (let at = 0; at < signs.length; at += 2) {
    const product = productOf(signs[at] ?? '', constant);
    if (product === undefined) return undefined;
    sum += signs[at - 1] === '-' ? -product : product;
  }
  return Number.isSafeInteger(sum) && sum > 0 ? sum : undefined;
}

function productOf(written: string, constant: (name: string) => number | undefined): number | undefined {
  let product = 1;
  for (const factor of written.split('*', MAX_TERMS + 1)) {
    const value = numberOf(factor.trim()) ?? constant(factor.trim());
    if (value === undefined) return undefined;
    product *= value;
  }
  return product;
}

function numberOf(written: string): number | undefined {
  const digits = written.replaceAll('_', '');
  return /^(?:\d{1,15}|0x[\da-fA-F]{1,12})$/.test(digits) ? Number(digits) : undefined;
}

/** The type of the ABI that a keyword stands for, aliases resolved; undefined of any other word. */
function canonicalType(word: string): string | undefined {
  if (PLAIN.has(word)) return word;
  if (word === 'uint' || word === 'int') return `${word}256`;
  if (word === 'byte') return 'bytes1';
  const [, kind, digits] = SIZED.exec(word) ?? [];
  const size = Number(digits);
  const exists = kind === 'bytes' ? size <= 32 : size <= 256 && size % 8 === 0;
  return digits !== undefined && exists ? word : undefined;
}

const PLAIN: ReadonlySet<string> = new Set(['address', 'bool', 'string', 'bytes', 'function']);
const SIZED = /^(bytes|u?int)([1-9]\d{0,2})$/;

import type { Hex } from '../eth/hex.ts';
import { hashSignature, toSelector } from '../eth/keccak.ts';
import {
  type DeclaredParameter,
  hasKnownTypes,
  isIdentifier,
  parseParameters,
  type TokenReader,
  takeToken,
  toAbiParameter,
  tokenize,
} from './declaration.ts';
import { type AbiParameter, type AbiType, type EventParameter, formatTypeList } from './type.ts';

/** An event of a contract's ABI. */
export interface AbiEvent {
  readonly kind: 'event';
  readonly name: string;
  readonly inputs: readonly EventParameter[];
  readonly anonymous: boolean;
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Keccak-256 of the signature: topic 0 of its logs, but of an anonymous event. */
  readonly topic0: Hex;
}

/** A custom error. */
export interface AbiError {
  readonly kind: 'error';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly signature: string;
  /** The first four bytes of the Keccak-256 of the signature. */
  readonly selector: Hex;
}

export interface AbiFunction {
  readonly kind: 'function';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly signature: string;
  readonly selector: Hex;
}

export type AbiItem = AbiEvent | AbiError | AbiFunction;

/**
 * An item as one line of text, from which it can be read again: `event Transfer(address indexed from, address indexed
 * to, uint256 value)`, canonical types, tuples as `(address token, uint256 amount) order`. The form in which an ABI is
 * kept: equal items of many contracts are one string.
 */
export type AbiItemText = string;

type Declared = 'kind' | 'name' | 'inputs';

/** What of an item its text shows; the hashes follow from it. */
export type AbiItemParts =
  | Pick<AbiEvent, Declared | 'anonymous'>
  | Pick<AbiError, Declared>
  | Pick<AbiFunction, Declared | 'outputs'>;

/**
 * An item as one line, from which `parseAbiItem` makes an equal item.
 *
 * @example formatAbiItem({ kind: 'error', name: 'Unpaid', inputs: [] }) // 'error Unpaid()'
 */
export function formatAbiItem(item: AbiItemParts): AbiItemText {
  const { kind, name } = item;
  switch (item.kind) {
    case 'event':
      return `${kind} ${name}${list(item.inputs)}${item.anonymous ? ' anonymous' : ''}`;
    case 'error':
      return `${kind} ${name}${list(item.inputs)}`;
    case 'function': {
      const returned = item.outputs.length > 0 ? ` returns ${list(item.outputs)}` : '';
      return `${kind} ${name}${list(item.inputs)}${returned}`;
    }
  }
}

function list(parameters: readonly (AbiParameter | EventParameter)[]): string {
  return `(${parameters.map(formatParameter).join(', ')})`;
}

function formatParameter(parameter: AbiParameter | EventParameter): string {
  const indexed = 'indexed' in parameter && parameter.indexed ? ' indexed' : '';
  return `${formatType(parameter.type)}${indexed}${parameter.name && ` ${parameter.name}`}`;
}

/** As the canonical form, with the names of members. */
function formatType(type: AbiType): string {
  if (type.kind === 'tuple') return list(type.members);
  if (type.kind === 'array') return `${formatType(type.item)}[${type.length ?? ''}]`;
  return type.text;
}

const INDEXED: ReadonlySet<string> = new Set(['indexed']);
const LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage']);
const MODIFIERS: ReadonlySet<string> = new Set([
  ...['public', 'external', 'internal', 'private', 'pure', 'view', 'payable', 'nonpayable', 'constant'],
  ...['virtual', 'override'],
]);

/**
 * Reads `event …`, `error …` or `function …` as Solidity declares them, a semicolon at the end or none; aliases (`uint`)
 * become canonical, a struct stands as its members in parentheses. Undefined where it is none of them, uses a type that
 * the ABI does not know, has more indexed parameters than a log has topics, or is over 16,384 characters long.
 *
 * @example
 * parseAbiItem('event Paid(address indexed by, uint amount)')?.signature // 'Paid(address,uint256)'
 */
export function parseAbiItem(text: string): AbiItem | undefined {
  const words = text.length > MAX_ITEM_CHARS ? [] : tokenize(text);
  if (words.at(-1) === ';') words.pop();
  const [kind, name = ''] = words;
  if (!isIdentifier(name)) return undefined;
  switch (kind) {
    case 'event':
      return readEvent(name, { tokens: words, at: 2, between: INDEXED });
    case 'error':
      return readError(name, { tokens: words, at: 2, between: LOCATIONS });
    case 'function':
      return readFunction(name, { tokens: words, at: 2, between: LOCATIONS });
    default:
      return undefined;
  }
}

function readEvent(name: string, reader: TokenReader): AbiEvent | undefined {
  const inputs = readKnown(reader, eventParameterOf);
  const anonymous = takeToken(reader, 'anonymous');
  if (!inputs || !isAtEnd(reader) || !fitsTopics(inputs, anonymous)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'event', name, inputs, anonymous, signature, topic0: hashSignature(signature) };
}

function readError(name: string, reader: TokenReader): AbiError | undefined {
  const inputs = readKnown(reader, toAbiParameter);
  if (!inputs || !isAtEnd(reader)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'error', name, inputs, signature, selector: toSelector(signature) };
}

function readFunction(name: string, reader: TokenReader): AbiFunction | undefined {
  const inputs = readKnown(reader, toAbiParameter);
  while (MODIFIERS.has(reader.tokens[reader.at] ?? '')) reader.at++;
  const outputs = takeToken(reader, 'returns') ? readKnown(reader, toAbiParameter) : [];
  if (!inputs || !outputs || !isAtEnd(reader)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'function', name, inputs, outputs, signature, selector: toSelector(signature) };
}

/** Parameters in parentheses; undefined unless the ABI knows all their types. */
function readKnown<Parameter extends AbiParameter>(
  reader: TokenReader,
  as: (declared: AbiParameter & Pick<DeclaredParameter, 'indexed'>) => Parameter,
): readonly Parameter[] | undefined {
  const parameters = parseParameters(reader);
  return parameters && hasKnownTypes(parameters) ? parameters.map(as) : undefined;
}

function eventParameterOf({ name, type, indexed }: EventParameter): EventParameter {
  return { name, type, indexed };
}

function isAtEnd(reader: TokenReader): boolean {
  return reader.at === reader.tokens.length;
}

/** Characters of an item as text: five times the longest of those in use, which have structs in structs. */
export const MAX_ITEM_CHARS = 16_384;

/** Of one ABI: far more than a contract of 24 KiB can have. */
export const MAX_ABI_ITEMS = 5_000;

/** A log has four topics, of which the first is the event's own unless it is anonymous. */
export function fitsTopics(inputs: readonly EventParameter[], anonymous: boolean): boolean {
  return inputs.filter(({ indexed }) => indexed).length <= (anonymous ? 4 : 3);
}

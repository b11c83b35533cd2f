import type { Hex } from '../eth/hex.ts';
import { hashSignature, toSelector } from '../eth/keccak.ts';
import {
  type DeclaredParameter,
  fitsTopics,
  hasKnownTypes,
  isIdentifier,
  parseParameters,
  type TokenReader,
  takeToken,
  toAbiParameter,
  tokenize,
} from './declaration.ts';
import { type AbiParameter, type AbiType, type EventParameter, formatTypeList } from './type.ts';

export interface AbiEvent {
  readonly kind: 'event';
  readonly name: string;
  readonly inputs: readonly EventParameter[];
  readonly anonymous: boolean;
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Keccak-256 of the signature: topic 0 of its logs, except for an anonymous event. */
  readonly topic0: Hex;
}

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
  /** Whether it is declared as `view` or `pure`, or is the getter of a public variable. */
  readonly isView: boolean;
  readonly signature: string;
  readonly selector: Hex;
}

export type AbiItem = AbiEvent | AbiError | AbiFunction;

/** Five times the longest item in use, which has structs inside structs. */
export const MAX_ITEM_CHARS = 16_384;
/** Far more than a contract of 24 KiB can have. */
export const MAX_ABI_ITEMS = 5_000;

/**
 * An item as one line of text that can be parsed again: `event Transfer(address indexed from, address indexed to,
 * uint256 value)`, with canonical types, tuples as `(address token, uint256 amount) order`, and `view` also for `pure`.
 * ABIs are stored in this form: equal items of many contracts share one string.
 */
export type AbiItemText = string;

type CommonKey = 'kind' | 'name' | 'inputs';

/** The parts of an item that its text shows; the hashes follow from them. */
export type AbiItemParts =
  | Pick<AbiEvent, CommonKey | 'anonymous'>
  | Pick<AbiError, CommonKey>
  | Pick<AbiFunction, CommonKey | 'isView' | 'outputs'>;

const EVENT_MODIFIERS: ReadonlySet<string> = new Set(['indexed']);
const DATA_LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage']);

const FUNCTION_MODIFIERS: ReadonlySet<string> = new Set([
  ...['public', 'external', 'internal', 'private', 'pure', 'view', 'payable', 'nonpayable', 'constant'],
  ...['virtual', 'override'],
]);
/** `constant` is the form before Solidity 0.5. */
const VIEW_MODIFIERS: ReadonlySet<string> = new Set(['view', 'pure', 'constant']);

/**
 * Parses `event …`, `error …` or `function …` as Solidity declares them, with or without the semicolon. Aliases (`uint`)
 * become canonical; a struct is written as its members in parentheses. Undefined if it is not such an item, uses a type
 * that is not an ABI type, has more indexed parameters than a log has topics, or is over 16,384 characters long.
 *
 * @example
 * parseAbiItem('event Paid(address indexed by, uint amount)')?.signature // 'Paid(address,uint256)'
 */
export function parseAbiItem(text: string): AbiItem | undefined {
  const tokens = text.length > MAX_ITEM_CHARS ? [] : tokenize(text);
  if (tokens.at(-1) === ';') tokens.pop();
  const [kind, name = ''] = tokens;
  if (!isIdentifier(name)) return undefined;
  switch (kind) {
    case 'event':
      return readEvent(name, { tokens, at: 2, between: EVENT_MODIFIERS });
    case 'error':
      return readError(name, { tokens, at: 2, between: DATA_LOCATIONS });
    case 'function':
      return readFunction(name, { tokens, at: 2, between: DATA_LOCATIONS, takesNames: true });
    default:
      return undefined;
  }
}

function readEvent(name: string, reader: TokenReader): AbiEvent | undefined {
  const inputs = readParameters(reader, toEventParameter);
  const anonymous = takeToken(reader, 'anonymous');
  if (!inputs || !isAtEnd(reader) || !fitsTopics(inputs, anonymous)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'event', name, inputs, anonymous, signature, topic0: hashSignature(signature) };
}

function readError(name: string, reader: TokenReader): AbiError | undefined {
  const inputs = readParameters(reader, toAbiParameter);
  if (!inputs || !isAtEnd(reader)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'error', name, inputs, signature, selector: toSelector(signature) };
}

function readFunction(name: string, reader: TokenReader): AbiFunction | undefined {
  const inputs = readParameters(reader, toAbiParameter);
  let isView = false;
  for (; FUNCTION_MODIFIERS.has(reader.tokens[reader.at] ?? ''); reader.at++) {
    isView ||= VIEW_MODIFIERS.has(reader.tokens[reader.at] ?? '');
  }
  const outputs = takeToken(reader, 'returns') ? readParameters(reader, toAbiParameter) : [];
  if (!inputs || !outputs || !isAtEnd(reader)) return undefined;
  const signature = name + formatTypeList(inputs);
  return { kind: 'function', name, inputs, outputs, isView, signature, selector: toSelector(signature) };
}

/** Reads parameters in parentheses; undefined unless all types are ABI types. */
function readParameters<Parameter extends AbiParameter>(
  reader: TokenReader,
  convert: (declared: AbiParameter & Pick<DeclaredParameter, 'indexed'>) => Parameter,
): readonly Parameter[] | undefined {
  const parameters = parseParameters(reader);
  return parameters && hasKnownTypes(parameters) ? parameters.map(convert) : undefined;
}

function toEventParameter({ name, type, indexed }: EventParameter): EventParameter {
  return { name, type, indexed };
}

function isAtEnd(reader: TokenReader): boolean {
  return reader.at === reader.tokens.length;
}

/**
 * An item as one line, which `parseAbiItem` parses to an equal item.
 *
 * @example formatAbiItem({ kind: 'error', name: 'Unpaid', inputs: [] }) // 'error Unpaid()'
 */
export function formatAbiItem(item: AbiItemParts): AbiItemText {
  const { kind, name } = item;
  switch (item.kind) {
    case 'event':
      return `${kind} ${name}${formatParameters(item.inputs)}${item.anonymous ? ' anonymous' : ''}`;
    case 'error':
      return `${kind} ${name}${formatParameters(item.inputs)}`;
    case 'function': {
      const returns = item.outputs.length > 0 ? ` returns ${formatParameters(item.outputs)}` : '';
      return `${kind} ${name}${formatParameters(item.inputs)}${item.isView ? ' view' : ''}${returns}`;
    }
  }
}

function formatParameters(parameters: readonly (AbiParameter | EventParameter)[]): string {
  return `(${parameters.map(formatParameter).join(', ')})`;
}

function formatParameter(parameter: AbiParameter | EventParameter): string {
  const indexed = 'indexed' in parameter && parameter.indexed ? ' indexed' : '';
  return `${formatType(parameter.type)}${indexed}${parameter.name && ` ${parameter.name}`}`;
}

/** The canonical form, with the names of tuple members; a type of a library with what its name stands for. */
function formatType(type: AbiType): string {
  if (type.kind === 'tuple')
    return `${type.named ? `${type.named} ${type.text}` : ''}${formatParameters(type.members)}`;
  if (type.kind === 'array') return `${formatType(type.item)}[${type.length ?? ''}]`;
  if (!('named' in type) || type.named === undefined) return type.text;
  return `${type.named} ${type.text.replace(/ storage$/, '')}`;
}

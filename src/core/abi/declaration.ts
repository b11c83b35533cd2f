import { badInput } from '../base/errors.ts';
import { editDistance, foreign } from '../base/text.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import {
  type AbiParameter,
  type AbiType,
  arrayType,
  elementaryTypeNames,
  formatTypeList,
  type NamedTypeKind,
  namedType,
  parseElementaryType,
  structType,
  tupleType,
} from './type.ts';

const MAX_NAME_CHARS = 256;
/** Limit for nested tuples, and for the dimensions of one array. Compilers fail far earlier (stack too deep). */
export const MAX_TYPE_DEPTH = 16;
const MAX_DECLARATION_CHARS = 4096;
const TOKENS = /[\w$]+|\S/g;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const KEYWORDS = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;
const EVENT_MODIFIERS: ReadonlySet<string> = new Set(['indexed']);

export interface EventSignature {
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  readonly topic0: Hex;
}

/**
 * Reads an event in Solidity or in short form: `Transfer(address,address,uint256)`,
 * `event Transfer(address indexed from, address indexed to, uint value);`. Aliases (`uint`) become canonical.
 *
 * @throws AppError `badInput` for `field` if it is not an event, is over 4096 characters, uses a type that the ABI does
 *   not know (the name of a contract, enum or struct), or is anonymous (such an event has no topic0).
 * @example parseEventSignature('event Paid(address indexed by, uint amount);').signature // 'Paid(address,uint256)'
 */
export function parseEventSignature(text: string, field = 'event'): EventSignature {
  const declaration = parseEventDeclaration(text);
  if (declaration === 'anonymous') {
    throw badInput(field, 'An anonymous event has no topic0. Filter by address and topics instead.');
  }
  if (declaration === 'overIndexed') {
    throw badInput(field, 'An event has at most three indexed parameters, unless it is anonymous.');
  }
  if (declaration === 'malformed') {
    throw badInput(field, 'Not an event signature. Enter it like Transfer(address,address,uint256).');
  }
  const { written, signature } = declaration;
  if (signature === undefined) throw unknownTypeError(field, written);
  return { signature, topic0: hashSignature(signature) };
}

function unknownTypeError(field: string, written: string) {
  return badInput(field, {
    code: 'unknownType',
    template: '{0} has an unknown type. Use address for a contract, uint8 for an enum, and (…) for a struct.',
    args: [foreign(written, 80)],
  });
}

/**
 * Reads a topic0 that a person typed: 32 bytes of hex as they are, anything else as an event signature.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * parseEventOrTopic0('Transfer(address,address,uint256)')
 * // '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
 */
export function parseEventOrTopic0(text: string, field = 'event'): Hex {
  const typed = text.trim();
  if (!/^0x/i.test(typed)) return parseEventSignature(typed, field).topic0;
  return requireTopic(typed, field);
}

/**
 * A 32-byte topic in lower case.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * requireTopic('0xABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB')
 * // '0xabababababababababababababababababababababababababababababababab'
 */
export function requireTopic(text: string, field = 'topics'): Hex {
  const topic = parseHexData(text.trim(), 32);
  if (!topic) throw badInput(field, 'Not a topic. Enter 0x and 64 hex digits (32 bytes).');
  return topic;
}

interface EventDeclaration {
  /** As written, without `event`, redundant spaces and the semicolon. */
  readonly written: string;
  /** Canonical form, aliases resolved; undefined if a type is not an ABI type. */
  readonly signature: string | undefined;
}

/**
 * Reads `event Name(type indexed name, …);`; `event`, `indexed`, parameter names and the semicolon are optional. The
 * time is linear; a text over 4096 characters is `malformed`.
 * Types: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example
 * parseEventDeclaration('event Paid(uint  amount);')
 * // { written: 'Paid(uint amount)', signature: 'Paid(uint256)' }
 */
export function parseEventDeclaration(
  text: string,
): EventDeclaration | 'anonymous' | 'malformed' | 'overIndexed' {
  const tokens = text.length > MAX_DECLARATION_CHARS ? [] : tokenize(text);
  if (tokens.at(-1) === ';') tokens.pop();
  if (tokens[0] === 'event' && tokens[1] !== '(') tokens.shift();
  const anonymous = tokens.at(-1) === 'anonymous';
  if (anonymous) tokens.pop();
  const [name = ''] = tokens;
  if (!isIdentifier(name) || tokens[1] !== '(') return 'malformed';
  const reader: TokenReader = { tokens, at: 1, between: EVENT_MODIFIERS };
  const parameters = parseParameters(reader);
  if (parameters === undefined || reader.at !== tokens.length) return 'malformed';
  if (anonymous) return 'anonymous';
  if (!fitsTopics(parameters, false)) return 'overIndexed';
  return {
    written: joinTokens(tokens),
    signature: hasKnownTypes(parameters) ? name + formatTypeList(parameters) : undefined,
  };
}

/** Whether the indexed parameters fit a log: it has four topics, and the first is topic0 unless the event is anonymous. */
export function fitsTopics(
  inputs: readonly Pick<DeclaredParameter, 'indexed'>[],
  anonymous: boolean,
): boolean {
  return inputs.filter(({ indexed }) => indexed).length <= (anonymous ? 4 : 3);
}

/** Puts a space after a comma and between tokens that would run together. */
function joinTokens(tokens: readonly string[]): string {
  let text = '';
  let previous = '';
  for (const token of tokens) {
    const apart = previous === ',' || (isIdentifier(token) && !['', '(', '['].includes(previous));
    text += apart ? ` ${token}` : token;
    previous = token;
  }
  return text;
}

export interface DeclaredParameter {
  /** Empty if it has none. */
  readonly name: string;
  /** Undefined if it is not an ABI type, such as the name of a contract, enum or struct. */
  readonly type: AbiType | undefined;
  readonly indexed: boolean;
}

export interface TokenReader {
  readonly tokens: readonly string[];
  at: number;
  /** Tokens that may come between type and name: `indexed` in an event, `memory` and the like in a function. */
  readonly between: ReadonlySet<string>;
  /** Whether types of libraries may stand there, `enum Lib.Kind` and `storage Lib.Data`. */
  readonly takesNames?: true;
}

/**
 * Splits a declaration into names, numbers and single signs, without spaces.
 *
 * @example tokenize('uint [4]a') // ['uint', '[', '4', ']', 'a']
 */
export function tokenize(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

/**
 * Whether a token can be a name; names have 256 characters at most.
 *
 * @example isIdentifier('4a') // false
 */
export function isIdentifier(token: string): boolean {
  return token.length <= MAX_NAME_CHARS && IDENTIFIER.test(token);
}

/**
 * Whether a token can only be a parameter name, not a type or a keyword.
 *
 * @example isParameterName('memory') // false
 */
export function isParameterName(token: string): boolean {
  return isIdentifier(token) && parseElementaryType(token) === undefined && !KEYWORDS.test(token);
}

/**
 * Reads parameters in parentheses, from the opening one on; undefined if they are malformed. Linear: reads each token once.
 *
 * @example
 * parseParameters({ tokens: tokenize('(uint a)'), at: 0, between: new Set() })?.[0]?.name // 'a'
 */
export function parseParameters(reader: TokenReader, depth = 0): readonly DeclaredParameter[] | undefined {
  if (depth > MAX_TYPE_DEPTH || !takeToken(reader, '(')) return undefined;
  if (depth === 0 && takeToken(reader, ')')) return [];
  const parameters: DeclaredParameter[] = [];
  do {
    const parameter = readParameter(reader, depth);
    if (parameter === undefined) return undefined;
    parameters.push(parameter);
  } while (takeToken(reader, ','));
  return takeToken(reader, ')') ? parameters : undefined;
}

/**
 * Skips the next token if it equals `token`; returns whether it did.
 *
 * @example takeToken({ tokens: ['a'], at: 0, between: new Set() }, 'a') // true
 */
export function takeToken(reader: TokenReader, token: string): boolean {
  if (reader.tokens[reader.at] !== token) return false;
  reader.at++;
  return true;
}

/** @returns undefined if malformed; `type` is undefined if only the type is unknown. */
function readParameter(reader: TokenReader, depth: number): DeclaredParameter | undefined {
  const base = readBase(reader, depth);
  if (base === undefined) return undefined;
  const type = readDimensions(reader, base.type);
  if (type === 'malformed') return undefined;
  const next = reader.tokens[reader.at] ?? '';
  const between = depth === 0 && reader.between.has(next);
  if (between) reader.at++;
  const name = reader.tokens[reader.at] ?? '';
  if (!isIdentifier(name)) return { name: '', type, indexed: between && next === 'indexed' };
  reader.at++;
  const namedType = isParameterName(name) ? type : undefined;
  return { name, type: namedType, indexed: between && next === 'indexed' };
}

function readBase(reader: TokenReader, depth: number): { readonly type: AbiType | undefined } | undefined {
  if (reader.tokens[reader.at] === '(') {
    const members = parseParameters(reader, depth + 1);
    return members && { type: hasKnownTypes(members) ? tupleType(members.map(toAbiParameter)) : undefined };
  }
  const token = reader.tokens[reader.at] ?? '';
  if (!isIdentifier(token)) return undefined;
  reader.at++;
  if (reader.takesNames && token === 'struct') {
    const name = readTypeName(reader, false);
    const members = parseParameters(reader, depth + 1);
    if (name === undefined || !members) return undefined;
    return { type: hasKnownTypes(members) ? structType(name, members.map(toAbiParameter)) : undefined };
  }
  if (reader.takesNames && NAMED_TYPES.has(token)) {
    const name = readTypeName(reader, token === 'storage');
    return name === undefined ? undefined : { type: namedType(token as NamedTypeKind, name) };
  }
  if (token === 'address') takeToken(reader, 'payable');
  return { type: parseElementaryType(token) };
}

const NAMED_TYPES: ReadonlySet<string> = new Set<NamedTypeKind>(['enum', 'contract', 'storage', 'type']);

/** A name with dots; of a storage reference also a mapping, and dimensions. */
function readTypeName(reader: TokenReader, isStorage: boolean): string | undefined {
  const { tokens } = reader;
  const first = tokens[reader.at] ?? '';
  if (!isIdentifier(first)) return undefined;
  let name = first;
  let depth = 0;
  for (reader.at++; reader.at < tokens.length; reader.at++) {
    const token = tokens[reader.at] ?? '';
    const isDotted = token === '.' || tokens[reader.at - 1] === '.';
    if (isStorage && token === '(' && (depth > 0 || first === 'mapping')) depth++;
    if (depth === 0 && !isDotted && !(isStorage && /^[[\]]$/.test(token)) && tokens[reader.at - 1] !== '[')
      break;
    if (token === ')') depth--;
    name += token === '=' ? ' =' : token === '>' ? '> ' : token;
  }
  return depth === 0 && name.length <= MAX_NAME_CHARS ? name : undefined;
}

/** Reads any number of `[]` and `[4]`. */
function readDimensions(reader: TokenReader, base: AbiType | undefined): AbiType | undefined | 'malformed' {
  let type = base;
  for (let count = 1; takeToken(reader, '['); count++) {
    const token = reader.tokens[reader.at] ?? '';
    const sized = /^\d+$/.test(token);
    if (sized) reader.at++;
    if (!takeToken(reader, ']')) return 'malformed';
    const length = sized ? Number(token) : undefined;
    const fits = count <= MAX_TYPE_DEPTH && (length === undefined || Number.isSafeInteger(length));
    type = type && fits ? arrayType(type, length) : undefined;
  }
  return type;
}

/**
 * Whether all parameters have ABI types.
 *
 * @example hasKnownTypes([{ name: 'token', type: undefined, indexed: false }]) // false
 */
export function hasKnownTypes(
  parameters: readonly DeclaredParameter[],
): parameters is readonly (DeclaredParameter & { readonly type: AbiType })[] {
  return parameters.every(({ type }) => type !== undefined);
}

/**
 * Drops `indexed`, which only event parameters have.
 *
 * @example toAbiParameter(declared);
 */
export function toAbiParameter({ name, type }: AbiParameter): AbiParameter {
  return { name, type };
}

/** A word in the position of a type that is not an ABI type. */
export interface UnknownType {
  readonly word: string;
  readonly start: number;
  /** The likely intended type; undefined if none is similar, as for the name of a contract or a struct. */
  readonly nearest: string | undefined;
}

const WORD_OR_SIGN = /[A-Za-z_$][\w$]*|[(),]/g;
/** The longest type is `function`; a longer word is a name. */
const MAX_TYPE_CHARS = 12;

const TYPES_OF_OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['byte', 'bytes1'],
  ['integer', 'int256'],
  ['str', 'string'],
  ['text', 'string'],
]);

/**
 * Finds words in type positions that are not ABI types. The event may be incomplete, so a word at the very end is
 * ignored: it may not be finished.
 *
 * @example findUnknownTypes('Transfer(adress,uint').map(({ word, nearest }) => [word, nearest]) // [['adress', 'address']]
 */
export function findUnknownTypes(event: string): readonly UnknownType[] {
  const found: UnknownType[] = [];
  if (event.length > MAX_DECLARATION_CHARS || /^\s*0x/i.test(event)) return found;
  let depth = 0;
  let expectsType = false;
  for (const match of event.matchAll(WORD_OR_SIGN)) {
    const [word] = match;
    const end = match.index + word.length;
    if (word === '(' || word === ',') {
      if (word === '(') depth++;
      expectsType = depth > 0;
    } else if (word === ')') {
      depth--;
      expectsType = false;
    } else if (expectsType) {
      expectsType = false;
      const isType = parseElementaryType(word) !== undefined || word === 'tuple';
      if (!isType && end < event.length) found.push({ word, start: match.index, nearest: nearestType(word) });
    }
  }
  return found;
}

/**
 * Replaces unknown types by the nearest ABI types; undefined if there is nothing to replace.
 *
 * @example replaceUnknownTypes('Transfer(adress,uint)') // 'Transfer(address,uint)'
 */
export function replaceUnknownTypes(event: string): string | undefined {
  const replaceable = findUnknownTypes(event).filter(({ nearest }) => nearest !== undefined);
  if (replaceable.length === 0) return undefined;
  return replaceable.reduceRight(
    (text, { word, start, nearest }) => text.slice(0, start) + nearest + text.slice(start + word.length),
    event,
  );
}

function nearestType(word: string): string | undefined {
  if (word.length > MAX_TYPE_CHARS) return undefined;
  const lower = word.toLowerCase();
  const exact = TYPES_OF_OTHER_LANGUAGES.get(lower) ?? (parseElementaryType(lower) && lower);
  if (exact !== undefined) return exact;
  // A short word is similar to too many types.
  const maxDistance = lower.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of elementaryTypeNames) {
    const distance = editDistance(lower, name, maxDistance);
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

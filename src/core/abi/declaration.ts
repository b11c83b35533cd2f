import { badInput } from '../base/errors.ts';
import { editDistance } from '../base/text.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import {
  type AbiParameter,
  type AbiType,
  arrayType,
  elementaryTypeNames,
  formatTypeList,
  parseElementaryType,
  tupleType,
} from './type.ts';

/** A parameter as it is declared. */
export interface DeclaredParameter {
  /** Empty where it has none. */
  readonly name: string;
  /** Undefined where it is none of the ABI's own: the name of a contract, enum or struct. */
  readonly type: AbiType | undefined;
  readonly indexed: boolean;
}

/** What stands where in the words of a declaration. */
export interface TokenReader {
  readonly tokens: readonly string[];
  at: number;
  /** Words that may stand between type and name: `indexed` in an event, `memory` and the like in a function. */
  readonly between: ReadonlySet<string>;
}

const MAX_NAME_CHARS = 256;
/** Of tuples in tuples, and of dimensions of one array. The compiler gives up far below on a stack that is too deep. */
export const MAX_TYPE_DEPTH = 16;
const TOKENS = /[\w$]+|\S/g;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NO_NAME = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;

/**
 * Names, numbers and single signs of a declaration, spaces left out.
 *
 * @example tokenize('uint [4]a') // ['uint', '[', '4', ']', 'a']
 */
export function tokenize(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

/**
 * Whether a word can be the name of something; the longest has 256 characters.
 *
 * @example isIdentifier('4a') // false
 */
export function isIdentifier(word: string): boolean {
  return word.length <= MAX_NAME_CHARS && IDENTIFIER.test(word);
}

/**
 * Whether a word can be the name of a parameter, and nothing else in its place.
 *
 * @example isParameterName('memory') // false
 */
export function isParameterName(word: string): boolean {
  return isIdentifier(word) && parseElementaryType(word) === undefined && !NO_NAME.test(word);
}

/**
 * Parameters in parentheses, from the opening one on; undefined where they are none. Each word is looked at once.
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
 * Whether the next word is this one, which is then behind.
 *
 * @example takeToken({ tokens: ['a'], at: 0, between: new Set() }, 'a') // true
 */
export function takeToken(reader: TokenReader, word: string): boolean {
  if (reader.tokens[reader.at] !== word) return false;
  reader.at++;
  return true;
}

/** @returns undefined where it is none; its type is undefined where only that is not known. */
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
  const known = isParameterName(name) ? type : undefined;
  return { name, type: known, indexed: between && next === 'indexed' };
}

function readBase(reader: TokenReader, depth: number): { readonly type: AbiType | undefined } | undefined {
  if (reader.tokens[reader.at] === '(') {
    const members = parseParameters(reader, depth + 1);
    return members && { type: hasKnownTypes(members) ? tupleType(members.map(toAbiParameter)) : undefined };
  }
  const word = reader.tokens[reader.at] ?? '';
  if (!isIdentifier(word)) return undefined;
  reader.at++;
  if (word === 'address') takeToken(reader, 'payable');
  return { type: parseElementaryType(word) };
}

/** `[]` and `[4]`, as many as there are. */
function readDimensions(reader: TokenReader, base: AbiType | undefined): AbiType | undefined | 'malformed' {
  let type = base;
  for (let count = 1; takeToken(reader, '['); count++) {
    const word = reader.tokens[reader.at] ?? '';
    const sized = /^\d+$/.test(word);
    if (sized) reader.at++;
    if (!takeToken(reader, ']')) return 'malformed';
    const length = sized ? Number(word) : undefined;
    const fits = count <= MAX_TYPE_DEPTH && (length === undefined || Number.isSafeInteger(length));
    type = type && fits ? arrayType(type, length) : undefined;
  }
  return type;
}

/**
 * Whether the types of all are of the ABI.
 *
 * @example hasKnownTypes([{ name: 'token', type: undefined, indexed: false }]) // false
 */
export function hasKnownTypes(
  parameters: readonly DeclaredParameter[],
): parameters is readonly (DeclaredParameter & { readonly type: AbiType })[] {
  return parameters.every(({ type }) => type !== undefined);
}

/**
 * Without `indexed`, which is of events alone.
 *
 * @example toAbiParameter(declared);
 */
export function toAbiParameter({ name, type }: AbiParameter): AbiParameter {
  return { name, type };
}

/** An event as it is declared, in two forms. */
interface EventDeclaration {
  /** As written, without `event`, needless spaces and the semicolon. */
  readonly written: string;
  /** Name and types alone, aliases resolved; undefined where a type is none of the ABI's own. */
  readonly signature: string | undefined;
}

const MAX_DECLARATION_CHARS = 4096;
const BETWEEN: ReadonlySet<string> = new Set(['indexed']);

/**
 * Reads `event Name(type indexed name, …);`, of which `event`, `indexed`, the names of parameters and the semicolon
 * may be missing. Each character is looked at once, whatever the text is; one over 4096 characters is `malformed`.
 * Types: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example
 * parseEventDeclaration('event Paid(uint  amount);')
 * // { written: 'Paid(uint amount)', signature: 'Paid(uint256)' }
 */
export function parseEventDeclaration(text: string): EventDeclaration | 'malformed' | 'anonymous' {
  const words = text.length > MAX_DECLARATION_CHARS ? [] : tokenize(text);
  if (words.at(-1) === ';') words.pop();
  if (words[0] === 'event' && words[1] !== '(') words.shift();
  const anonymous = words.at(-1) === 'anonymous';
  if (anonymous) words.pop();
  const [name = ''] = words;
  if (!isIdentifier(name) || words[1] !== '(') return 'malformed';
  const reader: TokenReader = { tokens: words, at: 1, between: BETWEEN };
  const parameters = parseParameters(reader);
  if (parameters === undefined || reader.at !== words.length) return 'malformed';
  if (anonymous) return 'anonymous';
  return {
    written: joined(words),
    signature: hasKnownTypes(parameters) ? name + formatTypeList(parameters) : undefined,
  };
}

/** Words as a person writes them: a space where two would run together and after a comma. */
function joined(words: readonly string[]): string {
  let text = '';
  let previous = '';
  for (const word of words) {
    const apart = previous === ',' || (isIdentifier(word) && !['', '(', '['].includes(previous));
    text += apart ? ` ${word}` : word;
    previous = word;
  }
  return text;
}

/** A Solidity event as a filter needs it. */
export interface EventSignature {
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Keccak-256 of the canonical form: topic 0 of its logs. */
  readonly topic0: Hex;
}

/**
 * Reads an event as it is written in Solidity or in short: `Transfer(address,address,uint256)`,
 * `event Transfer(address indexed from, address indexed to, uint value);`. Aliases (`uint`) become canonical.
 *
 * @throws AppError `badInput` for `field` when it is no event or over 4096 characters, uses a type that the ABI does
 *   not know (a contract, enum or struct name), or is anonymous (such an event has no topic0).
 * @example parseEventSignature('event Paid(address indexed by, uint amount);').signature // 'Paid(address,uint256)'
 */
export function parseEventSignature(text: string, field = 'event'): EventSignature {
  const declaration = parseEventDeclaration(text);
  if (declaration === 'anonymous') {
    throw badInput(field, 'An anonymous event has no topic0. Filter by address and topics instead.', {
      code: 'anonymousEvent',
    });
  }
  if (declaration === 'malformed') {
    throw badInput(field, 'Not an event signature: write it like Transfer(address,address,uint256).', {
      code: 'notEvent',
    });
  }
  const { written, signature } = declaration;
  if (signature === undefined) throw unknownType(field, written);
  return { signature, topic0: hashSignature(signature) };
}

function unknownType(field: string, written: string) {
  const shown = written.length > 80 ? `${written.slice(0, 80)}…` : written;
  return badInput(
    field,
    `${shown} has a type that the ABI does not know. Write address for a contract, uint8 for an enum, (…) for a struct.`,
    { code: 'unknownType', values: [shown] },
  );
}

/**
 * What a person types for topic0: 32 bytes of hex as they are, anything else as an event signature.
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
  if (!topic)
    throw badInput(field, 'Not a topic: expected 0x and 64 hex digits (32 bytes).', { code: 'notTopic' });
  return topic;
}

/** A word in the place of a type that is none of the ABI. */
export interface UnknownType {
  readonly word: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** The type that it is likely meant to be; undefined where none is near, as for the name of a contract or a struct. */
  readonly nearest: string | undefined;
}

const TYPED_WORDS = /[A-Za-z_$][\w$]*|[(),]/g;
const MAX_EVENT_CHARS = 4096;
/** The longest is `function`; a longer word that is far from all is a name. */
const MAX_TYPE_CHARS = 12;
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['byte', 'bytes1'],
  ['integer', 'int256'],
  ['str', 'string'],
  ['text', 'string'],
]);

/**
 * The words of an event, or of as much of it as is typed, that stand for a type and are none. A word at the very end is left
 * out: it may not be finished.
 *
 * @example findUnknownTypes('Transfer(adress,uint').map(({ word, nearest }) => [word, nearest]) // [['adress', 'address']]
 */
export function findUnknownTypes(event: string): readonly UnknownType[] {
  const found: UnknownType[] = [];
  if (event.length > MAX_EVENT_CHARS || /^\s*0x/i.test(event)) return found;
  let depth = 0;
  let begins = false;
  for (const match of event.matchAll(TYPED_WORDS)) {
    const [word] = match;
    const end = match.index + word.length;
    if (word === '(' || word === ',') {
      if (word === '(') depth++;
      begins = depth > 0;
    } else if (word === ')') {
      depth--;
      begins = false;
    } else if (begins) {
      begins = false;
      const isKnown = parseElementaryType(word) !== undefined || word === 'tuple';
      if (!isKnown && end < event.length)
        found.push({ word, start: match.index, nearest: nearestType(word) });
    }
  }
  return found;
}

/**
 * The event with the nearest types in the place of those that are none; undefined where there is none to put in.
 *
 * @example replaceUnknownTypes('Transfer(adress,uint)') // 'Transfer(address,uint)'
 */
export function replaceUnknownTypes(event: string): string | undefined {
  const mendable = findUnknownTypes(event).filter(({ nearest }) => nearest !== undefined);
  if (mendable.length === 0) return undefined;
  return mendable.reduceRight(
    (text, { word, start, nearest }) => text.slice(0, start) + nearest + text.slice(start + word.length),
    event,
  );
}

function nearestType(word: string): string | undefined {
  if (word.length > MAX_TYPE_CHARS) return undefined;
  const lower = word.toLowerCase();
  const meant = OTHER_WORDS.get(lower) ?? (parseElementaryType(lower) && lower);
  if (meant !== undefined) return meant;
  // A short word is near to too many.
  const most = lower.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of elementaryTypeNames) {
    const distance = editDistance(lower, name, most);
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

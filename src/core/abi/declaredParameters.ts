import type { AbiParameter, AbiType } from './abiType.ts';
import { arrayOf, elementaryType, tupleOf } from './abiTypes.ts';

/** A parameter as it is declared. */
export interface DeclaredParameter {
  /** Empty where it has none. */
  readonly name: string;
  /** Undefined where it is none of the ABI's own: the name of a contract, enum or struct. */
  readonly type: AbiType | undefined;
  readonly indexed: boolean;
}

/** What stands where in the words of a declaration. */
export interface WordReader {
  readonly words: readonly string[];
  at: number;
  /** Words that may stand between type and name: `indexed` in an event, `memory` and the like in a function. */
  readonly between: ReadonlySet<string>;
}

const LONGEST_NAME = 256;
/** Of tuples in tuples, and of dimensions of one array. The compiler gives up far below on a stack that is too deep. */
export const DEEPEST_TYPE = 16;
const WORDS = /[\w$]+|\S/g;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NO_NAME = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;

/**
 * Names, numbers and single signs of a declaration, spaces left out.
 *
 * @example splitWords('uint [4]a') // ['uint', '[', '4', ']', 'a']
 */
export function splitWords(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/**
 * Whether a word can be the name of something; the longest has 256 characters.
 *
 * @example isName('4a') // false
 */
export function isName(word: string): boolean {
  return word.length <= LONGEST_NAME && IDENTIFIER.test(word);
}

/**
 * Whether a word can be the name of a parameter, and nothing else in its place.
 *
 * @example isParameterName('memory') // false
 */
export function isParameterName(word: string): boolean {
  return isName(word) && elementaryType(word) === undefined && !NO_NAME.test(word);
}

/**
 * Parameters in parentheses, from the opening one on; undefined where they are none. Each word is looked at once.
 *
 * @example
 * readParameters({ words: splitWords('(uint a)'), at: 0, between: new Set() })?.[0]?.name // 'a'
 */
export function readParameters(reader: WordReader, depth = 0): readonly DeclaredParameter[] | undefined {
  if (depth > DEEPEST_TYPE || !take(reader, '(')) return undefined;
  if (depth === 0 && take(reader, ')')) return [];
  const parameters: DeclaredParameter[] = [];
  do {
    const parameter = readParameter(reader, depth);
    if (parameter === undefined) return undefined;
    parameters.push(parameter);
  } while (take(reader, ','));
  return take(reader, ')') ? parameters : undefined;
}

/**
 * Whether the next word is this one, which is then behind.
 *
 * @example take({ words: ['a'], at: 0, between: new Set() }, 'a') // true
 */
export function take(reader: WordReader, word: string): boolean {
  if (reader.words[reader.at] !== word) return false;
  reader.at++;
  return true;
}

/** @returns undefined where it is none; its type is undefined where only that is not known. */
function readParameter(reader: WordReader, depth: number): DeclaredParameter | undefined {
  const base = readBase(reader, depth);
  if (base === undefined) return undefined;
  const type = readDimensions(reader, base.type);
  if (type === 'malformed') return undefined;
  const next = reader.words[reader.at] ?? '';
  const between = depth === 0 && reader.between.has(next);
  if (between) reader.at++;
  const name = reader.words[reader.at] ?? '';
  if (!isName(name)) return { name: '', type, indexed: between && next === 'indexed' };
  reader.at++;
  const known = isParameterName(name) ? type : undefined;
  return { name, type: known, indexed: between && next === 'indexed' };
}

function readBase(reader: WordReader, depth: number): { readonly type: AbiType | undefined } | undefined {
  if (reader.words[reader.at] === '(') {
    const members = readParameters(reader, depth + 1);
    return members && { type: isKnown(members) ? tupleOf(members.map(parameterOf)) : undefined };
  }
  const word = reader.words[reader.at] ?? '';
  if (!isName(word)) return undefined;
  reader.at++;
  if (word === 'address') take(reader, 'payable');
  return { type: elementaryType(word) };
}

/** `[]` and `[4]`, as many as there are. */
function readDimensions(reader: WordReader, base: AbiType | undefined): AbiType | undefined | 'malformed' {
  let type = base;
  for (let count = 1; take(reader, '['); count++) {
    const word = reader.words[reader.at] ?? '';
    const sized = /^\d+$/.test(word);
    if (sized) reader.at++;
    if (!take(reader, ']')) return 'malformed';
    const length = sized ? Number(word) : undefined;
    const fits = count <= DEEPEST_TYPE && (length === undefined || Number.isSafeInteger(length));
    type = type && fits ? arrayOf(type, length) : undefined;
  }
  return type;
}

/**
 * Whether the types of all are of the ABI.
 *
 * @example isKnown([{ name: 'token', type: undefined, indexed: false }]) // false
 */
export function isKnown(
  parameters: readonly DeclaredParameter[],
): parameters is readonly (DeclaredParameter & { readonly type: AbiType })[] {
  return parameters.every(({ type }) => type !== undefined);
}

/**
 * Without `indexed`, which is of events alone.
 *
 * @example parameterOf(declared);
 */
export function parameterOf({ name, type }: AbiParameter): AbiParameter {
  return { name, type };
}

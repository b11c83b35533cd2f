import { collectInSlices, type SliceOptions } from '../../base/timeSlices.ts';
import { type Token, tokenizeSolidity } from './tokens.ts';

/** Names that tell what an expression can be, of all sources that were compiled together. */
export interface FailureNames {
  /** The number of members of each enum; the largest where enums share a name. */
  readonly enums: ReadonlyMap<string, number>;
  /** What a name with parentheses means, other than the value of a variable: functions, types, errors, events. */
  readonly callables: ReadonlySet<string>;
  /** Variables that are only ever mappings. */
  readonly mappings: ReadonlySet<string>;
  /** Parameters and variables of function types. */
  readonly functionVariables: ReadonlySet<string>;
  /** Functions with a parameter that stays in calldata. */
  readonly functionsWithCalldata: ReadonlySet<string>;
  readonly hasSignedIntegers: boolean;
  /** Whether the compiler left out texts of errors (`revertStrings: "strip"`). */
  readonly hasNoTexts?: boolean | undefined;
}

const DECLARING: ReadonlySet<string> = new Set([
  ...['function', 'modifier', 'event', 'error', 'struct', 'enum'],
  ...['contract', 'interface', 'library', 'type'],
]);

/**
 * Reads the names of Solidity sources.
 *
 * @throws the reason of the signal when it aborts.
 * @example (await readFailureNames(['enum Kind { One }'], { slices })).enums.has('Kind') // true
 */
export async function readFailureNames(
  texts: Iterable<string> | AsyncIterable<string>,
  options: SliceOptions,
): Promise<FailureNames> {
  const enums = new Map<string, number>();
  const functionsWithCalldata = new Set<string>();
  const callables = new Set<string>();
  const mappings = new Set<string>();
  const others = new Set<string>();
  const functionVariables = new Set<string>();
  let hasSignedIntegers = false;
  for await (const text of texts) {
    const tokens = await collectInSlices(tokenizeSolidity(text), options);
    for (const [index, { kind, text: word }] of tokens.entries()) {
      if (options.slices.isOver()) await options.slices.rest(options);
      if (kind !== 'word') continue;
      const next = tokens[index + 1];
      if (/^int\d*$/.test(word)) hasSignedIntegers = true;
      if (DECLARING.has(word) && next?.kind === 'word') {
        callables.add(next.text);
        if (word === 'enum')
          enums.set(next.text, Math.max(enums.get(next.text) ?? 0, countMembers(tokens, index + 2)));
        if (word === 'function' && hasCalldata(tokens, index + 2)) functionsWithCalldata.add(next.text);
      }
      if (word === 'mapping' && next?.text === '(')
        addName(mappings, tokens, skipParentheses(tokens, index + 1));
      else if (word === 'function' && next?.text === '(')
        addName(functionVariables, tokens, skipFunctionType(tokens, index + 1));
      else if (next?.text === ']' || tokens[index - 1]?.text === ']') others.add(word);
      else if (/^(?:memory|calldata|storage)$/.test(word) && next) others.add(next.text);
    }
  }
  for (const name of others) mappings.delete(name);
  return { enums, callables, mappings, functionVariables, functionsWithCalldata, hasSignedIntegers };
}

function countMembers(tokens: readonly Token[], start: number): number {
  const found = tokens.slice(start, start + MAX_ENUM_TOKENS);
  const end = found.findIndex(({ text }) => text === '}');
  return found.slice(0, end < 0 ? undefined : end).filter(({ kind }) => kind === 'word').length;
}

/** An enum has 256 members at most. */
const MAX_ENUM_TOKENS = 600;

function hasCalldata(tokens: readonly Token[], start: number): boolean {
  for (const { text } of tokens.slice(start, start + MAX_HEADER_TOKENS)) {
    if (text === 'calldata') return true;
    if (text === 'returns' || text === '{' || text === ';') return false;
  }
  return true;
}

const MAX_HEADER_TOKENS = 500;

/** The index behind the parenthesis that closes the one at `start`, or behind a type that is too long. */
function skipParentheses(tokens: readonly Token[], start: number): number {
  let depth = 0;
  const end = Math.min(tokens.length, start + MAX_HEADER_TOKENS);
  for (let index = start; index < end; index++) {
    if (tokens[index]?.text === '(') depth++;
    else if (tokens[index]?.text === ')' && --depth === 0) return index + 1;
  }
  return end;
}

/** `function(uint256) internal pure returns (uint256)`. */
function skipFunctionType(tokens: readonly Token[], start: number): number {
  const index = skipParentheses(tokens, start);
  for (let at = index; at < index + MAX_MODIFIERS; at++) {
    if (tokens[at]?.text === 'returns') return skipParentheses(tokens, at + 1);
  }
  return index;
}

const MAX_MODIFIERS = 3;

/** The name behind a type: `private constant name;` */
function addName(names: Set<string>, tokens: readonly Token[], start: number): void {
  let name: string | undefined;
  for (let index = start; index < start + MAX_NAME_TOKENS; index++) {
    const token = tokens[index];
    if (token?.kind !== 'word') break;
    name = token.text;
  }
  if (name !== undefined) names.add(name);
}

const MAX_NAME_TOKENS = 8;

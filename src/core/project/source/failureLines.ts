import { type Budget, createBudget } from '../../base/timeSlices.ts';
import { createLineCounter } from './declarations.ts';
import type { FailureNames } from './failureNames.ts';
import { type Token, tokenizeSolidity, tokenizeVyper } from './tokens.ts';

/**
 * Why a call failed without an error of its own: a Panic with this code, a revert without data, an invalid opcode, or a
 * change of state in a static call.
 */
export type PlainCause =
  | { readonly panic: bigint }
  | { readonly plain: true }
  | { readonly halt: 'invalid' | 'write' };

/** Per source: a candidate among more helps nobody. */
const MAX_LINES = 200;

type Test = (token: Token, next: Token | undefined, previous: Token | undefined, context: Context) => boolean;

/** What is around a token. */
interface Context {
  /** Undefined where a test is to take too much rather than too little. */
  readonly names: FailureNames | undefined;
  readonly isUnchecked: boolean;
  readonly isAssembly: boolean;
  /** The bracket that is open; undefined for none. */
  readonly bracket: string | undefined;
  /** The token before `previous`. */
  readonly before: Token | undefined;
  /** The tokens behind `next`, as far as a test needs them. */
  readonly rest: () => Iterable<Token>;
}

const isSign = (signs: string) => (token: Token) => token.kind === 'sign' && signs.includes(token.text);
const isWord = (words: readonly string[]) => (token: Token) =>
  token.kind === 'word' && words.includes(token.text);
const isCall: Test = (token, next) => token.kind === 'word' && (next?.text === '(' || next?.text === '{');
const isNumber = (token: Token | undefined) => token?.kind === 'word' && /^\d/.test(token.text);

/** `-1` is no operation, nor is the division of integers without a sign one that overflows. */
const OVERFLOW_TEST: Test = (token, _next, _previous, { names, isUnchecked }) => {
  if (!isSign('+-*/')(token)) return false;
  if (!names) return true;
  return !isUnchecked && (token.text !== '/' || names.hasSignedIntegers);
};

/** A divisor that is written as a number is not zero. */
const DIVISION_TEST: Test = (token, next, _previous, { names, rest }) => {
  if (names && isWord(['addmod', 'mulmod'])(token)) return true;
  if (!isSign('/%')(token)) return false;
  const divisor = next?.text === '=' ? first(rest()) : next;
  return !names || !isNumber(divisor);
};

const CONVERSION_TEST: Test = (token, next, previous, { names }) =>
  names ? names.enums.has(token.text) && next?.text === '(' : isCall(token, next, previous, NO_CONTEXT);

const POP_TEST: Test = (token, next, previous, { names }) =>
  isWord(['pop'])(token) && (!names || (previous?.text === '.' && next?.text === '('));

const ELEMENTARY = /^(?:u?int\d*|bytes\d*|u?fixed\w*|address|payable|bool|string|returns|return)$/;

/** Neither a type, nor the key of a mapping. */
const INDEX_TEST: Test = (token, next, previous, { names }) => {
  if (!isSign('[')(token)) return false;
  if (!names) return true;
  if (next?.text === ']' || !previous) return false;
  if (previous.kind !== 'word') return ')]'.includes(previous.text);
  return (
    !ELEMENTARY.test(previous.text) && !names.enums.has(previous.text) && !names.mappings.has(previous.text)
  );
};

/** `new uint256[](length)`, `new bytes(length)`. */
const ALLOCATION_TEST: Test = (token, next, previous, context) => {
  if (!context.names) return isWord(['new', 'memory'])(token) || isCall(token, next, previous, context);
  return isWord(['new'])(token) && isArrayType(next, context.rest());
};

function isArrayType(type: Token | undefined, rest: Iterable<Token>): boolean {
  if (type && /^(?:bytes|string)$/.test(type.text)) return true;
  for (const { text } of rest) {
    if (text === '[') return true;
    if (text !== '.' && !/^\w/.test(text)) return false;
  }
  return false;
}

const KEYWORDS =
  /^(?:if|for|while|do|return|returns|catch|try|unchecked|assembly|mapping|function|new|type|using|is|override|require|assert|revert|emit|modifier|constructor|receive|fallback|keccak256|sha256|ripemd160|ecrecover|addmod|mulmod|selfdestruct|blockhash|blobhash|gasleft|super|abi|virtual|indexed)$/;

/** A call of a variable: its name is that of no function. */
const VARIABLE_CALL_TEST: Test = (token, next, previous, { names, before }) => {
  if (!names) return isCall(token, next, previous, NO_CONTEXT);
  if (next?.text !== '(' && !(token.text === '(' && previous)) return false;
  // `rules[1](b)`, not `new uint256[](b)`.
  if (token.text === '(') return previous?.text === ')' || (previous?.text === ']' && before?.text !== '[');
  if (token.kind !== 'word') return false;
  if (names.functionVariables.has(token.text)) return true;
  if (KEYWORDS.test(token.text) || ELEMENTARY.test(token.text) || isNumber(token)) return false;
  return !names.callables.has(token.text) && previous?.text !== '.';
};

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANIC_TESTS: ReadonlyMap<bigint, Test> = new Map<bigint, Test>([
  [0x01n, isWord(['assert'])],
  [0x11n, OVERFLOW_TEST],
  [0x12n, DIVISION_TEST],
  [0x21n, CONVERSION_TEST],
  [0x22n, isSign('[.=')],
  [0x31n, POP_TEST],
  [0x32n, INDEX_TEST],
  [0x41n, ALLOCATION_TEST],
  [0x51n, VARIABLE_CALL_TEST],
]);

/** Members of built-in values: they do not call a contract. */
const BUILT_IN = [
  ...['call', 'callcode', 'concat', 'delegatecall', 'encode', 'encodeCall', 'encodePacked'],
  ...['encodeWithSelector', 'encodeWithSignature', 'pop', 'push', 'send', 'staticcall', 'unwrap', 'wrap'],
];

/** A revert without data: by the source, by a check of the compiler, by a called contract, or in assembly. */
const PLAIN_TEST: Test = (token, next, previous, context) => {
  const { names, isAssembly, bracket, rest } = context;
  if (!names)
    return (
      isWord(['require', 'revert', 'assembly', 'invalid', 'new', 'function', 'constructor'])(token) ||
      // A slice.
      isSign(':')(token) ||
      (previous?.text === '.' && isCall(token, next, undefined, context))
    );
  if (isAssembly) return isWord(['revert'])(token);
  if (isWord(['require'])(token)) return names.hasNoTexts || countArguments(rest()) < 2;
  if (isWord(['revert'])(token))
    return next?.text === '(' && (names.hasNoTexts || first(rest())?.text === ')');
  if (isWord(['new'])(token)) return !isArrayType(next, rest());
  if (isWord(['function'])(token)) return takesArguments(rest());
  if (isWord(['constructor'])(token)) return true;
  if (isSign(':')(token)) return bracket === '[';
  const isMember = previous?.text === '.' && isCall(token, next, undefined, context);
  return isMember && (!BUILT_IN.includes(token.text) || names.callables.has(token.text));
};

/** Top-level arguments, behind the parenthesis that opens them; at most 2 are counted. */
function countArguments(rest: Iterable<Token>): number {
  let depth = 0;
  let count = 1;
  for (const { text } of rest) {
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text) && depth-- === 0) return count;
    else if (text === ',' && depth === 0 && ++count === 2) return count;
  }
  return count;
}

/** Whether a function is called from outside with a body of its own: the compiler checks those calls. */
function takesArguments(rest: Iterable<Token>): boolean {
  for (const { text } of rest) {
    if (text === '{') return true;
    if (text === ';' || text === 'internal' || text === 'private') return false;
  }
  return false;
}

function first(tokens: Iterable<Token>): Token | undefined {
  for (const token of tokens) return token;
  return undefined;
}

/** What panics since 0.8.0, other than an overflow, was an invalid opcode before. */
const INVALID_TEST: Test = (token, next, previous, context) =>
  isWord(['assert', 'pop', 'invalid', 'assembly'])(token) ||
  isSign('[/%')(token) ||
  isCall(token, next, previous, context);

const WRITE_TEST: Test = (token, next, previous, context) =>
  isWord(['assembly', 'delete', 'emit', 'log', 'new', 'pop', 'push'])(token) ||
  isSign('=+-')(token) ||
  isCall(token, next, previous, context);

/** Vyper has no Panics: what its compiler checks reverts without data. */
const VYPER_TEST: Test = (token, next, previous, context) =>
  isWord(['assert', 'raise', 'def'])(token) ||
  isSign('+-*/%[')(token) ||
  (isCall(token, next, previous, context) && previous?.text !== 'def');

const NO_CONTEXT: Context = {
  ...{ names: undefined, isUnchecked: false, isAssembly: false, bracket: undefined },
  ...{ before: undefined, rest: () => [] },
};

interface FailureLinesOptions {
  readonly language?: 'solidity' | 'vyper';
  /** With them, lines that cannot fail so are left out; default: a line more rather than one less. */
  readonly names?: FailureNames | undefined;
}

/**
 * The lines of a source, from 1, on which code may fail so: the kinds of expression for which the compiler adds the check.
 * Empty for a code that no line explains. Take the steps with `runInSlices`; for one statement, with `runToEnd`.
 *
 * @example await runInSlices(findPlainFailureLines(text, { panic: 0x11n }, { names }), { slices, signal });
 */
export function* findPlainFailureLines(
  text: string,
  cause: PlainCause,
  { language = 'solidity', names }: FailureLinesOptions = {},
): Generator<void, readonly number[]> {
  const test = findTest(cause, language);
  if (!test) return [];
  const lines = new Set<number>();
  const lineOf = createLineCounter(text);
  const tokens: Token[] = [];
  for (const token of language === 'vyper' ? tokenizeVyper(text) : tokenizeSolidity(text)) {
    tokens.push(token);
    yield;
  }
  const lookahead = createBudget(MAX_LOOKED_AT);
  const open: { readonly text: string; readonly isUnchecked: boolean; readonly isAssembly: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    yield;
    const next = tokens[index + 1];
    const previous = tokens[index - 1];
    const { text: bracket, isUnchecked = false, isAssembly = false } = open.at(-1) ?? {};
    const rest = () => slice(tokens, index + 2, lookahead);
    const usedNames = lookahead.left > 0 ? names : undefined;
    const context = { names: usedNames, isUnchecked, isAssembly, bracket, before: tokens[index - 2], rest };
    if ('([{'.includes(token.text)) {
      const block = findBlock(tokens, index);
      open.push({
        text: token.text,
        isUnchecked: isUnchecked || block === 'unchecked',
        isAssembly: isAssembly || block === 'assembly',
      });
    } else if (')]}'.includes(token.text)) open.pop();
    const line = lineOf(token.offset);
    if (!next || lines.has(line) || !test(token, next, previous, context)) continue;
    lines.add(line);
    if (lines.size === MAX_LINES) break;
  }
  return [...lines];
}

/** An expression that is longer is taken for one that may fail. */
const MAX_LOOKAHEAD = 500;
/** Tokens that are looked at ahead in one source; then a line more is taken rather than one less. */
const MAX_LOOKED_AT = 2_000_000;

function* slice(tokens: readonly Token[], start: number, lookahead: Budget): Generator<Token> {
  for (let index = start; index < Math.min(tokens.length, start + MAX_LOOKAHEAD); index++) {
    if (!lookahead.pay(1)) return;
    yield tokens[index] as Token;
  }
}

/** `unchecked {`, `assembly {`, `assembly ("memory-safe") {`. */
function findBlock(tokens: readonly Token[], index: number): string | undefined {
  const before = tokens[index - 1];
  if (tokens[index]?.text !== '{' || !before) return undefined;
  if (before.text === 'unchecked' || before.text === 'assembly') return before.text;
  const isFlagged = before.kind === 'string' || before.text === ')';
  return isFlagged && tokens.slice(Math.max(0, index - 4), index).some(({ text }) => text === 'assembly')
    ? 'assembly'
    : undefined;
}

function findTest(cause: PlainCause, language: 'solidity' | 'vyper'): Test | undefined {
  if ('halt' in cause && cause.halt === 'write') return WRITE_TEST;
  if (language === 'vyper') return VYPER_TEST;
  if ('panic' in cause) return PANIC_TESTS.get(cause.panic);
  return 'plain' in cause ? PLAIN_TEST : INVALID_TEST;
}

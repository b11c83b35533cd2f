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

type Test = (token: Token, next: Token | undefined, previous: Token | undefined) => boolean;

const isSign = (signs: string) => (token: Token) => token.kind === 'sign' && signs.includes(token.text);
const isWord = (words: readonly string[]) => (token: Token) =>
  token.kind === 'word' && words.includes(token.text);
const isCall: Test = (token, next) => token.kind === 'word' && (next?.text === '(' || next?.text === '{');

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANIC_TESTS: ReadonlyMap<bigint, Test> = new Map<bigint, Test>([
  [0x01n, isWord(['assert'])],
  // The least integer divided by -1 overflows.
  [0x11n, isSign('+-*/')],
  [0x12n, isSign('/%')],
  [0x21n, isCall],
  [0x22n, isSign('[.=')],
  [0x31n, isWord(['pop'])],
  [0x32n, isSign('[')],
  [0x41n, (token, next) => isWord(['new', 'memory'])(token) || isCall(token, next, undefined)],
  [0x51n, isCall],
]);

/** A revert without data: by the source, by a check of the compiler, by a called contract, or in assembly. */
const PLAIN_TEST: Test = (token, next, previous) =>
  isWord(['require', 'revert', 'assembly', 'invalid', 'new', 'function', 'constructor'])(token) ||
  // A slice.
  isSign(':')(token) ||
  (previous?.text === '.' && isCall(token, next, undefined));

/** What panics since 0.8.0, other than an overflow, was an invalid opcode before. */
const INVALID_TEST: Test = (token, next, previous) =>
  isWord(['assert', 'pop', 'invalid', 'assembly'])(token) ||
  isSign('[/%')(token) ||
  isCall(token, next, previous);

const WRITE_TEST: Test = (token, next, previous) =>
  isWord(['assembly', 'delete', 'emit', 'log', 'new', 'pop', 'push'])(token) ||
  isSign('=+-')(token) ||
  isCall(token, next, previous);

/** Vyper has no Panics: what its compiler checks reverts without data. */
const VYPER_TEST: Test = (token, next, previous) =>
  isWord(['assert', 'raise', 'def'])(token) ||
  isSign('+-*/%[')(token) ||
  (isCall(token, next, previous) && previous?.text !== 'def');

/**
 * The lines of a source, from 1, on which code may fail so: the kinds of expression for which the compiler adds the check.
 * Empty for a code that no line explains.
 *
 * @example findPlainFailureLines('contract A { function f(uint a) public { assert(a > 1); } }', { panic: 1n }) // [1]
 */
export function findPlainFailureLines(
  text: string,
  cause: PlainCause,
  language: 'solidity' | 'vyper' = 'solidity',
): readonly number[] {
  const test = findTest(cause, language);
  if (!test) return [];
  const lines = new Set<number>();
  let line = 1;
  let at = 0;
  let previous: Token | undefined;
  let beforePrevious: Token | undefined;
  const add = (token: Token, next: Token | undefined) => {
    if (!test(token, next, beforePrevious)) return;
    for (let end = text.indexOf('\n', at); end >= 0 && end < token.offset; end = text.indexOf('\n', at)) {
      line++;
      at = end + 1;
    }
    lines.add(line);
  };
  for (const token of language === 'vyper' ? tokenizeVyper(text) : tokenizeSolidity(text)) {
    if (previous) add(previous, token);
    if (lines.size === MAX_LINES) break;
    beforePrevious = previous;
    previous = token;
  }
  return [...lines];
}

function findTest(cause: PlainCause, language: 'solidity' | 'vyper'): Test | undefined {
  if ('halt' in cause && cause.halt === 'write') return WRITE_TEST;
  if (language === 'vyper') return VYPER_TEST;
  if ('panic' in cause) return PANIC_TESTS.get(cause.panic);
  return 'plain' in cause ? PLAIN_TEST : INVALID_TEST;
}

import { readSource } from './readSource.ts';
import { solidityTokens } from './solidityTokens.ts';

/** What a line that reverts has: a custom error, or the text of a `require` or `revert`. */
export type SourceCause = { readonly error: string } | { readonly message: string };

/** Of one source. */
const MOST_LINES = 20;
const REASONS: ReadonlySet<string> = new Set(['require', 'revert', 'assert', 'raise', 'Error']);

/**
 * The lines of a Solidity or Vyper source, from 1, on which `revert`, `require`, `raise` or `assert` has that error or
 * text: where a revert may have come from. Texts that are put together are not found.
 *
 * @example revertLines('A.sol', 'contract A { function f() external { revert Paid(); } }', { error: 'Paid' }) // [1]
 */
export function revertLines(path: string, text: string, cause: SourceCause): readonly number[] {
  const lines = 'error' in cause ? usesOf(path, text, cause.error) : textsOf(path, text, cause.message);
  return [...new Set(lines)].slice(0, MOST_LINES);
}

function usesOf(path: string, text: string, error: string): readonly number[] {
  // A source takes some milliseconds to read, this search none.
  if (!text.includes(error)) return [];
  return readSource(path, text)
    .uses.filter(({ kind, name }) => kind === 'error' && (name === error || name.endsWith(`.${error}`)))
    .map(({ line }) => line);
}

function textsOf(path: string, text: string, message: string): readonly number[] {
  if (!text.includes(message)) return [];
  const offsets = path.endsWith('.sol') ? solidityTexts(text, message) : vyperTexts(text, message);
  return offsets.map((offset) => lineOf(text, offset));
}

/** Strings of this content in a statement that may revert. */
function solidityTexts(text: string, message: string): readonly number[] {
  const found: number[] = [];
  let begun: string | undefined;
  for (const { kind, text: token, offset } of solidityTokens(text)) {
    if (token === ';' || token === '{' || token === '}') begun = undefined;
    else if (kind === 'word' && REASONS.has(token)) begun = token;
    else if (kind === 'string' && begun && token.slice(1, -1) === message) found.push(offset);
    if (found.length === MOST_LINES) break;
  }
  return found;
}

/** Line by line, so that the time is in proportion to the text however long its lines are. */
function vyperTexts(text: string, message: string): readonly number[] {
  const quoted = [`"${message}"`, `'${message}'`];
  const found: number[] = [];
  for (let start = 0; start < text.length && found.length < MOST_LINES; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trimStart();
    const mayRevert = line.startsWith('raise') || line.startsWith('assert');
    if (mayRevert && quoted.some((one) => line.includes(one))) found.push(start);
    start = end + 1;
  }
  return found;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

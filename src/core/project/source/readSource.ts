import type { TimeSlices } from '../../base/timeSlices.ts';
import {
  createSourceBuilder,
  MAX_SOURCE_CHARS,
  type SourceFacts,
  type SourceParser,
} from './declarations.ts';
import { createSolidityParser } from './solidity.ts';
import { tokenizeSolidity } from './tokens.ts';
import { createVyperParser } from './vyper.ts';

/** Tokens between two looks at the clock. */
const STRIDE = 256;
/** Two seconds of work in slices of 8 ms: no source that somebody wrote takes a tenth of it. */
const MAX_SLICES = 250;

/**
 * What a Solidity (`.sol`) or Vyper (`.vy`, `.vyi`) source declares, names not resolved. Never throws, whatever the
 * text is: what cannot be read is passed over. Of one over 1,000,000 characters nothing is read. A megabyte takes
 * about 50 ms at once; {@link parseSourceInSlices} lets others work meanwhile.
 *
 * @example parseSource('A.sol', 'event Paid(uint amount);').items[0]?.name // 'Paid'
 */
export function parseSource(path: string, text: string): SourceFacts {
  const reading = openSource(path, text);
  while (reading.next());
  return reading.getFacts();
}

/**
 * As {@link parseSource}, in slices of time. Of a source that takes too long, what is read up to there.
 *
 * @throws the signal's reason when it aborts.
 * @example await parseSourceInSlices({ path, text }, createTimeSlices(systemClock), { signal })
 */
export async function parseSourceInSlices(
  { path, text }: { readonly path: string; readonly text: string },
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SourceFacts> {
  const reading = openSource(path, text);
  for (let rests = 0; rests < MAX_SLICES; rests++) {
    do {
      for (let tokens = 0; tokens < STRIDE; tokens++) {
        if (!reading.next()) return reading.getFacts();
      }
    } while (!slices.isOver());
    await slices.rest({ signal });
  }
  return { ...reading.getFacts(), cut: true };
}

function openSource(path: string, text: string): SourceParser {
  const isVyper = /\.vyi?$/.test(path);
  if (text.length > MAX_SOURCE_CHARS) {
    const facts = { ...createSourceBuilder(isVyper ? 'vyper' : 'solidity').getFacts(), cut: true };
    return { next: () => false, getFacts: () => facts };
  }
  return isVyper ? createVyperParser(path, text) : createSolidityParser(text);
}

/** What a line that reverts has: a custom error, or the text of a `require` or `revert`. */
export type RevertCause = { readonly error: string } | { readonly message: string };

/** Of one source. */
const MAX_LINES = 20;
const REASONS: ReadonlySet<string> = new Set(['require', 'revert', 'assert', 'raise', 'Error']);

/**
 * The lines of a Solidity or Vyper source, from 1, on which `revert`, `require`, `raise` or `assert` has that error or
 * text: where a revert may have come from. Texts that are put together are not found.
 *
 * @example findRevertLines('A.sol', 'contract A { function f() external { revert Paid(); } }', { error: 'Paid' }) // [1]
 */
export function findRevertLines(path: string, text: string, cause: RevertCause): readonly number[] {
  const lines = 'error' in cause ? usesOf(path, text, cause.error) : textsOf(path, text, cause.message);
  return [...new Set(lines)].slice(0, MAX_LINES);
}

function usesOf(path: string, text: string, error: string): readonly number[] {
  // A source takes some milliseconds to read, this search none.
  if (!text.includes(error)) return [];
  return parseSource(path, text)
    .uses.filter(({ kind, name }) => kind === 'error' && (name === error || name.endsWith(`.${error}`)))
    .map(({ line }) => line);
}

function textsOf(path: string, text: string, message: string): readonly number[] {
  if (!text.includes(message)) return [];
  const offsets = path.endsWith('.sol')
    ? findSolidityReasons(text, message)
    : findVyperReasons(text, message);
  return offsets.map((offset) => lineOf(text, offset));
}

/** Strings of this content in a statement that may revert. */
function findSolidityReasons(text: string, message: string): readonly number[] {
  const found: number[] = [];
  let begun: string | undefined;
  for (const { kind, text: token, offset } of tokenizeSolidity(text)) {
    if (token === ';' || token === '{' || token === '}') begun = undefined;
    else if (kind === 'word' && REASONS.has(token)) begun = token;
    else if (kind === 'string' && begun && token.slice(1, -1) === message) found.push(offset);
    if (found.length === MAX_LINES) break;
  }
  return found;
}

/** Line by line, so that the time is in proportion to the text however long its lines are. */
function findVyperReasons(text: string, message: string): readonly number[] {
  const quoted = [`"${message}"`, `'${message}'`];
  const found: number[] = [];
  for (let start = 0; start < text.length && found.length < MAX_LINES; ) {
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

import type { SliceOptions, TimeSlices } from '../../base/timeSlices.ts';
import {
  createLineCounter,
  createSourceBuilder,
  MAX_SOURCE_CHARS,
  type SourceFacts,
  type SourceParser,
} from './declarations.ts';
import { createSolidityParser } from './solidity.ts';
import { tokenizeSolidity } from './tokens.ts';
import { createVyperParser } from './vyper.ts';

const TOKENS_PER_CLOCK_CHECK = 256;
/** Two seconds of work in slices of 8 ms; no handwritten source takes a tenth of it. */
const MAX_SLICES = 250;
/** Per source. */
const MAX_LINES = 20;
const REVERT_KEYWORDS: ReadonlySet<string> = new Set(['require', 'revert', 'assert', 'raise', 'Error']);

/**
 * Reads the declarations of a Solidity (`.sol`) or Vyper (`.vy`, `.vyi`) source in time slices, without resolving names.
 * Skips what cannot be parsed, and any source over 1,000,000 characters; stops early in a source that takes too long.
 *
 * @throws the signal's reason when it aborts.
 * @example await parseSourceInSlices({ path, text }, createTimeSlices(systemClock), { signal })
 */
export async function parseSourceInSlices(
  { path, text }: { readonly path: string; readonly text: string },
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SourceFacts> {
  const parser = openSource(path, text);
  for (let rests = 0; rests < MAX_SLICES; rests++) {
    do {
      for (let tokens = 0; tokens < TOKENS_PER_CLOCK_CHECK; tokens++) {
        if (!parser.next()) return parser.getFacts();
      }
    } while (!slices.isOver());
    await slices.rest({ signal });
  }
  return { ...parser.getFacts(), cut: true };
}

function openSource(path: string, text: string): SourceParser {
  const isVyper = /\.vyi?$/.test(path);
  if (text.length > MAX_SOURCE_CHARS) {
    const facts = { ...createSourceBuilder(isVyper ? 'vyper' : 'solidity').getFacts(), cut: true };
    return { next: () => false, getFacts: () => facts };
  }
  return isVyper ? createVyperParser(path, text) : createSolidityParser(text);
}

/** Why a call reverted: with a custom error, or with the message of a `require` or `revert`. */
export type RevertCause = { readonly error: string } | { readonly message: string };

/**
 * The lines of a Solidity or Vyper source, from 1, on which `revert`, `require`, `raise` or `assert` has this error or
 * message: where a revert may come from. Messages that are composed at run time are not found.
 *
 * @param options.maxLines default 20.
 * @throws the signal's reason when it aborts.
 * @example
 * await findRevertLines({ path: 'A.sol', text: 'function f() { revert Paid(); }' }, { error: 'Paid' }, { slices })
 * // [1]
 */
export async function findRevertLines(
  source: { readonly path: string; readonly text: string },
  cause: RevertCause,
  { maxLines = MAX_LINES, ...options }: SliceOptions & { readonly maxLines?: number },
): Promise<readonly number[]> {
  const lines =
    'error' in cause
      ? await findErrorLines(source, cause.error, options)
      : await findMessageLines(source, { message: cause.message, maxLines }, options);
  return [...new Set(lines)].slice(0, maxLines);
}

async function findErrorLines(
  source: { readonly path: string; readonly text: string },
  error: string,
  { slices, signal }: SliceOptions,
): Promise<readonly number[]> {
  // Parsing takes some milliseconds, this check almost none.
  if (!source.text.includes(error)) return [];
  const { uses } = await parseSourceInSlices(source, slices, { signal });
  return uses
    .filter(({ kind, name }) => kind === 'error' && (name === error || name.endsWith(`.${error}`)))
    .map(({ line }) => line);
}

interface MessageSearch {
  readonly message: string;
  readonly maxLines: number;
}

async function findMessageLines(
  { path, text }: { readonly path: string; readonly text: string },
  search: MessageSearch,
  options: SliceOptions,
): Promise<readonly number[]> {
  if (!text.includes(search.message)) return [];
  const offsets = path.endsWith('.sol')
    ? await findSolidityReasons(text, search, options)
    : findVyperReasons(text, search);
  return offsets.map(createLineCounter(text));
}

/** Offsets of string literals with this content in a statement that may revert. */
async function findSolidityReasons(
  text: string,
  { message, maxLines }: MessageSearch,
  { slices, signal }: SliceOptions,
): Promise<readonly number[]> {
  const found: number[] = [];
  let revertKeyword: string | undefined;
  for (const { kind, text: token, offset } of tokenizeSolidity(text)) {
    if (slices.isOver()) await slices.rest({ signal });
    if (token === ';' || token === '{' || token === '}') revertKeyword = undefined;
    else if (kind === 'word' && REVERT_KEYWORDS.has(token)) revertKeyword = token;
    else if (kind === 'string' && revertKeyword && token.slice(1, -1) === message) found.push(offset);
    if (found.length === maxLines) break;
  }
  return found;
}

/** Goes line by line, so that the time is linear however long the lines are. */
function findVyperReasons(text: string, { message, maxLines }: MessageSearch): readonly number[] {
  const quoted = [`"${message}"`, `'${message}'`];
  const found: number[] = [];
  for (let start = 0; start < text.length && found.length < maxLines; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trimStart();
    const mayRevert = line.startsWith('raise') || line.startsWith('assert');
    if (mayRevert && quoted.some((literal) => line.includes(literal))) found.push(start);
    start = end + 1;
  }
  return found;
}

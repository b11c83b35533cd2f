import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { createMessage, foreign } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import type { RecordedExpectation } from './checkOutcome.ts';
import { type DocumentQuery, findDocumentQueries, findStrayVerdicts, parseDocument } from './document.ts';
import { isFiledCheckJson } from './filedCheck.ts';
import { type Expectation, hasExpectation } from './queryDefinition.ts';
import { parseQueryText, type TextSpan } from './queryText.ts';
import { isReadJson } from './readDefinition.ts';
import { formatVerdictLine, type RecordedVerdict } from './recordedVerdict.ts';
import { formatDocument } from './writeDocument.ts';

/**
 * The queries of a file, by its name and its text: the one of a `*.chainlog.json` file, or those of a `*.chain.md`
 * document. Each has JSON for {@link parseChainQueryDefinition}, or an error.
 *
 * @example findQueries('{"chainId": 1}', 'queries/all.chainlog.json') // [{ title: 'all', line: 1, json: { chainId: 1 } }]
 */
export function findQueries(text: string, path: string): readonly FoundQuery[] {
  const reader = findFileReader(path);
  if (reader) return reader.find(text, path);
  const patterns = fileReaders.map((reader) => `*${reader.suffix}`).join(', ');
  const error = badInput(
    'query',
    createMessage('This is not a query file. Query files are named {0}.', foreign(patterns)),
  );
  return [{ title: path, line: 1, error }];
}

/**
 * Whether a file has queries by its name. {@link findQueries} also reads other `*.json` files that are named to it.
 *
 * @example isQueryFile('queries/why.chain.md') // true
 */
export function isQueryFile(path: string): boolean {
  return /\.(?:chainlog\.json|chain\.md)$/i.test(path);
}

export type FoundQuery = {
  /** The name of the file, if the query has no title of its own. */
  readonly title: string;
  /** Where it begins, or where the error is: from 1. */
  readonly line: number;
} & (
  | {
      readonly json: unknown;
      /** The expected result, if its JSON has none. */
      readonly recordedVerdict?: RecordedVerdict | undefined;
      readonly error?: undefined;
    }
  | { readonly json?: undefined; readonly recordedVerdict?: undefined; readonly error: AppError }
);

/**
 * Returns the text of a file after the query at `place` in {@link findQueries} is set to expect a result.
 * Everything else remains as it is. The expectation is written into the verdict after a query, if there is one. `pin`
 * replaces the range of a query file, so that its result no longer grows with the chain.
 *
 * @throws AppError `badInput` if the file is not a query file.
 * @example writeExpectation('{"chainId": 1}', { path: 'all.chainlog.json', place: 0 }, { count: 2, toBlock: 7n, contentSha256 });
 */
export function writeExpectation(
  text: string,
  { path, place, pin }: { readonly path: string; readonly place: number; readonly pin?: PinnedRange },
  result: RecordedResult,
): string {
  const reader = findFileReader(path);
  if (!reader) throw badInput('query', 'This is not a query file.');
  return reader.writeExpectation(text, { place, pin }, result);
}

/** The result of a query, or of a check. */
export type RecordedResult = RecordedVerdict | RecordedExpectation;

/** The blocks to write into a query; an end that is left out stays as it is. */
export interface PinnedRange {
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
}

/**
 * A query that ends at the block of a recorded verdict, and expects its result.
 *
 * @example withRecordedVerdict({ chainId: 1 }, { count: 2, toBlock: 7n, sha256: 'ab' }) // { chainId: 1, toBlock: '7', expect: { count: 2, sha256: 'ab' } }
 */
export function withRecordedVerdict(json: unknown, { toBlock, ...expect }: RecordedVerdict): unknown {
  return isRecord(json) ? { ...json, toBlock: toBlock.toString(), expect } : json;
}

function findFileReader(path: string): QueryFileReader | undefined {
  const lower = path.toLowerCase();
  return fileReaders.find(({ suffix }) => lower.endsWith(suffix));
}

interface QueryFileReader {
  /** How the names of such files end, in lower case. */
  readonly suffix: string;
  find(text: string, path: string): readonly FoundQuery[];
  /** Returns the text after the query at an index of those found is set to expect a result. */
  writeExpectation(
    text: string,
    at: { readonly place: number; readonly pin: PinnedRange | undefined },
    result: RecordedResult,
  ): string;
}

/** A `*.chain.md` document with a query in each of its `chainlog` blocks. */
const documentFileReader: QueryFileReader = {
  suffix: '.chain.md',
  find(text, path) {
    const title = getFileTitle(path);
    let queries: readonly DocumentQuery[];
    try {
      queries = findDocumentQueries(text);
    } catch (error) {
      if (isAppError(error, 'badInput')) return [{ title, line: 1, error }];
      throw error;
    }
    const found = queries.map((query): FoundQuery => {
      const found = findQuery(query.text, query.title ?? title, query.line);
      if (found.error) return found;
      if (isFiledCheckJson(found.json) && query.verdict) {
        const message = isReadJson(found.json) ? READ_VERDICT_MESSAGE : CHECK_VERDICT_MESSAGE;
        return { title: found.title, line: query.line, error: badInput('verdict', message) };
      }
      const recorded = expectsInside(found.json) ? undefined : query.verdict;
      return { ...found, line: query.line, ...(recorded && { recordedVerdict: recorded }) };
    });
    const noQuery = { title, line: 1, error: badInput('query', NO_QUERY_MESSAGE) };
    // Behind the queries, so that each query is at its index.
    const strays = findStrayVerdicts(text).map((stray) => ({ title, ...stray }));
    return [...(found.length > 0 ? found : [noQuery]), ...strays];
  },
  writeExpectation(text, { place, pin }, result) {
    const query = findDocumentQueries(text)[place];
    if (!query) return text;
    const { json } = findQuery(query.text, '', 0);
    const belongsInside = !query.verdict || expectsInside(json);
    const updated = belongsInside ? writeExpectationInside(text, query, { result, pin }) : text;
    return query.verdict && 'toBlock' in result
      ? writeVerdictAfter(updated, place, formatVerdictLine(result))
      : updated;
  },
};

const READ_VERDICT_MESSAGE =
  'A recorded result of logs cannot belong to a read. Delete the line behind it, and write "expect" into the read.';
const CHECK_VERDICT_MESSAGE =
  'A recorded result of logs cannot belong to a check of code or state. Delete the line behind it.';
const NO_QUERY_MESSAGE =
  'The document has no query. Enter one as a fenced block: a line ```chainlog, its JSON, a line ```.';

/** An expectation in the query overrides the verdict after it. */
function expectsInside(json: unknown): boolean {
  return !isRecord(json) || hasExpectation(json);
}

function writeExpectationInside(
  text: string,
  { offset, text: json }: DocumentQuery,
  { result, pin }: { readonly result: RecordedResult; readonly pin: PinnedRange | undefined },
): string {
  const updated = replaceExpectation(json, result, pin);
  return text.slice(0, offset) + updated + text.slice(offset + json.length);
}

function writeVerdictAfter(text: string, index: number, verdict: string): string {
  const pieces = parseDocument(text);
  const query = pieces.filter(({ kind }) => kind === 'question')[index];
  return formatDocument(
    pieces.map((piece, place) => ({
      kind: piece.kind,
      value: piece.value,
      read: { ...piece, place },
      ...(piece === query && { verdict }),
    })),
    '\n',
  );
}

/** A `*.chainlog.json` file with one query. */
const jsonFileReader: QueryFileReader = {
  suffix: '.json',
  find: (text, path) => [findQuery(text, getFileTitle(path), 0)],
  writeExpectation: (text, { pin }, result) => replaceExpectation(text, result, pin),
};

/** The query in a text that is preceded by `linesBefore` lines in its file. */
function findQuery(text: string, fallbackTitle: string, linesBefore: number): FoundQuery {
  const parsed = parseQueryText(text, linesBefore);
  if (parsed.error) return { title: fallbackTitle, ...parsed };
  const { json } = parsed;
  const title = isRecord(json) && typeof json.title === 'string' && json.title.trim();
  return { title: title || fallbackTitle, line: linesBefore + 1, json };
}

function getFileTitle(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/(?:\.chainlog)?\.json$/i, '') || file;
}

/** Everything else remains as it is; a new member is indented like the one before it. */
function replaceExpectation(text: string, result: RecordedResult, pin: PinnedRange = {}): string {
  const byteOrderMark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const pinned = Object.entries(pin).reduce(
    (written, [key, block]: readonly [string, bigint]) => writeMember(written, key, () => formatBlock(block)),
    text.slice(byteOrderMark.length),
  );
  return byteOrderMark + writeExpectationMember(pinned, toExpectation(result));
}

function formatBlock(block: bigint): string {
  return block <= Number.MAX_SAFE_INTEGER ? block.toString() : JSON.stringify(block.toString());
}

function toExpectation(result: RecordedResult): Expectation | RecordedExpectation {
  if (!('toBlock' in result)) return result;
  const { count, sha256, contentSha256 } = result;
  return { count, ...(contentSha256 === undefined ? { sha256 } : { contentSha256 }) };
}

function writeExpectationMember(text: string, expectation: Expectation | RecordedExpectation): string {
  const root = parseTree(text);
  const parts = Object.entries(expectation).map(([key, value]) => {
    const node = root && findNodeAtLocation(root, ['expect', key]);
    return { offset: node?.offset, length: node?.length ?? 0, value };
  });
  const existing = parts.filter((part): part is TextPart => part.offset !== undefined);
  const expect = root && findNodeAtLocation(root, ['expect']);
  const hasSameKeys = existing.length === parts.length && existing.length === expect?.children?.length;
  if (!hasSameKeys) return writeMember(text, 'expect', (space) => formatExpectation(expectation, space));
  // From the end, so that the offsets before stay valid.
  return existing
    .sort((a, b) => b.offset - a.offset)
    .reduce((result, part) => replaceRange(result, part, formatPart(result, part)), text);
}

/** A value on several lines stays so. */
function formatPart(text: string, { offset, length, value }: TextPart): string {
  if (!text.slice(offset, offset + length).includes('\n')) return JSON.stringify(value);
  const start = text.lastIndexOf('\n', offset) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  return formatExpectation(value, `${text[start - 2] === '\r' ? '\r\n' : '\n'}${indent}`);
}

interface TextPart extends TextSpan {
  readonly value: unknown;
}

/** Sets a member of the query. `format` receives the white space before the member. */
function writeMember(text: string, key: string, format: (whitespace: string) => string): string {
  const root = parseTree(text);
  const last = root?.children?.at(-1);
  const whitespace = getWhitespaceBefore(text, last?.offset ?? 0);
  const value = format(whitespace);
  const existing = root && findNodeAtLocation(root, [key]);
  if (existing) return replaceRange(text, existing, value);
  const member = `${JSON.stringify(key)}: ${value}`;
  if (!last) return text.replace('{', () => `{ ${member} `);
  const end = { offset: last.offset + last.length, length: 0 };
  return replaceRange(text, end, `,${whitespace || ' '}${member}`);
}

function replaceRange(text: string, { offset, length }: TextSpan, replacement: string): string {
  return text.slice(0, offset) + replacement + text.slice(offset + length);
}

/** The white space before a member, including a line break if the member begins a line. */
function getWhitespaceBefore(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return before.slice(before.trimEnd().length);
}

function formatExpectation(expectation: unknown, whitespace: string): string {
  const indentAt = whitespace.lastIndexOf('\n') + 1;
  if (indentAt === 0) return JSON.stringify(expectation, null, 1).replace(/\n */g, ' ');
  const indent = whitespace.slice(indentAt);
  const lineBreak = whitespace.includes('\r') ? '\r\n' : '\n';
  return JSON.stringify(expectation, null, indent || '  ').replaceAll('\n', `${lineBreak}${indent}`);
}

/** In order of priority, by suffix. */
const fileReaders: readonly QueryFileReader[] = [documentFileReader, jsonFileReader];

import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type AppError, badInput } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import {
  type DocumentQuery,
  findDocumentQueries,
  formatVerdictLine,
  parseDocument,
  type RecordedVerdict,
} from './document.ts';
import type { Expectation } from './queryDefinition.ts';
import { parseQueryText } from './queryText.ts';
import { formatDocument } from './writeDocument.ts';

const NO_QUERY =
  'There is no question in it. One is a fenced block with the info string chainlog: a line ```chainlog, its JSON, a line ```.';

/** A `*.chain.md` document: a question in each of its blocks. */
const documentFileReader: QueryFileReader = {
  ends: '.chain.md',
  find(text, path) {
    const questions = findDocumentQueries(text);
    if (questions.length === 0)
      return [{ title: getFileTitle(path), line: 1, problem: badInput('question', NO_QUERY) }];
    return questions.map((question) => {
      const found = findQuery(question.text, question.title ?? getFileTitle(path), question.line);
      if (found.problem) return found;
      const kept = expectsItself(found.json) ? undefined : question.verdict;
      return { ...found, line: question.line, ...(kept && { kept }) };
    });
  },
  withExpectation(text, place, answer) {
    const question = findDocumentQueries(text)[place];
    if (!question) return text;
    const { json } = findQuery(question.text, '', 0);
    const isInside = !question.verdict || expectsItself(json);
    const written = isInside ? withExpectationInside(text, question, answer) : text;
    return question.verdict ? withVerdictBehind(written, place, formatVerdictLine(answer)) : written;
  },
};

/**
 * A question that ends and expects what the verdict kept behind it says.
 *
 * @example withRecordedVerdict({ chainId: 1 }, { count: 2, toBlock: 7n, sha256: 'ab' }) // { chainId: 1, toBlock: '7', expect: { count: 2, sha256: 'ab' } }
 */
export function withRecordedVerdict(json: unknown, { count, sha256, toBlock }: RecordedVerdict): unknown {
  return isRecord(json) ? { ...json, toBlock: toBlock.toString(), expect: { count, sha256 } } : json;
}

/** What a question expects goes before the verdict behind it. */
function expectsItself(json: unknown): boolean {
  return !isRecord(json) || json.expect !== undefined;
}

function withExpectationInside(
  text: string,
  { offset, text: own }: DocumentQuery,
  { count, sha256 }: RecordedVerdict,
): string {
  const written = replaceExpectation(own, { count, sha256 });
  return text.slice(0, offset) + written + text.slice(offset + own.length);
}

function withVerdictBehind(text: string, place: number, verdict: string): string {
  const pieces = parseDocument(text);
  const question = pieces.filter(({ kind }) => kind === 'question')[place];
  return formatDocument(
    pieces.map((piece, at) => ({
      ...{ kind: piece.kind, value: piece.value, read: { ...piece, place: at } },
      ...(piece === question && { verdict }),
    })),
    '\n',
  );
}

/** A `*.chainlog.json` file: one question, as JSON. */
const jsonFileReader: QueryFileReader = {
  ends: '.json',
  find: (text, path) => [findQuery(text, getFileTitle(path), 0)],
  withExpectation: (text, _place, { count, sha256 }) => replaceExpectation(text, { count, sha256 }),
};

/** The question of a text, before which its file has so many lines; called `name` where it has no title of its own. */
function findQuery(text: string, name: string, linesBefore: number): FoundQuery {
  const read = parseQueryText(text, linesBefore);
  if (read.problem) return { title: name, ...read };
  const { json } = read;
  const title = isRecord(json) && typeof json.title === 'string' && json.title.trim();
  return { title: title || name, line: linesBefore + 1, json };
}

/** What a file is called without its ending. */
function getFileTitle(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/(?:\.chainlog)?\.json$/i, '') || file;
}

/** All else stays as it stands; what is new is set apart as what stands before it is. */
function replaceExpectation(written: string, expectation: Expectation): string {
  const mark = written.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + withMember(written.slice(mark.length), expectation);
}

function withMember(text: string, expectation: Expectation): string {
  const root = parseTree(text);
  const valueAt = (...path: readonly string[]) => root && findNodeAtLocation(root, [...path]);
  const known = { count: valueAt('expect', 'count'), sha256: valueAt('expect', 'sha256') };
  if (known.count && known.sha256) {
    const parts = [
      { ...known.count, by: expectation.count },
      { ...known.sha256, by: expectation.sha256 },
    ];
    // From the end on, so that the places before hold.
    return parts
      .sort((a, b) => b.offset - a.offset)
      .reduce((made, part) => replaced(made, part, JSON.stringify(part.by)), text);
  }
  const last = root?.children?.at(-1);
  const space = spaceBefore(text, last?.offset ?? 0);
  const written = `"expect": ${writtenExpectation(expectation, space)}`;
  const expect = valueAt('expect')?.parent;
  if (expect) return replaced(text, expect, written);
  if (last)
    return replaced(text, { offset: last.offset + last.length, length: 0 }, `,${space || ' '}${written}`);
  return text.replace('{', `{ ${written} `);
}

function replaced(
  text: string,
  { offset, length }: { readonly offset: number; readonly length: number },
  by: string,
): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}

/** The white space before a member; with a line break where it begins a line. */
function spaceBefore(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return before.slice(before.trimEnd().length);
}

function writtenExpectation(expectation: Expectation, space: string): string {
  const indentAt = space.lastIndexOf('\n') + 1;
  if (indentAt === 0) return JSON.stringify(expectation).replace(/[:,{]/g, '$& ').replace('}', ' }');
  const indent = space.slice(indentAt);
  const lineBreak = space.includes('\r') ? '\r\n' : '\n';
  return JSON.stringify(expectation, null, indent || '  ').replaceAll('\n', `${lineBreak}${indent}`);
}

/** A question as it stands in a file, not yet read, or why there is none. */
export type FoundQuery = {
  /** What it is called; after its file, where it has no name of its own. */
  readonly title: string;
  /** Where it begins, or what is wrong with it: from 1. */
  readonly line: number;
} & (
  | {
      readonly json: unknown;
      /** What it is held against, where its JSON does not say that. */
      readonly kept?: RecordedVerdict | undefined;
      readonly problem?: undefined;
    }
  | { readonly json?: undefined; readonly kept?: undefined; readonly problem: AppError }
);

/** How one kind of file holds its questions. */
interface QueryFileReader {
  /** How the names of such files end, in lower case. */
  readonly ends: string;
  find(text: string, path: string): readonly FoundQuery[];
  /** The text whose question at a place among those found, from 0, expects an answer. */
  withExpectation(text: string, place: number, answer: RecordedVerdict): string;
}

/** The kinds of files that hold questions; the first whose name ends so reads it. */
const readers: readonly QueryFileReader[] = [documentFileReader, jsonFileReader];

/**
 * The questions of a file, by its name and its text: one of a `*.chainlog.json` file, those in the blocks of a `*.chain.md`
 * document. Each is JSON that
 * {@link parseChainQueryDefinition} takes, or says what is wrong.
 *
 * @example findQueries('{"chainId": 1}', 'queries/all.chainlog.json') // [{ title: 'all', line: 1, json: { chainId: 1 } }]
 */
export function findQueries(text: string, path: string): readonly FoundQuery[] {
  const reader = readerOf(path);
  if (reader) return reader.find(text, path);
  const ends = readers.map((one) => `*${one.ends}`).join(', ');
  const problem = badInput('question', `Questions are kept in files named ${ends}.`);
  return [{ title: path, line: 1, problem }];
}

/**
 * The text of a file whose question at a place in the list of {@link findQueries} expects an answer; all else as it was.
 * What a verdict behind the question says is expected there; places stay what they are.
 *
 * @throws AppError `badInput` where no such file holds questions.
 * @example writeExpectation('{"chainId": 1}', { path: 'all.chainlog.json', place: 0 }, { count: 2, toBlock: 7n, sha256 });
 */
export function writeExpectation(
  text: string,
  { path, place }: { readonly path: string; readonly place: number },
  answer: RecordedVerdict,
): string {
  const reader = readerOf(path);
  if (!reader) throw badInput('question', 'This is no file of questions.');
  return reader.withExpectation(text, place, answer);
}

function readerOf(path: string): QueryFileReader | undefined {
  const lower = path.toLowerCase();
  return readers.find(({ ends }) => lower.endsWith(ends));
}

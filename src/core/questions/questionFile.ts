import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type AppError, badInput } from '../base/errors.ts';
import { isRecord } from '../base/records.ts';
import type { Expectation } from './question.ts';
import type { QuestionReader } from './questionReader.ts';

/** Characters of a file of questions: a query with 5,000 addresses has fewer. */
export const LONGEST_QUESTIONS = 256 * 1024;
/** A query nests four deep. What is nested thousands deep would break those that read JSON by recursion. */
const MOST_BRACKETS = 1000;

/** A `*.chainlog.json` file: one question, as JSON. */
export const questionFile: QuestionReader = {
  ends: '.json',
  find(text, path) {
    const { json, problem, line = 1 } = readJson(text);
    const name = nameOf(path);
    if (problem) return [{ title: name, line, problem }];
    const title = isRecord(json) && typeof json.title === 'string' && json.title.trim();
    return [{ title: title || name, line, json }];
  },
  withExpectation: (text, _line, expectation) => withExpectation(text, expectation),
};

/**
 * Whether a text is short and flat enough to be read as a question by recursion.
 *
 * @example isReadable('{"chainId": 1}') // true
 */
export function isReadable(text: string): boolean {
  return text.length <= LONGEST_QUESTIONS && (text.match(/[[{]/g)?.length ?? 0) <= MOST_BRACKETS;
}

interface ReadJson {
  readonly json?: unknown;
  readonly problem?: AppError;
  readonly line?: number;
}

function readJson(written: string): ReadJson {
  const text = written.replace(/^\ufeff/, '');
  if (!isReadable(text)) {
    return { problem: badInput('question', 'This is longer than a question, or nested deeper.') };
  }
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return wrongJson(text, error instanceof Error ? error.message : '');
  }
}

/** V8 tells where it stopped; where it does not, the first line has to do. */
function wrongJson(text: string, told: string): ReadJson {
  if (text.trim() === '') {
    return {
      problem: badInput(
        'question',
        'The file is empty. Write a question such as {"chainId": 1, "event": "…"}.',
      ),
    };
  }
  const at = Number(/at position (\d+)/.exec(told)?.[1] ?? (/end of JSON/.test(told) ? text.length : 0));
  const before = text.slice(0, at).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const isComment = /^\/[/*]/.test(text.slice(at, at + 2));
  const message = isComment
    ? `A question is JSON without comments: take out the one in line ${line}.`
    : `Not JSON: it cannot be read from line ${line}, column ${column} on.`;
  return { line, problem: badInput('question', message) };
}

function nameOf(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/(?:\.chainlog)?\.json$/i, '') || file;
}

/** All else stays as it stands; what is new is set apart as what stands before it is. */
function withExpectation(written: string, expectation: Expectation): string {
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

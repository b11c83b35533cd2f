import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { isRecord } from '../../base/records.ts';
import type { Expectation } from '../question.ts';
import { readQuestionJson } from './questionJson.ts';
import type { FoundQuestion, QuestionReader } from './questionReader.ts';

/** A `*.chainlog.json` file: one question, as JSON. */
export const questionFile: QuestionReader = {
  ends: '.json',
  find: (text, path) => [findQuestion(text, nameOf(path), 0)],
  withExpectation: (text, _place, { count, sha256 }) => withExpectation(text, { count, sha256 }),
};

/** The question of a text, before which its file has so many lines; called `name` where it has no title of its own. */
export function findQuestion(text: string, name: string, linesBefore: number): FoundQuestion {
  const read = readQuestionJson(text, linesBefore);
  if (read.problem) return { title: name, ...read };
  const { json } = read;
  const title = isRecord(json) && typeof json.title === 'string' && json.title.trim();
  return { title: title || name, line: linesBefore + 1, json };
}

/** What a file is called without its ending. */
export function nameOf(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/(?:\.chainlog)?\.json$/i, '') || file;
}

/** All else stays as it stands; what is new is set apart as what stands before it is. */
export function withExpectation(written: string, expectation: Expectation): string {
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

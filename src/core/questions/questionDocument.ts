import { isRecord } from '../base/records.ts';
import { questionFile } from './questionFile.ts';
import type { QuestionReader } from './questionReader.ts';
import { type DocumentQuestion, questionsInDocument } from './questionsInDocument.ts';

/** A `*.chain.md` document: a question in each of its blocks. */
export const questionDocument: QuestionReader = {
  ends: '.chain.md',
  find: (text, path) =>
    questionsInDocument(text).flatMap((question) =>
      questionFile.find(question.text, path).map((found) => {
        const title = ownTitle(found.json) ?? question.title ?? found.title;
        if (found.problem) return { title, line: question.line + found.line, problem: found.problem };
        return { title, line: question.line, json: withVerdict(found.json, question) };
      }),
    ),
  withExpectation(text, line, expectation) {
    const question = questionsInDocument(text).find((one) => one.line === line);
    if (!question) return text;
    const { offset, text: own } = question;
    const written = questionFile.withExpectation(own, 1, expectation);
    return text.slice(0, offset) + written + text.slice(offset + own.length);
  },
};

function ownTitle(json: unknown): string | undefined {
  return isRecord(json) && typeof json.title === 'string' && json.title.trim() !== ''
    ? json.title
    : undefined;
}

/** The verdict behind a block is what the answer up to its block is to be, where the question does not say so itself. */
function withVerdict(json: unknown, { verdict }: DocumentQuestion): unknown {
  if (!verdict || !isRecord(json) || json.expect !== undefined) return json;
  const { count, sha256, toBlock } = verdict;
  return { ...json, toBlock: toBlock.toString(), expect: { count, sha256 } };
}

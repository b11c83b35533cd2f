import { badInput } from '../../base/errors.ts';
import { isRecord } from '../../base/records.ts';
import { parseDocument } from './document.ts';
import { findQuestion, nameOf, withExpectation } from './questionFile.ts';
import type { QuestionReader } from './questionReader.ts';
import { type DocumentQuestion, questionsInDocument } from './questionsInDocument.ts';
import { verdictLine, type WrittenVerdict } from './verdictLine.ts';
import { writeDocument } from './writeDocument.ts';

const NO_QUESTION =
  'There is no question in it. One is a fenced block with the info string chainlog: a line ```chainlog, its JSON, a line ```.';

/** A `*.chain.md` document: a question in each of its blocks. */
export const questionDocument: QuestionReader = {
  ends: '.chain.md',
  find(text, path) {
    const questions = questionsInDocument(text);
    if (questions.length === 0)
      return [{ title: nameOf(path), line: 1, problem: badInput('question', NO_QUESTION) }];
    return questions.map((question) => {
      const found = findQuestion(question.text, question.title ?? nameOf(path), question.line);
      if (found.problem) return found;
      const kept = expectsItself(found.json) ? undefined : question.verdict;
      return { ...found, line: question.line, ...(kept && { kept }) };
    });
  },
  withExpectation(text, place, answer) {
    const question = questionsInDocument(text)[place];
    if (!question) return text;
    const { json } = findQuestion(question.text, '', 0);
    const isInside = !question.verdict || expectsItself(json);
    const written = isInside ? withExpectationInside(text, question, answer) : text;
    return question.verdict ? withVerdictBehind(written, place, verdictLine(answer)) : written;
  },
};

/**
 * A question that ends and expects what the verdict kept behind it says.
 *
 * @example upToKept({ chainId: 1 }, { count: 2, toBlock: 7n, sha256: 'ab' }) // { chainId: 1, toBlock: '7', expect: { count: 2, sha256: 'ab' } }
 */
export function upToKept(json: unknown, { count, sha256, toBlock }: WrittenVerdict): unknown {
  return isRecord(json) ? { ...json, toBlock: toBlock.toString(), expect: { count, sha256 } } : json;
}

/** What a question expects goes before the verdict behind it. */
function expectsItself(json: unknown): boolean {
  return !isRecord(json) || json.expect !== undefined;
}

function withExpectationInside(
  text: string,
  { offset, text: own }: DocumentQuestion,
  { count, sha256 }: WrittenVerdict,
): string {
  const written = withExpectation(own, { count, sha256 });
  return text.slice(0, offset) + written + text.slice(offset + own.length);
}

function withVerdictBehind(text: string, place: number, verdict: string): string {
  const pieces = parseDocument(text);
  const question = pieces.filter(({ kind }) => kind === 'question')[place];
  return writeDocument(
    pieces.map((piece, at) => ({
      ...{ kind: piece.kind, value: piece.value, read: { ...piece, place: at } },
      ...(piece === question && { verdict }),
    })),
    '\n',
  );
}

import { badInput } from '../../base/errors.ts';
import { questionDocument } from './questionDocument.ts';
import { questionFile } from './questionFile.ts';
import type { FoundQuestion, QuestionReader } from './questionReader.ts';
import type { WrittenVerdict } from './verdictLine.ts';

/** The kinds of files that hold questions; the first whose name ends so reads it. */
const readers: readonly QuestionReader[] = [questionDocument, questionFile];

/**
 * The questions of a file, by its name and its text: one of a `*.chainlog.json` file, those in the blocks of a `*.chain.md`
 * document. Each is JSON that
 * {@link parseFiledQuestion} takes, or says what is wrong.
 *
 * @example questionsIn('{"chainId": 1}', 'queries/all.chainlog.json') // [{ title: 'all', line: 1, json: { chainId: 1 } }]
 */
export function questionsIn(text: string, path: string): readonly FoundQuestion[] {
  const reader = readerOf(path);
  if (reader) return reader.find(text, path);
  const ends = readers.map((one) => `*${one.ends}`).join(', ');
  const problem = badInput('question', `Questions are kept in files named ${ends}.`);
  return [{ title: path, line: 1, problem }];
}

/**
 * The text of a file whose question at a place in the list of {@link questionsIn} expects an answer; all else as it was.
 * What a verdict behind the question says is expected there; places stay what they are.
 *
 * @throws AppError `badInput` where no such file holds questions.
 * @example withExpectation('{"chainId": 1}', { path: 'all.chainlog.json', place: 0 }, { count: 2, toBlock: 7n, sha256 });
 */
export function withExpectation(
  text: string,
  { path, place }: { readonly path: string; readonly place: number },
  answer: WrittenVerdict,
): string {
  const reader = readerOf(path);
  if (!reader) throw badInput('question', 'This is no file of questions.');
  return reader.withExpectation(text, place, answer);
}

function readerOf(path: string): QuestionReader | undefined {
  const lower = path.toLowerCase();
  return readers.find(({ ends }) => lower.endsWith(ends));
}

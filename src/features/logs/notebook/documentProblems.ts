import * as vscode from 'vscode';
import {
  type AppError,
  type DocumentQuestion,
  isAppError,
  parseQuestion,
  pathOfField,
  questionPlaces,
  questionsInDocument,
  resolveQuestion,
} from '../../../core/index.ts';
import { isUntrustedName } from '../../../host/questions/isUntrustedName.ts';
import { type DocumentProblem, registerProblems } from '../../../host/surface/problems.ts';
import { inputText } from '../../../host/words/inputTexts.ts';
import { documentStart } from '../../../host/workspace/documentText.ts';
import type { LogsDeps } from '../panel/deps.ts';
import { knowledgeOf } from './askedQuestion.ts';

/** Characters of a document that are searched. */
const SEARCHED = 1024 * 1024;
/** Queries of one document that are judged. */
const MOST_JUDGED = 200;

/** What is wrong with the queries of documents that are open as text, each where it stands. Asks no server anything. */
export function registerDocumentProblems(
  deps: Pick<LogsDeps, 'clock' | 'contracts' | 'names' | 'session'>,
  selector: vscode.DocumentSelector,
): vscode.Disposable {
  return registerProblems({
    clock: deps.clock,
    async find(document, { signal }) {
      if (vscode.languages.match(selector, document) === 0) return [];
      const questions = questionsInDocument(documentStart(document, SEARCHED)).slice(0, MOST_JUDGED);
      const found: DocumentProblem[] = [];
      for (const question of questions) {
        found.push(
          ...(await problemsOf(question, deps)).map((problem) => placed(problem, question, document)),
        );
        signal.throwIfAborted();
      }
      return found;
    },
  });
}

interface Problem {
  readonly words: string;
  /** Where it is in the text of the query; undefined: all of it. */
  readonly span: readonly [start: number, end: number] | undefined;
}

async function problemsOf(
  { text }: DocumentQuestion,
  { session, contracts, names }: Parameters<typeof registerDocumentProblems>[0],
): Promise<readonly Problem[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return [notJson(text, error instanceof Error ? error.message : '')];
  }
  try {
    const question = parseQuestion(json);
    // Without a chain names mean something once a network is chosen.
    const chainId = question.chainId ?? (session.isChosen ? session.network.chainId : undefined);
    if (chainId === undefined) return [];
    const knowledge = await knowledgeOf({ contracts, names: await names() }, chainId);
    const { problems = [] } = resolveQuestion(question, knowledge);
    return problems.filter((problem) => !isUntrustedName(problem)).map((problem) => ofField(text, problem));
  } catch (error) {
    if (isAppError(error, 'badInput')) return [ofField(text, error)];
    throw error;
  }
}

/** V8 tells where it stopped; where it does not, that is the end. */
function notJson(text: string, told: string): Problem {
  const at = Number(/at position (\d{1,9})/.exec(told)?.[1] ?? text.length);
  const words = vscode.l10n.t('This is not JSON from here on.');
  return { words, span: [Math.min(at, Math.max(0, text.length - 1)), Math.min(at + 1, text.length)] };
}

function ofField(text: string, problem: AppError): Problem {
  const path = pathOfField(problem.details.field ?? '');
  const places = questionPlaces(text);
  const span = places.keyAt(path) ?? places.valueAt(path);
  return {
    words: inputText(problem, vscode.l10n),
    span: span && [span.offset, span.offset + span.length],
  };
}

function placed(
  { words, span }: Problem,
  { line, offset }: DocumentQuestion,
  document: vscode.TextDocument,
): DocumentProblem {
  const range = span
    ? new vscode.Range(document.positionAt(offset + span[0]), document.positionAt(offset + span[1]))
    : document.lineAt(line - 1).range;
  return { range, message: words, code: 'question', severity: 'error' };
}

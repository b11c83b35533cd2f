import * as vscode from 'vscode';
import {
  type AppError,
  createIndexKnowledge,
  type DocumentQuery,
  findDocumentQueries,
  findFieldPath,
  isAppError,
  locateQueryParts,
  parseQueryDefinition,
  resolveQuery,
} from '../../../core/index.ts';
import { isOfSchema } from '../../../host/questions/isOfSchema.ts';
import { isUntrustedName } from '../../../host/questions/isUntrustedName.ts';
import { type DocumentProblem, registerProblems } from '../../../host/surface/problems.ts';
import { inputText } from '../../../host/words/inputTexts.ts';
import { documentStart } from '../../../host/workspace/documentText.ts';
import { notebookType } from '../../../manifest.ts';
import type { LogsDeps } from '../panel/deps.ts';

/** Characters of a document that are searched. */
const SEARCHED = 1024 * 1024;
const cells: vscode.DocumentSelector = { notebookType, language: 'json' };
/** Queries of one document that are judged. */
const MOST_JUDGED = 200;

/** What is wrong with the queries of documents, open as text or as cells, each where it stands. Asks no server anything. */
export function registerDocumentProblems(
  deps: Pick<LogsDeps, 'clock' | 'contracts' | 'session'>,
  selector: vscode.DocumentSelector,
): vscode.Disposable {
  return registerProblems({
    clock: deps.clock,
    onDidChange: deps.contracts.onDidRead,
    async find(document, { signal }) {
      const isCell = vscode.languages.match(cells, document) > 0;
      if (!isCell && vscode.languages.match(selector, document) === 0) return [];
      const text = documentStart(document, SEARCHED);
      const questions = isCell ? [{ text, line: 1, offset: 0 }] : findDocumentQueries(text);
      const found: DocumentProblem[] = [];
      for (const question of questions.slice(0, MOST_JUDGED)) {
        const problems = await problemsOf(question, deps);
        // Of a cell the editor tells this by itself, as of any JSON with a schema.
        const untold = problems.filter(({ isOfEditor }) => !(isCell && isOfEditor));
        found.push(...untold.map((problem) => placed(problem, question, document)));
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
  /** Whether JSON and its schema tell the same. */
  readonly isOfEditor: boolean;
}

type AskedText = Pick<DocumentQuery, 'text' | 'line' | 'offset'>;

async function problemsOf(
  { text }: AskedText,
  { session, contracts }: Parameters<typeof registerDocumentProblems>[0],
): Promise<readonly Problem[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return [notJson(text, error instanceof Error ? error.message : '')];
  }
  try {
    const question = parseQueryDefinition(json);
    // Without a chain names mean something once a network is chosen.
    const chainId = question.chainId ?? (session.isChosen ? session.network.chainId : undefined);
    if (chainId === undefined) return [];
    const { problems = [] } = resolveQuery(question, createIndexKnowledge(await contracts.index(), chainId));
    return problems
      .filter((problem) => !isUntrustedName(problem))
      .map((problem) => ofField(text, problem, false));
  } catch (error) {
    if (isAppError(error, 'badInput')) return [ofField(text, error, isOfSchema(error))];
    throw error;
  }
}

/** V8 tells where it stopped; where it does not, that is the end. */
function notJson(text: string, told: string): Problem {
  const at = Number(/at position (\d{1,9})/.exec(told)?.[1] ?? text.length);
  const words = vscode.l10n.t('This is not JSON from here on.');
  const span = [Math.min(at, Math.max(0, text.length - 1)), Math.min(at + 1, text.length)] as const;
  return { words, span, isOfEditor: true };
}

function ofField(text: string, problem: AppError, isOfEditor: boolean): Problem {
  const places = locateQueryParts(text);
  const path = findFieldPath(problem.details.field ?? '', places);
  const span = places.keyAt(path) ?? places.valueAt(path);
  return {
    words: inputText(problem, vscode.l10n),
    span: span && [span.offset, span.offset + span.length],
    isOfEditor,
  };
}

function placed(
  { words, span }: Problem,
  { line, offset }: AskedText,
  document: vscode.TextDocument,
): DocumentProblem {
  const range = span
    ? new vscode.Range(document.positionAt(offset + span[0]), document.positionAt(offset + span[1]))
    : document.lineAt(line - 1).range;
  return { range, message: words, code: 'question', severity: 'error' };
}

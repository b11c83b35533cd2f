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
import { isSchemaError, isUntrustedWorkspaceError } from '../../../host/errors.ts';
import { getDocumentStart } from '../../../host/places/documents.ts';
import { type DocumentDiagnostic, registerDiagnostics } from '../../../host/ui/diagnostics.ts';
import type { Lens } from '../../../host/ui/languageFeatures.ts';
import { formatValidationError } from '../../../host/validationErrors.ts';
import { notebookType } from '../../../manifest.ts';
import type { LogsDeps } from '../panel/panelServices.ts';

const MAX_SEARCHED_CHARS = 1024 * 1024;
/** A document with thousands of queries is generated, and nobody reads it. */
const MAX_LENSES = 1000;

/** A CodeLens above each query of a document that is open as text. */
export function createDocumentLenses(document: vscode.TextDocument): readonly Lens[] {
  const { l10n } = vscode;
  const file = document.uri.toString();
  return findDocumentQueries(getDocumentStart(document, MAX_SEARCHED_CHARS))
    .slice(0, MAX_LENSES)
    .map(({ line }) => ({
      at: new vscode.Position(line - 1, 0),
      show: () => ({
        title: l10n.t('Run query'),
        tooltip: [l10n.t('Shows the logs in a panel. Open as Notebook shows them below the query.')],
        command: 'chainside.runDocumentQuestion',
        argument: { file, line },
      }),
    }));
}

const cells: vscode.DocumentSelector = { notebookType, language: 'json' };
const MAX_CHECKED_QUERIES = 200;

/** Diagnostics for queries in documents, open as text or as notebook cells. Sends no requests. */
export function registerDocumentDiagnostics(
  deps: Pick<LogsDeps, 'clock' | 'contracts' | 'session'>,
  selector: vscode.DocumentSelector,
): vscode.Disposable {
  return registerDiagnostics({
    clock: deps.clock,
    onDidChange: deps.contracts.onDidRead,
    async find(document, { signal }) {
      const isCell = vscode.languages.match(cells, document) > 0;
      if (!isCell && vscode.languages.match(selector, document) === 0) return [];
      const text = getDocumentStart(document, MAX_SEARCHED_CHARS);
      const questions = isCell ? [{ text, line: 1, offset: 0 }] : findDocumentQueries(text);
      const found: DocumentDiagnostic[] = [];
      for (const question of questions.slice(0, MAX_CHECKED_QUERIES)) {
        const problems = await findQueryErrors(question, deps);
        // In cells the editor's JSON schema support reports these already.
        const untold = problems.filter(({ isOfEditor }) => !(isCell && isOfEditor));
        found.push(...untold.map((problem) => toDiagnostic(problem, question, document)));
        signal.throwIfAborted();
      }
      return found;
    },
  });
}

interface QueryProblem {
  readonly words: string;
  /** Offsets in the text of the query; undefined: all of it. */
  readonly span: readonly [start: number, end: number] | undefined;
  /** Whether the editor's JSON support reports it too. */
  readonly isOfEditor: boolean;
}

type QueryText = Pick<DocumentQuery, 'text' | 'line' | 'offset'>;

async function findQueryErrors(
  { text }: QueryText,
  { session, contracts }: Parameters<typeof registerDocumentDiagnostics>[0],
): Promise<readonly QueryProblem[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return [notJson(text, error instanceof Error ? error.message : '')];
  }
  try {
    const question = parseQueryDefinition(json);
    // Without a chain, names have a meaning only once a network is chosen.
    const chainId = question.chainId ?? (session.isChosen ? session.network.chainId : undefined);
    if (chainId === undefined) return [];
    const { errors = [] } = resolveQuery(question, createIndexKnowledge(await contracts.index(), chainId));
    return errors
      .filter((problem) => !isUntrustedWorkspaceError(problem))
      .map((problem) => ofField(text, problem, false));
  } catch (error) {
    if (isAppError(error, 'badInput')) return [ofField(text, error, isSchemaError(error))];
    throw error;
  }
}

/** V8 reports the position in most messages; otherwise mark the end. */
function notJson(text: string, told: string): QueryProblem {
  const at = Number(/at position (\d{1,9})/.exec(told)?.[1] ?? text.length);
  const words = vscode.l10n.t('This is not JSON from here on.');
  const span = [Math.min(at, Math.max(0, text.length - 1)), Math.min(at + 1, text.length)] as const;
  return { words, span, isOfEditor: true };
}

function ofField(text: string, problem: AppError, isOfEditor: boolean): QueryProblem {
  const places = locateQueryParts(text);
  const path = findFieldPath(problem.details.field ?? '', places);
  const span = places.keyAt(path) ?? places.valueAt(path);
  return {
    words: formatValidationError(problem, vscode.l10n),
    span: span && [span.offset, span.offset + span.length],
    isOfEditor,
  };
}

function toDiagnostic(
  { words, span }: QueryProblem,
  { line, offset }: QueryText,
  document: vscode.TextDocument,
): DocumentDiagnostic {
  const range = span
    ? new vscode.Range(document.positionAt(offset + span[0]), document.positionAt(offset + span[1]))
    : document.lineAt(line - 1).range;
  return { range, message: words, code: 'question', severity: 'error' };
}

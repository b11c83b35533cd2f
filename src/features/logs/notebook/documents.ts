import * as vscode from 'vscode';
import {
  type AppError,
  createFileContext,
  createIndexKnowledge,
  type DocumentQuery,
  findFieldPath,
  findFiledCheckErrors,
  isAppError,
  isFiledCheckJson,
  locateQueryParts,
  MAX_QUERY_FILE_CHARS,
  parseFiledCheck,
  parseQueryDefinition,
  pushAll,
  resolveQuery,
  type StrayVerdict,
} from '../../../core/index.ts';
import { isSchemaError, isUntrustedWorkspaceError } from '../../../host/errors.ts';
import { formatValidationError } from '../../../host/l10n.ts';
import { getDocumentStart } from '../../../host/places/documents.ts';
import { type DocumentDiagnostic, registerDiagnostics } from '../../../host/ui/diagnostics.ts';
import type { Lens } from '../../../host/ui/languageFeatures.ts';
import { notebookType } from '../../../manifest.ts';
import type { LogsDeps } from '../panel/panelServices.ts';
import { readDocumentQueries } from './documentQuery.ts';

/** A document with thousands of queries is generated, and nobody reads it. */
const MAX_LENSES = 1000;

/** A CodeLens above each query of a document that is open as text. */
export function createDocumentLenses(document: vscode.TextDocument): readonly Lens[] {
  const { l10n } = vscode;
  const file = document.uri.toString();
  return readDocumentQueries(document)
    .queries.slice(0, MAX_LENSES)
    .map(({ line }) => ({
      at: new vscode.Position(line - 1, 0),
      show: () => ({
        title: l10n.t('Run Query'),
        tooltip: [
          l10n.t('Show the logs in a panel. To show them below the query, open the file as a notebook.'),
        ],
        command: 'chainside.runDocumentQuestion',
        argument: { file, line },
      }),
    }));
}

const cellSelector: vscode.DocumentSelector = { notebookType, language: 'json' };
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
      const isCell = vscode.languages.match(cellSelector, document) > 0;
      if (!isCell && vscode.languages.match(selector, document) === 0) return [];
      const { queries, errors } = isCell ? readCell(document) : readDocumentQueries(document);
      const found: DocumentDiagnostic[] = [];
      for (const query of queries.slice(0, MAX_CHECKED_QUERIES)) {
        const errors = await findQueryErrors(query, deps);
        // In cells the editor's JSON schema support reports these already.
        const unreported = errors.filter(({ isReportedByEditor }) => !(isCell && isReportedByEditor));
        pushAll(
          found,
          unreported.map((error) => toDiagnostic(error, query, document)),
        );
        signal.throwIfAborted();
      }
      const strays = errors.slice(0, MAX_CHECKED_QUERIES).map(
        ({ line, error }): DocumentDiagnostic => ({
          range: document.lineAt(line - 1).range,
          message: formatValidationError(error, vscode.l10n),
          code: 'query',
          severity: 'error',
        }),
      );
      return [...found, ...strays];
    },
  });
}

function readCell(document: vscode.TextDocument): {
  readonly queries: readonly QueryText[];
  readonly errors: readonly StrayVerdict[];
} {
  const text = getDocumentStart(document, MAX_QUERY_FILE_CHARS + 1);
  return { queries: [{ text, line: 1, offset: 0 }], errors: [] };
}

interface QueryError {
  readonly message: string;
  /** Offsets in the text of the query; undefined: all of it. */
  readonly span: readonly [start: number, end: number] | undefined;
  /** Whether the editor's JSON support reports it too. */
  readonly isReportedByEditor: boolean;
}

type QueryText = Pick<DocumentQuery, 'text' | 'line' | 'offset'>;

async function findQueryErrors(
  { text }: QueryText,
  { session, contracts }: Parameters<typeof registerDocumentDiagnostics>[0],
): Promise<readonly QueryError[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return [createJsonError(text, error instanceof Error ? error.message : '')];
  }
  try {
    const query = isFiledCheckJson(json) ? parseFiledCheck(json) : parseQueryDefinition(json);
    // Without a chain, names have a meaning only once a network is chosen.
    const chainId = query.chainId ?? (session.isChosen ? session.network.chainId : undefined);
    if (chainId === undefined) return [];
    const index = await contracts.index();
    const errors =
      'query' in query
        ? (resolveQuery(query, createIndexKnowledge(index, chainId)).errors ?? [])
        : findFiledCheckErrors(query, createFileContext(index, chainId));
    return errors
      .filter((error) => !isUntrustedWorkspaceError(error))
      .map((error) => createFieldError(text, error, false));
  } catch (error) {
    if (isAppError(error, 'badInput')) return [createFieldError(text, error, isSchemaError(error))];
    throw error;
  }
}

/** V8 reports the position in most messages; otherwise mark the end. */
function createJsonError(text: string, reason: string): QueryError {
  const at = Number(/at position (\d{1,9})/.exec(reason)?.[1] ?? text.length);
  const message = vscode.l10n.t('The JSON is invalid from this position.');
  const span = [Math.min(at, Math.max(0, text.length - 1)), Math.min(at + 1, text.length)] as const;
  return { message, span, isReportedByEditor: true };
}

function createFieldError(text: string, error: AppError, isReportedByEditor: boolean): QueryError {
  const places = locateQueryParts(text);
  const path = findFieldPath(error.details.field ?? '', places);
  const span = places.keyAt(path) ?? places.valueAt(path);
  return {
    message: formatValidationError(error, vscode.l10n),
    span: span && [span.offset, span.offset + span.length],
    isReportedByEditor,
  };
}

function toDiagnostic(
  { message, span }: QueryError,
  { line, offset }: QueryText,
  document: vscode.TextDocument,
): DocumentDiagnostic {
  const range = span
    ? new vscode.Range(document.positionAt(offset + span[0]), document.positionAt(offset + span[1]))
    : document.lineAt(line - 1).range;
  return { range, message, code: 'query', severity: 'error' };
}

import * as vscode from 'vscode';
import {
  type AppError,
  type ChainFiledCheck,
  type ChainQueryDefinition,
  createFileContext,
  createIndexKnowledge,
  type FileContext,
  findFiledCheckErrors,
  findQueries,
  isAppError,
  isFiledCheck,
  isParsable,
  MAX_QUERY_FILE_CHARS,
  type NameEntry,
  parseFileDefinition,
  type QueryKnowledge,
  type ResolvedQuery,
  resolveQuery,
} from '../../core/index.ts';
import { isSchemaError } from '../../host/errors.ts';
import { getDocumentStart } from '../../host/places/documents.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { SessionOperationsDeps } from '../../host/sessionOperations.ts';

export interface QueryFilesDeps extends ChainDeps, SessionOperationsDeps {
  readonly log: vscode.LogOutputChannel;
}

/** A query file as it is in the editor. */
export interface QueryDocument {
  readonly text: string;
  readonly title: string;
  readonly knowledge: (QueryKnowledge & { readonly names: readonly NameEntry[] }) | undefined;
  /** Undefined if it is invalid. */
  readonly query: { readonly definition: ChainQueryDefinition; readonly resolved: ResolvedQuery } | undefined;
  /** Undefined if the file has a query of logs, or what it has is invalid. */
  readonly check?: { readonly definition: ChainFiledCheck; readonly errors: readonly AppError[] };
  /** The names of several deployments, and what they mean. */
  readonly chosen?: FileContext['chosen'];
  readonly error: AppError | undefined;
  /** The JSON schema reports the same error. */
  readonly isSchemaError: boolean;
}

/** Parses the query of a document, and resolves it with the workspace's contracts on its chain. */
export async function openQueryDocument(
  document: vscode.TextDocument,
  { contracts }: Pick<QueryFilesDeps, 'contracts'>,
): Promise<QueryDocument> {
  const text = getDocumentStart(document, MAX_QUERY_FILE_CHARS + 1);
  const [found] = findQueries(text, document.uri.path);
  const { title = '', error: problem, json } = found ?? {};
  const empty = { text, title, knowledge: undefined, query: undefined };
  // VS Code itself reports invalid JSON.
  if (problem) return { ...empty, error: problem, isSchemaError: isParsable(text) };
  let definition: ChainQueryDefinition | ChainFiledCheck;
  try {
    definition = parseFileDefinition(json);
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return { ...empty, error, isSchemaError: isSchemaError(error) };
  }
  const index = await contracts.index();
  const { chainId } = definition;
  const knowledge = createIndexKnowledge(index, chainId);
  if (isFiledCheck(definition)) {
    const context = createFileContext(index, chainId);
    const errors = findFiledCheckErrors(definition, context);
    const { chosen } = context;
    return {
      ...empty,
      knowledge,
      chosen,
      check: { definition, errors },
      error: undefined,
      isSchemaError: false,
    };
  }
  return {
    text,
    title,
    knowledge,
    error: undefined,
    isSchemaError: false,
    query: { definition, resolved: resolveQuery(definition, knowledge) },
    chosen: knowledge.chosen,
  };
}

/** The document of the URI passed, else the active one; undefined if it is no query file. */
export async function findTextDocument(argument: unknown): Promise<vscode.TextDocument | undefined> {
  const uri =
    argument instanceof vscode.Uri
      ? argument
      : typeof argument === 'string'
        ? vscode.Uri.parse(argument)
        : vscode.window.activeTextEditor?.document.uri;
  if (!uri?.path.toLowerCase().endsWith('.chainlog.json')) return undefined;
  return vscode.workspace.openTextDocument(uri);
}

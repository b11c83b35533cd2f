import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  createIndexKnowledge,
  type DocumentQuery,
  type FiledCheck,
  findDocumentQueries,
  findStrayVerdicts,
  isAppError,
  isFiledCheckJson,
  type Network,
  parseFiledCheck,
  parseQueryDefinition,
  type QueryDefinition,
  type QueryForm,
  resolveQuery,
  type StrayVerdict,
} from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { showFileCheck } from '../../../host/fileChecks.ts';
import { formatValidationError } from '../../../host/l10n.ts';
import { getDocumentStart } from '../../../host/places/documents.ts';
import { type ChainDeps, findChainNetwork } from '../../../host/session/chains.ts';
import type { SessionOperationsDeps } from '../../../host/sessionOperations.ts';
import { showMessage } from '../../../host/ui/dialogs.ts';
import { type GroupChoice, toGroupChoice } from '../protocol/groups.ts';

interface DocumentQueryDeps extends ChainDeps {
  readonly contracts: Pick<WorkspaceContracts, 'index'>;
}

/** A query with 5,000 addresses has fewer. */
const MAX_QUERY_CHARS = 256 * 1024;

/** The form or the check, and its network, or why it cannot run. */
type DocumentQueryResult =
  | {
      readonly network: Network;
      readonly form: QueryForm;
      /** Undefined to show rows. */
      readonly groups: GroupChoice | undefined;
      readonly check?: undefined;
      readonly errors?: undefined;
    }
  | { readonly network: Network; readonly check: FiledCheck; readonly errors?: undefined }
  | { readonly errors: readonly string[] };

/**
 * Parses a query and resolves names by the files of the workspace only: names of a single user would mean
 * nothing to others. The query runs on a network of its own chain, or on the active one if it has none.
 */
export async function resolveDocumentQuery(
  text: string,
  deps: DocumentQueryDeps,
): Promise<DocumentQueryResult> {
  const { session, contracts } = deps;
  const { l10n } = vscode;
  const query = parseCellQuery(text);
  if ('errors' in query) return query;
  const { chainId } = query;
  if (chainId !== undefined && !findChainNetwork(deps, chainId)) {
    const id = String(chainId);
    return {
      errors: [
        l10n.t('No network with chain ID {0} is configured.', id),
        l10n.t(
          'Run the command “Add Network”, then run the query again. Chainside does not query another chain.',
        ),
      ],
    };
  }
  if (!(await session.choose())) return { errors: [l10n.t('No network is selected.')] };
  const network = chainId === undefined ? session.network : findChainNetwork(deps, chainId);
  if (!network) return { errors: [l10n.t('No network is selected.')] };
  if (!('query' in query)) return { network, check: query };
  const resolved = resolveQuery(query, createIndexKnowledge(await contracts.index(), network.chainId));
  if (!resolved.errors) return { network, form: resolved.form, groups: toGroupChoice(query.grouping) };
  return {
    errors: resolved.errors.map((error) => {
      const message = formatValidationError(error, l10n);
      const { field } = error.details;
      return field === undefined ? message : `${field}: ${message}`;
    }),
  };
}

function parseCellQuery(text: string): QueryDefinition | FiledCheck | { readonly errors: readonly string[] } {
  const { l10n } = vscode;
  if (text.length > MAX_QUERY_CHARS) return { errors: [l10n.t('The query is too long.')] };
  try {
    const json: unknown = JSON.parse(text);
    return isFiledCheckJson(json) ? parseFiledCheck(json) : parseQueryDefinition(json);
  } catch (error) {
    if (isAppError(error)) return { errors: [formatValidationError(error, l10n)] };
    const cause = error instanceof Error ? error.message : String(error);
    return { errors: [l10n.t('The query is not valid JSON. {0}', cause)] };
  }
}

/** The queries at the start of a document that is open as text, and what is wrong outside of them. */
export function readDocumentQueries(document: vscode.TextDocument): {
  readonly queries: readonly DocumentQuery[];
  readonly errors: readonly StrayVerdict[];
} {
  const text = getDocumentStart(document, MAX_SEARCHED_CHARS);
  try {
    return { queries: findDocumentQueries(text), errors: findStrayVerdicts(text) };
  } catch (error) {
    if (isAppError(error, 'badInput')) return { queries: [], errors: [{ line: 1, error }] };
    throw error;
  }
}

const MAX_SEARCHED_CHARS = 1024 * 1024;

const documentPlaceSchema = z.object({
  file: z.string().check(z.maxLength(8000)),
  line: z.int().check(z.minimum(1)),
});

type RunDeps = DocumentQueryDeps & SessionOperationsDeps;

/** Runs the query at a line of a document as it is in the editor, or shows why it cannot. */
export async function runDocumentQuery(
  argument: unknown,
  deps: RunDeps,
  run: (form: QueryForm, network: Network, groups: GroupChoice | undefined) => Promise<void>,
): Promise<void> {
  const place = documentPlaceSchema.safeParse(argument).data;
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place?.file);
  const query = document && readDocumentQueries(document).queries.find(({ line }) => line === place?.line);
  if (!query) return;
  const resolved = await resolveDocumentQuery(query.text, deps);
  if (resolved.errors) await showMessage('error', resolved.errors.join(' '));
  else if (resolved.check) {
    const { check: definition, network } = resolved;
    const { l10n } = vscode;
    const fallback =
      'read' in definition ? l10n.t('Read') : 'code' in definition ? l10n.t('Code') : l10n.t('State');
    const title = definition.title ?? query.title ?? fallback;
    await showFileCheck({ title, definition, network }, deps);
  } else await run(resolved.form, resolved.network, resolved.groups);
}

import * as vscode from 'vscode';
import {
  AppError,
  asAppError,
  badInput,
  decimal,
  isComplete,
  type JsonObject,
  type LogFilter,
  listReasons,
  MAX_HEX_DIGITS,
  MAX_RESULT_BYTES,
  type OpenQueryInput,
  openQueryInput,
  ownText,
  parseHexData,
  parseInput,
  type QueryForm,
  resolveEvents,
  safeUrl,
  splitList,
  toAgentError,
  toChecksumAddress,
  toCompletion,
  untrustedText,
  userText,
  type Verdict,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import {
  createSessionOperations,
  type SessionOperations,
  type SessionOperationsDeps,
} from '../../host/sessionOperations.ts';
import type { ToolConfirmation } from '../../host/ui/agents.ts';
import type { MarkdownLines } from '../../host/ui/markdown.ts';

export interface OpenQueryDeps extends SessionOperationsDeps {
  /** Opens a panel with a form, and runs the query if `run`. */
  readonly openPanel: (form: QueryForm, options: { readonly run: boolean }) => Promise<OpenedQuery>;
}

/** The result of a query that was opened in a panel. */
interface OpenedQuery {
  readonly verdict: Verdict | undefined;
  readonly rows: number;
  readonly error: unknown;
}

/** The confirmation before the tool runs: everything that it would send, and to whom. */
export async function prepareOpenQuery(input: unknown, deps: OpenQueryDeps): Promise<ToolConfirmation> {
  const { l10n } = vscode;
  const { network, isChosen } = deps.session;
  const query = parseInput(openQueryInput, input);
  if (query.what === 'selection') {
    return {
      invocationMessage: l10n.t('Decoding the selection'),
      title: l10n.t('Decode the hex at the cursor?'),
      lines: [[l10n.t('The agent receives the meaning of the selected hex.')]],
    };
  }
  if (query.what === 'openFile') {
    return {
      invocationMessage: l10n.t('Looking up the contracts of the open file'),
      title: l10n.t('Share the contracts of the open file with the agent?'),
      lines: [
        [
          l10n.t('The agent receives names, events and deployments.'),
          l10n.t('Chainside requests what is at an address from {0}.', safeUrl(network.rpcUrl)),
        ],
      ],
    };
  }
  if (!isChosen) throw createNotChosenError();
  const { filter, form } = await resolveQuery(query, createSessionOperations(deps), deps);
  const host = new URL(network.rpcUrl).host;
  return {
    invocationMessage: l10n.t('Opening a log query'),
    title: query.run
      ? l10n.t('Read event logs from {0} ({1})?', network.name, host)
      : l10n.t('Open a log query for {0} ({1})?', network.name, host),
    lines: [
      ...describeQuery(form, filter),
      ...(query.run
        ? [
            [
              l10n.t(
                'About 3 requests for the first page of up to 1,000 rows. You can load more in the panel.',
              ),
            ],
          ]
        : []),
    ],
  };
}

/**
 * Opens a query in a panel, decodes the selection, or describes the contracts of the open file. Reports the number of
 * rows and the verdict, never the rows' content: that is for the user.
 *
 * @throws AppError `badInput` for an invalid query, `notChosen`.
 */
export async function runOpenQuery(
  input: unknown,
  deps: OpenQueryDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<unknown> {
  const query = parseInput(openQueryInput, input);
  const operations = createSessionOperations(deps);
  if (query.what === 'selection') {
    return operations.run('decode_data', { hex: getActiveHex() }, { signal });
  }
  if (query.what === 'openFile') return describeOpenFile(operations, deps, signal);
  if (!deps.session.isChosen) throw createNotChosenError();
  const { form } = await resolveQuery(query, operations, deps);
  return toOutcomeJson(await deps.openPanel(form, { run: query.run }), query.run, deps);
}

/** Contracts of a file to describe. */
const MAX_CONTRACTS = 3;
/** More are left out. */
const MAX_NAMES = 20;
/** As many as a call may have. */
const MAX_VALUES = 50;

async function describeOpenFile(
  operations: SessionOperations,
  { contracts }: OpenQueryDeps,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { file, names } = await findActiveContracts(contracts);
  const descriptions = [];
  for (const contract of names.slice(0, MAX_CONTRACTS)) {
    descriptions.push(await operations.run('resolve_contract', { contract }, { signal }));
  }
  const result = {
    file: untrustedText(file),
    contracts: names.slice(0, MAX_NAMES).map((name) => untrustedText(name)),
    ...(names.length > MAX_CONTRACTS && { truncated: true }),
    answers: descriptions,
  };
  // Each description by itself is short enough.
  const isLong = () => JSON.stringify(result).length > MAX_RESULT_BYTES;
  if (!isLong()) return result;
  while (isLong() && descriptions.length > 1) descriptions.pop();
  return { ...result, truncated: true };
}

/** The hex that is selected, or at the cursor. @throws AppError `badInput` if there is none. */
function getActiveHex(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw badInput('what', 'No file is open in an editor: use decode_data with the hex itself.');
  const { document, selection } = editor;
  const selected = document
    .getText(selection)
    .slice(0, MAX_HEX_DIGITS + 2)
    .trim();
  const digits = selected.replace(/^0x/i, '');
  const found =
    (digits === '' ? undefined : parseHexData(`0x${digits}`)) ??
    findHexAt(document.lineAt(selection.active.line).text, selection.active.character)?.hex;
  if (found === undefined) {
    throw badInput('what', 'There is no hex in the selection or at the cursor. Ask the user to select it.');
  }
  return found;
}

/** The contracts that the open file declares. @throws AppError `badInput` if there are none. */
async function findActiveContracts(
  contracts: WorkspaceContracts,
): Promise<{ readonly file: string; readonly names: readonly string[] }> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) throw badInput('what', 'No file is open in an editor: use resolve_contract with a name.');
  const index = await contracts.index();
  const path = contracts.pathOf(document.uri);
  const declared = index.contracts.filter(({ source }) => source !== undefined && source === path);
  if (path === undefined || declared.length === 0) {
    throw badInput(
      'what',
      'The open file declares no contract that the workspace knows. Ask the user to open the source of one.',
    );
  }
  return { file: path, names: declared.map(({ name }) => name) };
}

async function resolveQuery(
  query: OpenQueryInput,
  operations: SessionOperations,
  { session }: OpenQueryDeps,
) {
  const { connection } = session;
  const knowledge = await operations.depsOf(connection).knowledge({ signal: connection.signal });
  return resolveEvents(query, knowledge, connection.network.chainId);
}

/**
 * All that a query sends, a line for each part of it.
 *
 * @example describeQuery({ ...emptyForm, args: { to: '0x12' } }, filter)
 */
export function describeQuery(
  { event, args }: QueryForm,
  { addresses, fromBlock, toBlock }: Pick<LogFilter, 'addresses' | 'fromBlock' | 'toBlock'>,
): MarkdownLines {
  const { l10n } = vscode;
  const values = Object.entries(args).filter(([, value]) => value.trim() !== '');
  return [
    [l10n.t('Event:'), event.trim() === '' ? l10n.t('any') : { code: event }],
    [l10n.t('Contract:'), ...listPieces(addresses.map(toChecksumAddress))],
    ...values.map(([name, value]) => [{ code: name }, '=', ...listPieces(splitList(value))]),
    [l10n.t('Blocks: {0} to {1}', String(fromBlock), String(toBlock))],
  ];
}

function listPieces(texts: readonly string[]): MarkdownLines[number] {
  const { l10n } = vscode;
  if (texts.length === 0) return [l10n.t('any')];
  const shown = texts.slice(0, MAX_VALUES).map((code) => ({ code }));
  return texts.length > MAX_VALUES ? [...shown, l10n.t('and {0} more', texts.length - MAX_VALUES)] : shown;
}

function toOutcomeJson(
  { verdict, rows, error }: OpenedQuery,
  run: boolean,
  { session }: OpenQueryDeps,
): JsonObject {
  const { network } = session;
  const failure = error === undefined ? undefined : toAgentError(asAppError(error));
  return {
    opened: true,
    ...toCompletion(failure !== undefined || !verdict ? 'unknown' : isComplete(verdict), [
      ...(failure === undefined ? [] : [failure.message]),
      ...(verdict ? listReasons(verdict) : []),
      ...(verdict?.state === 'more'
        ? [ownText`only the first page is read: the user can load all in the panel`]
        : []),
      ...(run ? [] : [ownText`the form is filled in, but the query has not run`]),
    ]),
    ...failure?.serverText,
    network: { chainId: network.chainId, name: userText(network.name, 64) },
    head: verdict ? decimal(verdict.head) : null,
    source: { rpc: userText(safeUrl(network.rpcUrl)) },
    rowsRead: rows,
    ...(verdict && { range: { from: decimal(verdict.fromBlock), to: decimal(verdict.toBlock) } }),
    note: ownText`The rows are in the panel, for the user. Use query_events to get a count or rows yourself.`,
  };
}

/** A model gets the message of an error as text: in it, what others wrote is data, as in a result. */
export function throwToModel(cause: unknown): never {
  const error = asAppError(cause);
  if (error.kind === 'aborted') throw error;
  const { message, serverText } = toAgentError(error);
  const { names = [] } = error.details;
  const data = {
    ...serverText,
    ...(names.length > 0 && { names: names.slice(0, MAX_NAMES).map((name) => untrustedText(name)) }),
  };
  throw new Error(Object.keys(data).length === 0 ? message : `${message} ${JSON.stringify(data)}`, { cause });
}

function createNotChosenError(): AppError {
  return new AppError(
    'notChosen',
    'No network is chosen. Ask the user to run the command Chainside: Select Network.',
  );
}

import * as vscode from 'vscode';
import { type Network, sanitizeText } from '../../../core/index.ts';
import { registerCommand } from '../../../host/commands.ts';
import { showError } from '../../../host/errors.ts';
import { findFocusedRow } from '../../../host/rowArguments.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import {
  openQuickPick,
  type Picked,
  type QuickPickChoice,
  showInputBox,
  showMessage,
  showModal,
} from '../../../host/ui/dialogs.ts';
import type { CommandId } from '../../../manifest.ts';
import type { LogPanels, LogsPanel } from '../panel/logsPanel.ts';
import { toNetworkQuery } from '../panel/panelRuns.ts';
import type { LogsDeps } from '../panel/panelServices.ts';
import { getQueryKey, MAX_QUERY_NAME_CHARS, MAX_SAVED_QUERIES, type NetworkQuery } from './queryHistory.ts';
import type { QueryStore, StoredQuery } from './queryStore.ts';
import {
  formatContentTitle,
  formatQueryDescription,
  formatQueryLines,
  getQueryForm,
  getQueryNodeId,
  getQueryTitle,
  type QueriesNode,
  type QueryRowContext,
  QueryTree,
} from './queryTree.ts';

interface QueriesView extends vscode.Disposable {
  readonly tree: QueryTree;
}

/** Opens the content and commands of the Queries view. */
export function openQueries(
  deps: LogsDeps & {
    readonly queries: QueryStore;
    readonly panels: LogPanels;
    readonly view: vscode.TreeView<QueriesNode>;
  },
): QueriesView {
  const tree = new QueryTree(deps);
  const commands = registerQueryCommands({ ...deps, tree });
  return { tree, dispose: () => vscode.Disposable.from(commands, tree).dispose() };
}

interface QueryCommandDeps extends ChainDeps {
  readonly queries: QueryStore;
  readonly tree: QueryTree;
  readonly panels: LogPanels;
  readonly view: Pick<vscode.TreeView<QueriesNode>, 'selection'>;
  readonly log: vscode.LogOutputChannel;
}

/** Commands on stored queries: by tree item, by id, or by the selected item for a key binding. */
function registerQueryCommands(deps: QueryCommandDeps): vscode.Disposable {
  const { queries, tree, panels, view } = deps;

  function command(id: CommandId, run: (argument: unknown) => unknown): vscode.Disposable {
    return registerCommand(id, async (argument) => {
      try {
        await run(argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    });
  }
  const rowCommand = (id: CommandId, run: (query: StoredQuery) => unknown) =>
    command(id, async (argument) => {
      const query = tree.findQuery(argument ?? (await findFocusedRow(view, getQueryNodeId)));
      return query && run(query);
    });

  /** A saved query that ran stays in the recent ones; otherwise it is lost, so ask. */
  const remove = async (query: StoredQuery) => {
    const { l10n } = vscode;
    const button = l10n.t('Remove');
    const message = l10n.t('Remove {0}?', query.name ?? '');
    const detail = l10n.t('The query has not run in this workspace, so it does not stay under Recent.');
    const isLost = query.name !== undefined && !query.last;
    if (!isLost || (await showModal(message, detail, button)) === button) await queries.remove(query.id);
  };

  async function choose(): Promise<void> {
    const picked = await pickQuery(queries, await tree.createContext());
    const query = picked?.choice.query;
    if (!query) return;
    if (picked.button === queryButtons.remove) {
      await remove(query);
      await choose();
    } else await openQuery(query, deps, { run: picked.button !== queryButtons.edit });
  }

  return vscode.Disposable.from(
    command('chainside.openQuery', async (argument) => {
      const query = tree.findQuery(argument);
      await (query ? openQuery(query, deps, { run: true }) : choose());
    }),
    rowCommand('chainside.editQuery', (query) => openQuery(query, deps, { run: false })),
    rowCommand('chainside.duplicateQuery', (query) => openQuery(query, deps, { run: true, newPanel: true })),
    command('chainside.saveQuery', async (argument) => {
      const query = tree.findQuery(argument);
      const { active } = panels;
      if (query) await saveQuery(query, getQueryTitle(query, await tree.createContext()), deps);
      else if (active) await saveQuery(toNetworkQuery(active.query), active.title, deps);
    }),
    rowCommand('chainside.renameQuery', (query) => query.name && saveQuery(query, query.name, deps)),
    rowCommand('chainside.removeQuery', remove),
    command('chainside.clearRecentQueries', async () => {
      const { l10n } = vscode;
      const { length } = queries.recent;
      const clear = l10n.t('Clear');
      const detail = l10n.t('Saved queries are kept.');
      const message =
        length === 1 ? l10n.t('Clear 1 recent query?') : l10n.t('Clear {0} recent queries?', length);
      if (length > 0 && (await showModal(message, detail, clear)) === clear) queries.clearRecent();
    }),
  );
}

interface OpenDeps extends ChainDeps {
  readonly panels: LogPanels;
}

interface OpenOptions {
  readonly run: boolean;
  /** Open another panel even if one shows the query already. */
  readonly newPanel?: boolean;
}

/**
 * Opens a query on its own network, in the panel that shows it if there is one. Undefined if that network
 * left the settings, after a message about it.
 */
async function openQuery(
  query: StoredQuery,
  deps: OpenDeps,
  { run, newPanel = false }: OpenOptions,
): Promise<LogsPanel | undefined> {
  const network = findQueryNetwork(query, deps);
  if (!network) return showNetworkGone(query, deps);
  const form = getQueryForm(query);
  const shown = newPanel
    ? undefined
    : deps.panels.find((panel) => getQueryKey(toNetworkQuery(panel.query)) === getQueryKey(query));
  shown?.panel.reveal();
  const panel = shown ?? (await deps.panels.open({ form }));
  if (!shown && network.id !== deps.session.network.id) panel.useNetwork(network);
  if (run) panel.run(form);
  return panel;
}

/** The network that the query ran on, if it still has the same chain. */
function findQueryNetwork({ network, question }: StoredQuery, { settings }: ChainDeps): Network | undefined {
  return settings.current.networks.find(
    ({ id, chainId }) => id === network.id && chainId === question.chainId,
  );
}

async function showNetworkGone(query: StoredQuery, { panels }: OpenDeps): Promise<undefined> {
  const { l10n } = vscode;
  const { network, question } = query;
  const open = l10n.t('Open Without Running');
  const message = l10n.t(
    '{0} (chain ID {1}) is no longer in your settings. Chainside cannot run its queries.',
    network.name,
    String(question.chainId),
  );
  if ((await showMessage('warning', message, open)) === open)
    await panels.open({ form: getQueryForm(query) });
  return undefined;
}

interface QueryChoice extends QuickPickChoice {
  readonly query?: StoredQuery;
}

/** Codicons of the buttons on an item. */
const queryButtons = { edit: 'edit', remove: 'trash' } as const;

/** Lets the user pick a query. Names, addresses, events and networks are searched. */
async function pickQuery(
  queries: QueryStore,
  context: QueryRowContext,
): Promise<Picked<QueryChoice> | undefined> {
  const { l10n } = vscode;
  await queries.ready;
  const { saved, recent } = queries;
  const group = (label: string, list: readonly StoredQuery[]): readonly QueryChoice[] =>
    list.length === 0
      ? []
      : [
          { label, kind: vscode.QuickPickItemKind.Separator },
          ...list.map((query) => toQueryChoice(query, context)),
        ];
  const choices = [...group(l10n.t('Saved'), saved), ...group(l10n.t('Recent'), recent)];
  const none: QueryChoice = {
    label: l10n.t('No queries yet'),
    description: l10n.t('Run one with Query Logs…'),
    isInformation: true,
  };
  const picked = await openQuickPick<QueryChoice>(
    { title: l10n.t('Open Query'), placeHolder: l10n.t('Choose a query to run') },
    choices.length === 0 ? [none] : choices,
  );
  return picked === 'back' ? undefined : picked;
}

function toQueryChoice(query: StoredQuery, context: QueryRowContext): QueryChoice {
  const { l10n, names } = context;
  const contentTitle = query.name === undefined ? [] : [formatContentTitle(query, names, l10n)];
  return {
    label: getQueryTitle(query, context),
    description: formatQueryDescription(query, context),
    detail: [...contentTitle, ...formatQueryLines(query, l10n), query.network.name].join(' · '),
    query,
    buttons: [
      { icon: queryButtons.edit, tooltip: l10n.t('Open Without Running') },
      { icon: queryButtons.remove, tooltip: l10n.t('Remove') },
    ],
  };
}

async function saveQuery(
  query: NetworkQuery,
  title: string,
  { queries }: Pick<QueryCommandDeps, 'queries'>,
): Promise<void> {
  const { l10n } = vscode;
  const currentName = queries.find(query)?.name;
  const name = await showInputBox({
    title: currentName === undefined ? l10n.t('Save Query') : l10n.t('Rename Query'),
    prompt: l10n.t('Name of the query in the Queries view of every window'),
    value: currentName ?? title,
    validateInput: (text) =>
      sanitizeText(text, MAX_QUERY_NAME_CHARS + 1).trim() === ''
        ? l10n.t('Enter a name.')
        : text.length > MAX_QUERY_NAME_CHARS
          ? l10n.t('Enter at most {0} characters.', MAX_QUERY_NAME_CHARS)
          : undefined,
  });
  if (name === undefined || sanitizeText(name, MAX_QUERY_NAME_CHARS).trim() === '') return;
  const outcome = await queries.save(query, name);
  if (outcome === 'saved') return;
  const maxSaved = MAX_SAVED_QUERIES.toLocaleString(vscode.env.language);
  const message =
    outcome === 'tooMany'
      ? l10n.t('You already have {0} saved queries, which is the limit. Remove one first.', maxSaved)
      : l10n.t('Chainside cannot save this query because it has an error. Run it to see the error.');
  void showMessage('warning', message);
}

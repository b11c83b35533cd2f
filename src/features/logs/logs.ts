import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  emptyForm,
  type Network,
  parseQueryArguments,
  type QueryForm,
  toChecksumAddress,
} from '../../core/index.ts';
import { lazyPart, registerCommand, runCommand } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { isTreeRow } from '../../host/rowArguments.ts';
import { confirmNetworkSwitch, findChainNetwork, showNoNetworkMessage } from '../../host/session/chains.ts';
import { openWithEditor } from '../../host/ui/notebooks.ts';
import { Panels } from '../../host/ui/panels.ts';
import { openReadOnlyDocuments } from '../../host/ui/readOnlyDocuments.ts';
import { logsPanelType, notebookType } from '../../manifest.ts';
import { type RowsFormat, selectionSchema } from '../../messaging/rowSelection.ts';
import { FollowNotices } from './panel/followNotices.ts';
import type { LogsPanel, PanelOptions, QueryOutcome } from './panel/logsPanel.ts';
import { type LogsDeps, TabTitles } from './panel/panelServices.ts';
import { formatPanelTitle } from './panel/queryTitle.ts';
import { columnIdSchema } from './protocol/grid.ts';
import { type GroupChoice, groupCellPlaceSchema, toGroupChoice } from './protocol/groups.ts';
import { logsViewStateSchema } from './protocol/protocol.ts';
import { openQueries } from './queries/queryCommands.ts';
import { QueryStore } from './queries/queryStore.ts';
import type { QueriesNode, QueryTree } from './queries/queryTree.ts';

/** Arguments of the grid's context menu commands, from the cell's `data-vscode-context`. */
const cellContext = z.extend(selectionSchema, {
  resultId: z.string(),
  log: z.int().check(z.minimum(0)),
  column: columnIdSchema,
});

/** The same arguments of the table of groups. */
const groupContext = z.extend(groupCellPlaceSchema, selectionSchema.shape);

const copiedContext = z.union([cellContext, groupContext]);
type CopiedCell = z.infer<typeof copiedContext>;

/** Copies selected rows or groups, or those of the cell. */
function copyAt({ rows, groups }: LogsPanel, cell: CopiedCell, format: RowsFormat): Promise<void> {
  return 'log' in cell ? rows.copyRowsAt(cell, format) : groups.copyGroupsAt(cell, format);
}

export interface Logs extends vscode.Disposable {
  readonly queries: QueryTree;
  /** Restores a panel from an earlier window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** From now on, queries in notebook cells can run. */
  openKernel(): Promise<void>;
  /** Resolves to the outcome once a query has run. */
  open(form: QueryForm, options: { readonly run: boolean }): Promise<QueryOutcome>;
  settled(): Promise<void>;
}

/** Opens the log panels and registers their commands. */
export function openLogs(deps: LogsDeps & { readonly view: vscode.TreeView<QueriesNode> }): Logs {
  const titles = new TabTitles();
  const notices = new FollowNotices();
  const differences = openReadOnlyDocuments('chainside-difference');
  const queries = new QueryStore(deps);
  const panels = new Panels<LogsPanel, PanelOptions>({
    viewType: logsPanelType,
    title: () => formatPanelTitle(undefined, vscode.l10n),
    async fill(panel, { form }) {
      const loaded = [import('./panel/logsPanel.ts'), deps.meaning(), deps.names()] as const;
      const [{ LogsPanel }, meaning, names] = await Promise.all(loaded);
      return new LogsPanel(panel, { ...deps, meaning, names, titles, notices, differences, queries }, form);
    },
    restore(state) {
      const stored = logsViewStateSchema.safeParse(state).data;
      return { asked: { form: stored?.form ?? emptyForm }, begin: (panel) => panel.restore(stored) };
    },
    shows: (panel, { form, reuse = false }) => reuse && panel.has(form),
    contextKeys: {
      'chainside.logs.running': ({ results }) => results.loading !== undefined,
      'chainside.logs.folded': (panel) => panel.isFolded,
      'chainside.logs.more': ({ results }) => results.hasMore,
      'chainside.logs.followable': ({ follow }) => follow.isOffered,
      'chainside.logs.asked': ({ hasQuery }) => hasQuery,
      'chainside.logs.exportable': ({ actions }) => actions.exportable !== undefined,
    },
  });

  async function runInPanel(form: QueryForm, network: Network, groups?: GroupChoice): Promise<void> {
    const panel = await panels.open({ form });
    panel.useNetwork(network);
    if (groups) panel.groups.choose(groups);
    panel.run(form);
  }

  const disposables = new Disposables();
  const openKernel = lazyPart(async () => {
    const { openChainKernel } = await import('./notebook/kernel.ts');
    const loadServices = async () => {
      const [meaning, names] = await Promise.all([deps.meaning(), deps.names()]);
      return { ...deps, meaning, names, notices, differences, queries, runInPanel };
    };
    disposables.add(openChainKernel({ ...deps, loadServices }));
  });

  const queriesView = openQueries({ ...deps, queries, panels });
  const registered = vscode.Disposable.from(
    disposables,
    // Panels first: they record the end of their runs while they close.
    panels,
    queriesView,
    queries,
    differences,
    notices,
    panels.command('chainside.followLogs', ({ follow }) => follow.toggle()),
    panels.command('chainside.notifyOfLogs', ({ follow }) => follow.chooseNotice()),
    registerCommand('chainside.showNewLogs', () => notices.reveal()),
    registerCommand('chainside.queryLogs', async (argument) => {
      const opening = parseQueryArguments(isTreeRow(argument) ? undefined : argument);
      const { form, run, chainId, reuse, grouping } = opening;
      const network = chainId === undefined ? undefined : findChainNetwork(deps, chainId);
      if (chainId !== undefined && !network) return showNoNetworkMessage(chainId);
      const panel = await panels.open({ form, reuse });
      if (network) panel.useNetwork(network);
      if (grouping || reuse) panel.groups.choose(toGroupChoice(grouping));
      if (run) panel.run(form);
    }),
    registerCommand('chainside.openAsNotebook', (file) => openWithEditor(notebookType, file)),
    registerCommand('chainside.runDocumentQuestion', async (place) => {
      const { runDocumentQuery } = await import('./notebook/documentQuery.ts');
      await runDocumentQuery(place, deps, runInPanel);
    }),
    registerCommand('chainside.openAsText', (file) => openWithEditor('default', file)),
    panels.command('chainside.logs.run', (panel) => panel.runTyped()),
    panels.command('chainside.loadNextPage', ({ results }) => results.nextPage()),
    panels.command('chainside.loadAll', ({ results }) => results.loadAll()),
    panels.command('chainside.copyQueryAs', (panel) => panel.actions.copyQueryAs()),
    panels.command('chainside.exportLogs', (panel) => panel.actions.exportLogs()),
    panels.command('chainside.saveQueryAsFile', (panel) => panel.actions.saveAsFile()),
    panels.command('chainside.secondOpinion', (panel) => panel.secondOpinion()),
    panels.command('chainside.proveResult', (panel) => panel.proveResult()),
    panels.command('chainside.cancel', ({ results }) => results.cancel()),
    panels.cellCommand('chainside.logs.copyCell', copiedContext, ({ rows, groups }, cell) =>
      'log' in cell ? rows.copyCell(cell) : groups.copyCell(cell),
    ),
    panels.cellCommand('chainside.logs.copyLog', copiedContext, (panel, cell) => copyAt(panel, cell, 'json')),
    panels.cellCommand('chainside.logs.copyAsMarkdown', copiedContext, (panel, cell) =>
      copyAt(panel, cell, 'markdown'),
    ),
    panels.cellCommand('chainside.logs.copyAsCsv', copiedContext, (panel, cell) =>
      copyAt(panel, cell, 'csv'),
    ),
    panels.cellCommand('chainside.logs.copyRowsAs', cellContext, ({ rows }, cell) => rows.copyRowsAs(cell)),
    panels.command('chainside.logs.filterByCell', (panel) => panel.filterByCell()),
    panels.command('chainside.logs.filterByTransaction', (panel) => panel.filterByTransaction()),
    panels.cellCommand('chainside.logs.goToEvent', cellContext, (panel, cell) =>
      panel.actions.openDeclaration(cell),
    ),
    panels.cellCommand('chainside.logs.lookUpAddress', cellContext, async ({ rows, results }, cell) => {
      const address = rows.findAddress(cell);
      const { network = deps.session.network } = results;
      if (!address || !(await confirmNetworkSwitch(deps, network))) return;
      await runCommand('chainside.lookUpAddress', toChecksumAddress(address));
    }),
    ...(['labelAddress', 'useAsDeployment'] as const).map((action) =>
      panels.cellCommand(`chainside.logs.${action}`, cellContext, async ({ rows, results }, cell) => {
        const address = rows.findAddress(cell);
        const { chainId } = results.network ?? deps.session.network;
        if (address)
          await runCommand(`chainside.${action}`, { account: toChecksumAddress(address), chainId });
      }),
    ),
    panels.cellCommand('chainside.logs.setUnit', cellContext, async ({ rows }, cell) =>
      runCommand('chainside.setUnit', rows.findUnitTarget(cell)),
    ),
    panels.cellCommand('chainside.logs.queryAddress', cellContext, async ({ rows, results }, cell) => {
      const address = rows.findAddress(cell);
      if (!address) return;
      const { form } = parseQueryArguments({ address: toChecksumAddress(address) });
      const { network = deps.session.network } = results;
      await runInPanel(form, network);
    }),
    panels.cellCommand('chainside.logs.showTransaction', cellContext, (panel, cell) =>
      panel.actions.showTransaction(cell),
    ),
    panels.cellCommand('chainside.logs.openVerifiedSource', cellContext, async ({ rows, results }, cell) => {
      const address = rows.findAddress(cell) ?? rows.decodeRow(cell)?.log.address;
      const { chainId } = results.network ?? deps.session.network;
      if (address)
        await runCommand('chainside.openVerifiedSource', { account: toChecksumAddress(address), chainId });
    }),
    panels.cellCommand('chainside.logs.openTransaction', cellContext, ({ rows }, cell) =>
      rows.openInExplorer({ ...cell, page: 'transaction' }),
    ),
    panels.cellCommand('chainside.logs.openAddress', cellContext, ({ rows }, cell) => rows.openAddress(cell)),
  );
  return {
    openKernel,
    queries: queriesView.tree,
    restore: (panel, state) => panels.restore(panel, state),
    async open(form, { run }) {
      const panel = await panels.open({ form });
      if (run) panel.run(form);
      return panel.outcome();
    },
    settled: () => queries.settled(),
    dispose: () => registered.dispose(),
  };
}

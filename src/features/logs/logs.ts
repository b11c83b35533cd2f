import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { emptyForm, type QueryForm, toChecksumAddress } from '../../core/index.ts';
import { registerCommand, runCommand } from '../../host/commands/commands.ts';
import { isRowOfView } from '../../host/commands/rowArguments.ts';
import { Panels } from '../../host/panels/panels.ts';
import { agreesToNetwork, networkOfChain, tellNoNetwork } from '../../host/session/chains.ts';
import { openReadOnlyText } from '../../host/surface/readOnlyText.ts';
import type { LogsDeps } from './panel/deps.ts';
import type { LogsPanel } from './panel/logsPanel.ts';
import { TabTitles } from './panel/tabTitles.ts';
import { columnId } from './protocol/columns.ts';
import { readQueryLogsArguments } from './protocol/commandArguments.ts';
import { panelType } from './protocol/panelType.ts';
import { selecting } from './protocol/selectedRows.ts';
import { viewStateSchema } from './protocol/viewState.ts';
import { panelTitle } from './words/panelTitle.ts';

/** What the context menu of a row hands to its commands, from the `data-vscode-context` of the cell. */
const cellContext = z.extend(selecting, {
  answer: z.string(),
  log: z.int().check(z.minimum(0)),
  column: columnId,
});

/** What a panel is opened with. */
interface AskedPanel {
  readonly form: QueryForm;
  /** A panel that has this form is taken. */
  readonly reuse?: boolean;
}

interface Logs extends vscode.Disposable {
  /** Fills a panel that an earlier window has left. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** The log panels; says what their commands do. */
export function openLogs(deps: LogsDeps): Logs {
  const titles = new TabTitles();
  const differences = openReadOnlyText('chainside-difference', 'Second Opinion');
  const panels = new Panels<LogsPanel, AskedPanel>({
    viewType: panelType,
    title: () => panelTitle(undefined, vscode.l10n),
    async fill(panel, { form }) {
      const loaded = [import('./panel/logsPanel.ts'), deps.meaning(), deps.names()] as const;
      const [{ LogsPanel }, meaning, names] = await Promise.all(loaded);
      return new LogsPanel(panel, { ...deps, meaning, names, titles, differences }, form);
    },
    restore(state) {
      const kept = viewStateSchema.safeParse(state).data;
      return { asked: { form: kept?.form ?? emptyForm }, begin: (panel) => panel.restore(kept) };
    },
    isAbout: (panel, { form, reuse = false }) => reuse && panel.has(form),
    contextKeys: {
      'chainside.logs.running': ({ results }) => results.loading !== undefined,
      'chainside.logs.folded': (panel) => panel.isFolded,
      'chainside.logs.more': ({ results }) => results.more,
      'chainside.logs.exportable': ({ exportable }) => exportable !== undefined,
    },
  });

  const registered = vscode.Disposable.from(
    panels,
    differences,
    registerCommand('chainside.queryLogs', async (argument) => {
      const { form, run, chainId, reuse } = readQueryLogsArguments(
        isRowOfView(argument) ? undefined : argument,
      );
      const network = chainId === undefined ? undefined : networkOfChain(deps, chainId);
      if (chainId !== undefined && !network) return tellNoNetwork(chainId);
      const panel = await panels.open({ form, reuse });
      if (network) panel.ask(network);
      if (run) panel.run(form);
    }),
    panels.command('chainside.logs.run', (panel) => panel.runTyped()),
    panels.command('chainside.loadNextPage', ({ results }) => results.nextPage()),
    panels.command('chainside.loadAll', ({ results }) => results.loadAll()),
    panels.command('chainside.exportLogs', (panel) => panel.exportLogs()),
    panels.command('chainside.saveQueryAsFile', (panel) => panel.saveAsFile()),
    panels.command('chainside.secondOpinion', (panel) => panel.secondOpinion()),
    panels.command('chainside.cancel', ({ results }) => results.cancel()),
    panels.cellCommand('chainside.logs.copyCell', cellContext, ({ rows }, cell) => rows.copyCell(cell)),
    panels.cellCommand('chainside.logs.copyLog', cellContext, ({ rows }, cell) =>
      rows.copyRowsAt(cell, 'json'),
    ),
    panels.cellCommand('chainside.logs.copyAsMarkdown', cellContext, ({ rows }, cell) =>
      rows.copyRowsAt(cell, 'markdown'),
    ),
    panels.cellCommand('chainside.logs.copyAsCsv', cellContext, ({ rows }, cell) =>
      rows.copyRowsAt(cell, 'csv'),
    ),
    panels.command('chainside.logs.filterByCell', (panel) => panel.filterByCell()),
    panels.command('chainside.logs.filterByTransaction', (panel) => panel.filterByTransaction()),
    panels.cellCommand('chainside.logs.goToEvent', cellContext, (panel, cell) => panel.openDeclaration(cell)),
    panels.cellCommand('chainside.logs.lookUpAddress', cellContext, async ({ rows, results }, cell) => {
      const address = rows.addressIn(cell);
      const { network = deps.session.network } = results;
      if (!address || !(await agreesToNetwork(deps, network))) return;
      await runCommand('chainside.lookUpAddress', toChecksumAddress(address));
    }),
    panels.cellCommand('chainside.logs.labelAddress', cellContext, async ({ rows, results }, cell) => {
      const address = rows.addressIn(cell);
      const { chainId } = results.network ?? deps.session.network;
      if (address)
        await runCommand('chainside.labelAddress', { account: toChecksumAddress(address), chainId });
    }),
    panels.cellCommand('chainside.logs.queryAddress', cellContext, async ({ rows, results }, cell) => {
      const address = rows.addressIn(cell);
      if (!address) return;
      const { form } = readQueryLogsArguments({ address: toChecksumAddress(address) });
      const { network } = results;
      const panel = await panels.open({ form });
      if (network) panel.ask(network);
      panel.run(form);
    }),
    panels.cellCommand('chainside.logs.showTransaction', cellContext, (panel, cell) =>
      panel.showTransaction(cell),
    ),
    panels.cellCommand('chainside.logs.openVerifiedSource', cellContext, async ({ rows, results }, cell) => {
      const address = rows.addressIn(cell) ?? rows.read(cell)?.log.address;
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
    restore: (panel, state) => panels.restore(panel, state),
    dispose: () => registered.dispose(),
  };
}

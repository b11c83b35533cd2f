import * as vscode from 'vscode';
import type { Network } from '../../../core/index.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import type { KeptQuery } from '../kept/keptQueries.ts';
import { networkQuestion } from '../kept/panelRuns.ts';
import { keyOf } from '../kept/recentQueries.ts';
import type { LogPanels } from '../panel/askedPanel.ts';
import type { LogsPanel } from '../panel/logsPanel.ts';
import { formOf } from './queryWords.ts';

interface OpenDeps extends ChainDeps {
  readonly panels: LogPanels;
}

interface OpenOptions {
  readonly run: boolean;
  /** In a panel of its own, also where another shows the same. */
  readonly fresh?: boolean;
}

/**
 * Opens a query on its own network, in the panel that shows it if there is one. Undefined, after saying so, where that
 * network is there no more.
 */
export async function openQuery(
  query: KeptQuery,
  deps: OpenDeps,
  { run, fresh = false }: OpenOptions,
): Promise<LogsPanel | undefined> {
  const network = networkOf(query, deps);
  if (!network) return sayGone(query, deps);
  const form = formOf(query);
  const shown = fresh
    ? undefined
    : deps.panels.find((panel) => keyOf(networkQuestion(panel.question)) === keyOf(query));
  shown?.panel.reveal();
  const panel = shown ?? (await deps.panels.open({ form }));
  if (!shown && network.id !== deps.session.network.id) panel.ask(network);
  if (run) panel.run(form);
  return panel;
}

/** The network that the query ran on, while it is one of the same chain. */
function networkOf({ network, question }: KeptQuery, { settings }: ChainDeps): Network | undefined {
  return settings.current.networks.find(
    ({ id, chainId }) => id === network.id && chainId === question.chainId,
  );
}

async function sayGone(query: KeptQuery, { panels }: OpenDeps): Promise<undefined> {
  const { l10n } = vscode;
  const { network, question } = query;
  const open = l10n.t('Open Without Running');
  const message = l10n.t(
    '{0} (chain {1}) is not in the settings any more. Its queries cannot be run.',
    network.name,
    String(question.chainId),
  );
  if ((await showMessage('warning', message, open)) === open) await panels.open({ form: formOf(query) });
  return undefined;
}

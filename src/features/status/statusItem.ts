import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { createContextKey } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { createStatusBarItem } from '../../host/ui/window.ts';
import {
  formatEndpointHealth,
  formatLatestBlockAt,
  type HeadStore,
  isEndpointUnusable,
} from './headStore.ts';

// A fast response must not make the icon flicker.
const SPINNER_AFTER_MS = 400;

/**
 * The network and the block number in the status bar. It makes no requests of its own: it counts as visible only once a
 * view, a hover or a command in this window has requested the head of a chain.
 */
export function createStatusItem(deps: {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly head: HeadStore;
  readonly clock: Clock;
}): vscode.Disposable {
  const { session, settings, head, clock } = deps;
  const disposables = new Disposables();
  const name = vscode.l10n.t('Chainside: Network and Latest Block');
  const item = disposables.add(createStatusBarItem('chainside.network', name, 'chainside.selectNetwork'));
  const setChosen = createContextKey('chainside.networkChosen');
  let wasRequested = false;
  let spinner: ReturnType<typeof setTimeout> | undefined;

  let formatFailure: typeof import('./endpointFailure.ts').formatEndpointFailure | undefined;

  async function loadFailureFormat(): Promise<void> {
    if (formatFailure) return;
    ({ formatEndpointFailure: formatFailure } = await import('./endpointFailure.ts'));
    drawText();
  }

  function draw(): void {
    const { state } = head;
    setChosen(session.isChosen);
    wasRequested ||=
      state.head !== undefined || state.error !== undefined || state.requestedElapsed !== undefined;
    head.setVisible('status', wasRequested && settings.current.statusBarEnabled);
    if (!settings.current.statusBarEnabled) {
      item.hide();
      return;
    }
    drawText();
    clearTimeout(spinner);
    if (state.requestedElapsed !== undefined) spinner = setTimeout(drawText, SPINNER_AFTER_MS);
    item.show();
  }

  function drawText(): void {
    const { network, isChosen } = session;
    const { state } = head;
    if (!isChosen) {
      const lines = [vscode.l10n.t('No network is chosen'), vscode.l10n.t('Click to choose a network.')];
      item.draw({ icon: 'globe', text: 'Chainside', tooltip: lines, spoken: lines.join(', '), warns: false });
      return;
    }
    if (state.error) void loadFailureFormat();
    const unusable = isEndpointUnusable(state);
    const slow =
      state.requestedElapsed !== undefined && clock.elapsed() - state.requestedElapsed >= SPINNER_AFTER_MS;
    const block = state.head && !unusable ? ` ${formatNumber(state.head.block)}` : '';
    const lines = [
      vscode.l10n.t('{0}, chain {1}', network.name, network.chainId),
      vscode.l10n.t('Latest block: {0}', formatLatestBlockAt(state)),
      state.error ? (formatFailure?.(state.error, network) ?? '') : formatEndpointHealth(state),
      vscode.l10n.t('Click to choose another network.'),
    ];
    item.draw({
      icon: slow ? 'sync~spin' : unusable ? 'warning' : 'pulse',
      text: `${network.name}${block}`,
      tooltip: lines,
      spoken: lines.slice(0, 3).join(', '),
      warns: unusable,
    });
  }

  disposables.add(head.onDidChange(draw));
  disposables.add(settings.onDidChange(draw));
  disposables.add({ dispose: () => clearTimeout(spinner) });
  draw();
  return disposables;
}

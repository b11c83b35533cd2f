import * as vscode from 'vscode';
import { type Clock, formatTimeOfDay, isAppError } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { formatNumber } from '../../host/numbers.ts';
import { getPollIntervalMs } from '../../host/pollInterval.ts';
import type { Connection, Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { createHeadPoller, type Head, type HeadPoller, type HeadState } from './headPoller.ts';

export interface HeadStoreDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

/** The head of the active network. Polls while the window is focused and something visible shows it. */
export class HeadStore implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #deps: HeadStoreDeps;
  readonly #visiblePlaces = new Set<string>();
  #poller: HeadPoller;
  #checked: Connection | undefined;
  #otherChain: number | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(deps: HeadStoreDeps) {
    this.#deps = deps;
    this.#poller = this.#createPoller();
    this.#disposables.add(deps.session.onDidChange(() => this.#reset()));
    this.#disposables.add(deps.settings.onDidChange(() => this.#poller.wake()));
    this.#disposables.add(vscode.window.onDidChangeWindowState(() => this.#updatePolling()));
  }

  get state(): HeadState {
    return this.#poller.state;
  }

  /** The chain ID that the endpoint reports, if it is not that of the network. */
  get otherChain(): number | undefined {
    return this.#otherChain;
  }

  /** Sets whether `place` currently shows the head. */
  setVisible(place: string, isVisible: boolean): void {
    if (isVisible) this.#visiblePlaces.add(place);
    else this.#visiblePlaces.delete(place);
    this.#updatePolling();
  }

  /**
   * The head, at most `maxAgeMs` old; by default as old as the polling interval.
   *
   * @throws AppError of the endpoint.
   */
  read(maxAgeMs = this.#intervalMs()): Promise<Head> {
    return this.#poller.read(maxAgeMs);
  }

  dispose(): void {
    this.#poller.dispose();
    this.#disposables.dispose();
  }

  #intervalMs(): number {
    const { session, settings } = this.#deps;
    return getPollIntervalMs(session.network.rpcUrl, settings.current.pollSeconds);
  }

  #createPoller(): HeadPoller {
    const { session, clock } = this.#deps;
    const { client, network } = session;
    return createHeadPoller({
      clock,
      fetchBlock: (options) => session.fetchLatestBlock(network, client, options),
      intervalMs: () => this.#intervalMs(),
      onChange: (state) => {
        this.#logFailure(state);
        if (state.head && this.#visiblePlaces.has('view')) void this.#checkChain();
        this.#changed.fire();
      },
    });
  }

  /** Once for each connection, when its endpoint first responds while the view is visible. */
  async #checkChain(): Promise<void> {
    const { connection } = this.#deps.session;
    if (this.#checked === connection) return;
    this.#checked = connection;
    const { client, network, signal } = connection;
    const chainId = await client.getChainId({ signal, retries: 0 }).catch(() => network.chainId);
    if (connection !== this.#deps.session.connection || chainId === this.#otherChain) return;
    this.#otherChain = chainId === network.chainId ? undefined : chainId;
    if (this.#otherChain !== undefined) this.#changed.fire();
  }

  #reset(): void {
    this.#otherChain = undefined;
    this.#poller.dispose();
    this.#poller = this.#createPoller();
    this.#changed.fire();
    this.#updatePolling();
  }

  #updatePolling(): void {
    const isNeeded = this.#deps.session.isChosen && this.#visiblePlaces.size > 0;
    if (isNeeded && vscode.window.state.focused) this.#poller.start();
    else this.#poller.stop();
  }

  /** Only the first of consecutive failures. */
  #logFailure({ error, failures, requestedElapsed }: HeadState): void {
    if (!error || failures !== 1 || requestedElapsed !== undefined || isAppError(error, 'aborted')) return;
    this.#deps.log.warn(formatErrorForLog(error));
  }
}

/** The latest block with the time of day, for text that is not redrawn each second. */
export function formatLatestBlockAt(state: HeadState): string {
  const { head } = state;
  if (!head) return formatNoBlock(state);
  return vscode.l10n.t('{0}, seen at {1}', formatNumber(head.block), formatTimeOfDay(head.firstSeenAt));
}

export function formatNoBlock({ error, requestedElapsed }: HeadState): string {
  if (error) {
    return isAppError(error, 'network', 'timeout')
      ? vscode.l10n.t('offline')
      : vscode.l10n.t('not available');
  }
  return requestedElapsed === undefined ? vscode.l10n.t('Not requested yet') : vscode.l10n.t('Loading…');
}

export function formatEndpointHealth({ head, requestedElapsed }: HeadState): string {
  if (head) return vscode.l10n.t('Responds in {0} ms', Math.round(head.latencyMs));
  return requestedElapsed === undefined ? vscode.l10n.t('Endpoint not tested') : vscode.l10n.t('Loading…');
}

/** Whether the endpoint does not work at the moment. A single failure after a success does not count. */
export function isEndpointUnusable({ head, error, failures }: HeadState): boolean {
  return error !== undefined && (head === undefined || failures > 1);
}

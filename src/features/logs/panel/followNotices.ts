import * as vscode from 'vscode';
import { isLoopbackUrl } from '../../../core/index.ts';
import { getPollIntervalMs } from '../../../host/pollInterval.ts';
import { isSameChain } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { showMessage } from '../../../host/ui/dialogs.ts';
import { createStatusBarItem } from '../../../host/ui/window.ts';
import type { FollowSchedule } from '../results/following.ts';

/** How the user is notified of new rows while the panel is hidden. */
export type FollowNotice = 'off' | 'count' | 'message';

interface NotedPanel {
  readonly title: string;
  reveal?(): void;
}

interface Unseen {
  readonly panel: NotedPanel;
  count: number;
}

/** Notifies of new rows in hidden panels: a count in the status bar and, if chosen, a message. */
export class FollowNotices implements vscode.Disposable {
  readonly #unseen = new Map<NotedPanel, Unseen>();
  #item: ReturnType<typeof createStatusBarItem> | undefined;

  /** Counts rows that came while the panel was hidden. The first of them show a message if chosen. */
  onNewRows(panel: NotedPanel, count: number, notice: FollowNotice): void {
    const unseen = this.#unseen.get(panel) ?? { panel, count: 0 };
    const isFirst = unseen.count === 0;
    unseen.count += count;
    this.#unseen.set(panel, unseen);
    this.#draw();
    if (isFirst && notice === 'message') void this.#showMessage(unseen);
  }

  /** The user looks at the panel, turned notices off, or closed it. */
  markSeen(panel: NotedPanel): void {
    if (this.#unseen.delete(panel)) this.#draw();
  }

  /** Shows a panel that has new rows. */
  reveal(): void {
    const [first] = this.#unseen.values();
    first?.panel.reveal?.();
  }

  dispose(): void {
    this.#item?.dispose();
    this.#unseen.clear();
  }

  async #showMessage({ panel, count }: Unseen): Promise<void> {
    const { l10n } = vscode;
    const show = l10n.t('Show');
    const message =
      count === 1
        ? l10n.t('1 new log in ‘{0}’', panel.title)
        : l10n.t('{0} new logs in ‘{1}’', count.toLocaleString(vscode.env.language), panel.title);
    if ((await showMessage('information', message, show)) === show && this.#unseen.has(panel))
      panel.reveal?.();
  }

  #draw(): void {
    const { l10n } = vscode;
    const all = [...this.#unseen.values()];
    const number = (value: number) => value.toLocaleString(vscode.env.language);
    const sum = all.reduce((total, { count }) => total + count, 0);
    if (sum === 0) {
      this.#item?.hide();
      return;
    }
    this.#item ??= createStatusBarItem(
      'chainside.newLogs',
      l10n.t('Chainside: New Logs'),
      'chainside.showNewLogs',
    );
    const text = sum === 1 ? l10n.t('1 new log') : l10n.t('{0} new logs', number(sum));
    const lines = all.map(({ panel, count }) => `${panel.title}: ${number(count)}`);
    this.#item.draw({
      icon: 'bell-dot',
      text,
      warns: false,
      tooltip: [...lines, l10n.t('Click to show the logs.')],
      spoken: [text, ...lines].join(', '),
    });
    this.#item.show();
  }
}

/** The newest block of the active network; `read` requests it if the last one is too old. */
export interface HeadReader {
  readonly state: { readonly head?: { readonly block: bigint } };
  read(maxAgeMs?: number): Promise<{ readonly block: bigint }>;
  readonly onDidChange: vscode.Event<void>;
}

interface ScheduleDeps {
  readonly session: Pick<Session, 'fetchLatestBlock' | 'network'>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly head: HeadReader;
}

/** A hidden panel polls one sixth as often, and at most once a minute. */
const HIDDEN_INTERVAL_FACTOR = 6;
const MIN_HIDDEN_INTERVAL_MS = 60_000;
/** The factor of a hidden panel whose new rows the user is notified of, but for a local node. */
const NOTIFIED_INTERVAL_FACTOR = 3;

interface ScheduledPanel {
  readonly panel: { readonly visible?: boolean };
  /** Whether the user is notified of new rows. */
  readonly isNotified: () => boolean;
  readonly onRows: (count: number) => void;
}

export function isPanelVisible(panel: { readonly visible?: boolean }): boolean {
  return panel.visible === true && vscode.window.state.focused;
}

/** Follows as often as the head is polled while the panel is visible, and less often while it is hidden. */
export function createFollowSchedule(
  { session, settings, head }: ScheduleDeps,
  { panel, isNotified, onRows }: ScheduledPanel,
): FollowSchedule {
  const getPollMs = (rpcUrl: string) => getPollIntervalMs(rpcUrl, settings.current.pollSeconds);
  return {
    intervalMs(rpcUrl) {
      const pollMs = getPollMs(rpcUrl);
      if (isPanelVisible(panel)) return pollMs;
      if (!isNotified()) return Math.max(MIN_HIDDEN_INTERVAL_MS, pollMs * HIDDEN_INTERVAL_FACTOR);
      return isLoopbackUrl(rpcUrl) ? pollMs : pollMs * NOTIFIED_INTERVAL_FACTOR;
    },
    async head(network, client, { signal }) {
      // One poller serves all views of the active network. A head half an interval old is recent enough.
      if (isSameChain(network, session.network))
        return (await head.read(getPollMs(network.rpcUrl) / 2)).block;
      return session.fetchLatestBlock(network, client, { signal });
    },
    onRows,
  };
}

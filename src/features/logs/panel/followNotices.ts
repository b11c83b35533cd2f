import * as vscode from 'vscode';
import { isSameChain } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { showMessage } from '../../../host/ui/dialogs.ts';
import { createStatusBarItem } from '../../../host/ui/window.ts';
import type { FollowSchedule } from '../results/following.ts';

/** How new rows of a followed query are told of outside of its panel. */
export type FollowNotice = 'off' | 'count' | 'message';

/** What is brought to the front for its new rows. */
interface NotedPanel {
  readonly title: string;
  reveal?(): void;
}

interface Unseen {
  readonly panel: NotedPanel;
  count: number;
}

/** Tells of new rows of followed queries that nobody has looked at: a count in the status bar, and a message if wanted. */
export class FollowNotices implements vscode.Disposable {
  readonly #unseen = new Map<NotedPanel, Unseen>();
  #item: ReturnType<typeof createStatusBarItem> | undefined;

  /** Counts rows that came unseen. The first of them are told by a message where that is wanted. */
  onNewRows(panel: NotedPanel, count: number, notice: FollowNotice): void {
    const known = this.#unseen.get(panel) ?? { panel, count: 0 };
    const isFirst = known.count === 0;
    known.count += count;
    this.#unseen.set(panel, known);
    this.#draw();
    if (isFirst && notice === 'message') void this.#tell(known);
  }

  /** The user looks at the panel, wants no more of it, or has closed it. */
  markSeen(panel: NotedPanel): void {
    if (this.#unseen.delete(panel)) this.#draw();
  }

  /** Shows the panel that has new rows, one of them where there are several. */
  reveal(): void {
    const [first] = this.#unseen.values();
    first?.panel.reveal?.();
  }

  dispose(): void {
    this.#item?.dispose();
    this.#unseen.clear();
  }

  async #tell({ panel, count }: Unseen): Promise<void> {
    const { l10n } = vscode;
    const show = l10n.t('Show');
    const words =
      count === 1
        ? l10n.t('1 new log: {0}', panel.title)
        : l10n.t('{0} new logs: {1}', count.toLocaleString(vscode.env.language), panel.title);
    if ((await showMessage('information', words, show)) === show && this.#unseen.has(panel)) panel.reveal?.();
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
      ...{ icon: 'bell-dot', text, warns: false },
      tooltip: [...lines, l10n.t('Click to show them.')],
      spoken: [text, ...lines].join(', '),
    });
    this.#item.show();
  }
}

/** Tells the newest block of the active network, and asks for it where what is known is too old. */
export interface HeadReader {
  readonly state: { readonly head?: { readonly block: bigint } };
  read(maxAgeMs?: number): Promise<{ readonly block: bigint }>;
  readonly onDidChange: vscode.Event<void>;
}

interface PaceDeps {
  readonly session: Pick<Session, 'network'>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly head: HeadReader;
}

/** What nobody looks at is looked after so much less often, and not more often than this. */
const HIDDEN_INTERVAL_FACTOR = 6;
const MIN_HIDDEN_INTERVAL_MS = 60_000;
/** The same where someone wants to be told of it. */
const AWAITED_INTERVAL_FACTOR = 3;

interface PaceOf {
  readonly panel: { readonly visible?: boolean };
  /** Whether new rows are told of outside of the panel. */
  readonly isAwaited: () => boolean;
  readonly onRows: (count: number) => void;
}

/** Whether someone may be looking at the panel. */
export function isPanelVisible(panel: { readonly visible?: boolean }): boolean {
  return panel.visible === true && vscode.window.state.focused;
}

/** As often as the newest block is polled while the panel is in sight, seldom elsewhere. */
export function createFollowSchedule(
  { session, settings, head }: PaceDeps,
  { panel, isAwaited, onRows }: PaceOf,
): FollowSchedule {
  const usualMs = () => settings.current.pollSeconds * 1000;
  return {
    intervalMs() {
      if (isPanelVisible(panel)) return usualMs();
      return isAwaited()
        ? usualMs() * AWAITED_INTERVAL_FACTOR
        : Math.max(MIN_HIDDEN_INTERVAL_MS, usualMs() * HIDDEN_INTERVAL_FACTOR);
    },
    async head(network, client, { signal }) {
      // One poller for all that looks at the active network; half a turn old is new enough for its next turn.
      if (isSameChain(network, session.network)) return (await head.read(usualMs() / 2)).block;
      return client.getBlockNumber({ signal, retries: 0 });
    },
    onRows,
  };
}

import * as vscode from 'vscode';
import type { LogFilter } from '../../../core/index.ts';
import { pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import type { LogResults } from '../results/logResults.ts';
import { type FollowNotice, type FollowNotices, type HeadReader, isPanelVisible } from './followNotices.ts';
import type { PanelQuery } from './panelQuery.ts';

/** Where a followed result is shown. It needs `reveal` to be followed. */
export interface FollowSurface {
  readonly title: string;
  readonly visible?: boolean;
  readonly onDidChangeViewState?: vscode.Event<unknown>;
  reveal?(): void;
}

interface FollowDeps {
  readonly head: HeadReader;
  readonly notices: FollowNotices;
}

interface FollowParts {
  readonly results: LogResults;
  readonly query: () => PanelQuery;
  readonly onDidChange: () => void;
}

/** Following in one panel: its commands, when it polls at once, and its notices. */
export class PanelFollow implements vscode.Disposable {
  readonly #panel: FollowSurface;
  readonly #results: LogResults;
  readonly #notices: FollowNotices;
  readonly #parts: FollowParts;
  readonly #subscriptions: vscode.Disposable;
  #notice: FollowNotice = 'off';
  #lastBlock: bigint | undefined;

  constructor(panel: FollowSurface, { head, notices }: FollowDeps, parts: FollowParts) {
    const { results } = parts;
    this.#panel = panel;
    this.#results = results;
    this.#notices = notices;
    this.#parts = parts;
    const onVisible = () => {
      if (!isPanelVisible(panel)) return;
      notices.markSeen(panel);
      results.following?.wake();
    };
    this.#subscriptions = vscode.Disposable.from(
      panel.onDidChangeViewState?.(onVisible) ?? new vscode.Disposable(() => undefined),
      vscode.window.onDidChangeWindowState(onVisible),
      head.onDidChange(() => isPanelVisible(panel) && this.#isNewBlock(head) && results.following?.wake()),
    );
  }

  /** How the user is notified of new rows while the panel is hidden. */
  get notice(): FollowNotice {
    return this.#results.isFollowed ? this.#notice : 'off';
  }

  get isOffered(): boolean {
    const { executed, network } = this.#parts.query();
    if (!this.#panel.reveal) return false;
    return executed !== undefined && this.#results.verdict !== undefined && network.lost === undefined;
  }

  /** Starts or stops following. */
  toggle(): void {
    const { executed } = this.#parts.query();
    if (this.#results.isFollowed) this.stop();
    else if (executed && this.isOffered) {
      if (hasEnd(executed.filter, this.#results)) void this.#offerOpenEnd();
      else this.#results.follow();
    }
  }

  stop(): void {
    this.#notices.markSeen(this.#panel);
    this.#results.unfollow();
  }

  onNewRows(count: number): void {
    if (this.#notice === 'off' || isPanelVisible(this.#panel)) return;
    this.#notices.onNewRows(this.#panel, count, this.#notice);
  }

  /** Lets the user choose how to be notified of new rows, and starts following for that. */
  async chooseNotice(): Promise<void> {
    const { l10n } = vscode;
    if (!this.isOffered) return;
    const markCurrent = (notice: FollowNotice) => (this.notice === notice ? l10n.t('current') : '');
    const picked = await pickOne(
      [
        { label: l10n.t('Off'), description: markCurrent('off'), notice: 'off' as const },
        {
          label: l10n.t('Show a Count in the Status Bar'),
          description: markCurrent('count'),
          notice: 'count' as const,
        },
        {
          label: l10n.t('Show a Count, and a Notification for the First New Log'),
          description: markCurrent('message'),
          notice: 'message' as const,
        },
      ],
      {
        title: l10n.t('Notify of New Logs'),
        placeHolder: l10n.t('Notify when new logs arrive while the panel is hidden'),
      },
    );
    if (!picked) return;
    this.#notice = picked.notice;
    if (picked.notice === 'off') this.#notices.markSeen(this.#panel);
    else if (!this.#results.isFollowed) this.toggle();
    this.#parts.onDidChange();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#notices.markSeen(this.#panel);
  }

  /** The poller also reports the start and failure of its requests. */
  #isNewBlock({ state }: HeadReader): boolean {
    const { block } = state.head ?? {};
    const isNew = block !== undefined && block !== this.#lastBlock;
    this.#lastBlock = block;
    return isNew;
  }

  async #offerOpenEnd(): Promise<void> {
    const { l10n } = vscode;
    const query = this.#parts.query();
    const { executed } = query;
    if (!executed) return;
    const yes = l10n.t('Follow to the Latest Block');
    const message = l10n.t(
      'This query ends at a fixed block, so no new logs can match. Follow it to the latest block instead?',
    );
    if ((await showMessage('information', message, yes)) !== yes) return;
    if (query.executed !== executed) return;
    query.run({ ...executed.form, toBlock: 'latest' });
    this.#results.follow();
  }
}

/** Whether the range ends at an existing block. */
function hasEnd({ toBlock }: LogFilter, { verdict }: Pick<LogResults, 'verdict'>): boolean {
  if (toBlock === 'latest' || !verdict) return false;
  if (verdict.found?.to) return verdict.found.to.outside !== 'afterHead';
  return typeof toBlock !== 'bigint' || toBlock <= verdict.toBlock;
}

import * as vscode from 'vscode';
import { showMessage } from '../../../host/surface/messages.ts';
import { openStatusItem } from '../../../host/surface/statusBar.ts';

/** How new rows of a followed query are told of outside of its panel. */
export type Notice = 'off' | 'count' | 'message';

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
  #item: ReturnType<typeof openStatusItem> | undefined;

  /** Counts rows that came unseen. The first of them are told by a message where that is wanted. */
  gained(panel: NotedPanel, count: number, notice: Notice): void {
    const known = this.#unseen.get(panel) ?? { panel, count: 0 };
    const isFirst = known.count === 0;
    known.count += count;
    this.#unseen.set(panel, known);
    this.#draw();
    if (isFirst && notice === 'message') void this.#tell(known);
  }

  /** The user looks at the panel, wants no more of it, or has closed it. */
  seen(panel: NotedPanel): void {
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
    this.#item ??= openStatusItem(
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

import * as vscode from 'vscode';
import { createContextKey } from '../../host/commands.ts';
import type { LogsDeps } from './deps.ts';
import { LogsPanel } from './logsPanel.ts';
import { panelTitle } from './panelTitle.ts';
import { LOGS_VIEW_TYPE } from './protocol.ts';
import type { QueryForm } from './queryForm.ts';

/** All open log panels. Keeps the context keys that say what the active one can do. */
export class LogsPanels implements vscode.Disposable {
  readonly #deps: LogsDeps;
  readonly #panels = new Set<LogsPanel>();
  readonly #setRunning = createContextKey('chainside.logs.running');
  readonly #setMore = createContextKey('chainside.logs.more');
  readonly #setExportable = createContextKey('chainside.logs.exportable');

  constructor(deps: LogsDeps) {
    this.#deps = deps;
  }

  get active(): LogsPanel | undefined {
    return [...this.#panels].find(({ panel }) => panel.active);
  }

  /** Opens a new panel beside those that are there. */
  open(form: QueryForm): LogsPanel {
    const panel = vscode.window.createWebviewPanel(
      LOGS_VIEW_TYPE,
      panelTitle(form, vscode.l10n),
      vscode.ViewColumn.Active,
    );
    return this.adopt(panel, form);
  }

  /** Takes over an editor tab, new or left by an earlier window. */
  adopt(webviewPanel: vscode.WebviewPanel, form: QueryForm): LogsPanel {
    const panel = new LogsPanel(webviewPanel, this.#deps, form);
    this.#panels.add(panel);
    panel.onDidChange(() => this.#updateContext());
    webviewPanel.onDidChangeViewState(() => this.#updateContext());
    webviewPanel.onDidDispose(() => {
      this.#panels.delete(panel);
      panel.dispose();
      this.#updateContext();
    });
    this.#updateContext();
    return panel;
  }

  dispose(): void {
    for (const panel of this.#panels) panel.dispose();
    this.#panels.clear();
  }

  #updateContext(): void {
    const { active } = this;
    this.#setRunning(active?.running === true);
    this.#setMore(active?.more === true);
    this.#setExportable(active?.exportable !== undefined);
  }
}

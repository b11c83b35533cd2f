import * as vscode from 'vscode';
import { createContextKey } from '../../../host/commands/commands.ts';
import { PanelSet } from '../../../host/panels/panelSet.ts';
import { openTab } from '../../../host/surface/tabs.ts';
import { LOGS_VIEW_TYPE } from '../protocol/protocol.ts';
import type { QueryForm } from '../protocol/queryForm.ts';
import { panelTitle } from '../words/panelTitle.ts';
import type { LogsDeps } from './deps.ts';
import type { LogsPanel } from './logsPanel.ts';

/** All open log panels. Keeps the context keys that say what the active one can do. */
export class LogsPanels implements vscode.Disposable {
  readonly #deps: LogsDeps;
  readonly #panels = new PanelSet<LogsPanel>(() => this.#updateContext());
  readonly #setRunning = createContextKey('chainside.logs.running');
  readonly #setMore = createContextKey('chainside.logs.more');
  readonly #setExportable = createContextKey('chainside.logs.exportable');

  constructor(deps: LogsDeps) {
    this.#deps = deps;
  }

  get active(): LogsPanel | undefined {
    return this.#panels.active;
  }

  /** Opens a new panel beside those that are there. */
  open(form: QueryForm): Promise<LogsPanel> {
    const panel = openTab(LOGS_VIEW_TYPE, panelTitle(form, vscode.l10n));
    return this.adopt(panel, form);
  }

  /** Takes over an editor tab, new or left by an earlier window. What a panel is made of is loaded with the first one. */
  async adopt(webviewPanel: vscode.WebviewPanel, form: QueryForm): Promise<LogsPanel> {
    const { LogsPanel } = await import('./logsPanel.ts');
    const panel = new LogsPanel(webviewPanel, this.#deps, form);
    panel.onDidChange(() => this.#updateContext());
    return this.#panels.add(panel);
  }

  dispose(): void {
    this.#panels.dispose();
  }

  #updateContext(): void {
    const { active } = this;
    this.#setRunning(active?.running === true);
    this.#setMore(active?.more === true);
    this.#setExportable(active?.exportable !== undefined);
  }
}

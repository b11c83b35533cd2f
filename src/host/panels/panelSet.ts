import type * as vscode from 'vscode';

/** What lives in an editor tab of a webview. */
export interface OwnedPanel extends vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
}

/** The open panels of one kind. Ends each with its tab. */
export class PanelSet<P extends OwnedPanel> implements vscode.Disposable {
  readonly #panels = new Set<P>();
  readonly #onDidChange: () => void;

  /** `onDidChange` is told when another panel, or none, is the active one. */
  constructor(onDidChange: () => void = () => {}) {
    this.#onDidChange = onDidChange;
  }

  get active(): P | undefined {
    return this.find(({ panel }) => panel.active);
  }

  find(isWanted: (panel: P) => boolean): P | undefined {
    return [...this.#panels].find(isWanted);
  }

  add(added: P): P {
    this.#panels.add(added);
    added.panel.onDidChangeViewState(() => this.#onDidChange());
    added.panel.onDidDispose(() => {
      this.#panels.delete(added);
      added.dispose();
      this.#onDidChange();
    });
    this.#onDidChange();
    return added;
  }

  dispose(): void {
    for (const panel of this.#panels) panel.dispose();
    this.#panels.clear();
  }
}

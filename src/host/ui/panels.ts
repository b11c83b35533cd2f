import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import type { CommandId, ContextKey } from '../../manifest.ts';
import { createContextKey, registerCommand } from '../commands.ts';
import { escapeUiText } from './untrustedText.ts';

/** What lives in an editor tab of a webview. */
export interface OwnedPanel extends vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  /** Fires when what can be done with it may have changed. */
  readonly onDidShow: vscode.Event<void>;
}

/** One kind of panel, `Asked` being what one is opened about. */
interface PanelKind<P extends OwnedPanel, Asked> {
  /** That of an `onWebviewPanel` event in `package.json`. */
  readonly viewType: string;
  readonly title: (asked: Asked) => string;
  /** Fills an editor tab. What a panel is made of is to be loaded with the first one. */
  readonly fill: (panel: vscode.WebviewPanel, asked: Asked) => Promise<P>;
  /** Fills a tab that an earlier window left, from what its view kept; undefined closes it. */
  readonly restore: (
    kept: unknown,
  ) => { readonly asked: Asked; readonly begin: (panel: P) => void } | undefined;
  /** Whether a panel is about it already, so that it is shown instead of a new one. */
  readonly isAbout?: (panel: P, asked: Asked) => boolean;
  /** Context keys of the active panel; without one, each is false. */
  readonly contextKeys: Readonly<Partial<Record<ContextKey, (panel: P) => boolean>>>;
}

/** The open panels of one kind: opens them, takes back those of an earlier window, ends each with its tab. */
export class Panels<P extends OwnedPanel, Asked> implements vscode.Disposable {
  readonly #kind: PanelKind<P, Asked>;
  readonly #panels = new Set<P>();
  readonly #tellKeys: readonly ((active: P | undefined) => void)[];

  constructor(kind: PanelKind<P, Asked>) {
    this.#kind = kind;
    this.#tellKeys = Object.entries(kind.contextKeys).map(([key, holds]) => {
      const tell = createContextKey(key as ContextKey);
      return (active) => tell(active !== undefined && holds(active));
    });
  }

  get active(): P | undefined {
    return this.find(({ panel }) => panel.active);
  }

  /** One of those that are open. */
  find(isWanted: (panel: P) => boolean): P | undefined {
    return [...this.#panels].find(isWanted);
  }

  /** Opens a panel about `asked`, or brings the one to the front that is about it. */
  async open(asked: Asked): Promise<P> {
    const { viewType, title, isAbout } = this.#kind;
    const known = isAbout && this.find((candidate) => isAbout(candidate, asked));
    known?.panel.reveal();
    return known ?? this.#fill(openWebviewTab(viewType, title(asked), choosePanelColumn(isOurs)), asked);
  }

  /** Fills a tab that an earlier window has left, from what its view kept. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const restored = this.#kind.restore(kept);
    if (restored) restored.begin(await this.#fill(panel, restored.asked));
    else panel.dispose();
  }

  /** A command that acts on the active panel. */
  command(id: CommandId, run: (active: P) => unknown): vscode.Disposable {
    return registerCommand(id, () => this.active && run(this.active));
  }

  /** A command of the context menu of a cell, which hands over `data-vscode-context`. */
  cellCommand<Cell>(
    id: CommandId,
    schema: z.ZodMiniType<Cell>,
    run: (active: P, cell: Cell) => unknown,
  ): vscode.Disposable {
    return registerCommand(id, (argument) => {
      const cell = schema.safeParse(argument);
      return cell.success && this.active ? run(this.active, cell.data) : undefined;
    });
  }

  dispose(): void {
    for (const panel of this.#panels) panel.dispose();
    this.#panels.clear();
  }

  async #fill(panel: vscode.WebviewPanel, asked: Asked): Promise<P> {
    const added = await this.#kind.fill(panel, asked);
    this.#panels.add(added);
    added.onDidShow(() => this.#updateKeys());
    panel.onDidChangeViewState(() => this.#updateKeys());
    panel.onDidDispose(() => {
      this.#panels.delete(added);
      added.dispose();
      this.#updateKeys();
    });
    this.#updateKeys();
    return added;
  }

  #updateKeys(): void {
    const { active } = this;
    for (const tell of this.#tellKeys) tell(active);
  }
}

/** The editor puts words of its own before the type. */
function isOurs(viewType: string): boolean {
  return /(^|-)chainside\./.test(viewType);
}

const MAX_TAB_TITLE_CHARS = 120;

/** A webview in an editor tab. */
export function openWebviewTab(
  viewType: string,
  title: string,
  column = vscode.ViewColumn.Active,
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, escapeUiText(title, MAX_TAB_TITLE_CHARS), column);
}

export function setTabTitle(tab: Pick<vscode.WebviewPanel, 'title'>, title: string): void {
  tab.title = escapeUiText(title, MAX_TAB_TITLE_CHARS);
}

/**
 * Where a panel is opened: in the group that is in front, but beside it where that shows code. Beside it is the group that
 * has such panels already, else the next one; another group is made only where there is none.
 */
function choosePanelColumn(isPanel: (viewType: string) => boolean): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!isDocument(activeTabGroup.activeTab?.input)) return vscode.ViewColumn.Active;
  const others = all.filter((group) => group !== activeTabGroup);
  const ofPanels = others.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputWebview && isPanel(input.viewType)),
  );
  const next = others.find(({ viewColumn }) => viewColumn > activeTabGroup.viewColumn);
  return (ofPanels ?? next ?? others.at(-1))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Whether a tab shows a file, and not a panel, a page of the editor or nothing. */
function isDocument(input: unknown): boolean {
  const kinds = [
    vscode.TabInputText,
    vscode.TabInputTextDiff,
    vscode.TabInputCustom,
    vscode.TabInputNotebook,
    vscode.TabInputNotebookDiff,
  ];
  return kinds.some((kind) => input instanceof kind);
}

import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import type { CommandId, ContextKey } from '../../manifest.ts';
import { createContextKey, registerCommand } from '../commands.ts';
import { escapeUiText } from './untrustedText.ts';

/** The open panels of one kind: opens them, restores those of an earlier window, disposes each with its tab. */
export class Panels<P extends OwnedPanel, Subject> implements vscode.Disposable {
  readonly #kind: PanelKind<P, Subject>;
  readonly #panels = new Set<P>();
  readonly #contextKeys: readonly ((active: P | undefined) => void)[];

  constructor(kind: PanelKind<P, Subject>) {
    this.#kind = kind;
    this.#contextKeys = Object.entries(kind.contextKeys).map(([key, isSet]) => {
      const setKey = createContextKey(key as ContextKey);
      return (active) => setKey(active !== undefined && isSet(active));
    });
  }

  get active(): P | undefined {
    return this.find(({ panel }) => panel.active);
  }

  find(isWanted: (panel: P) => boolean): P | undefined {
    return [...this.#panels].find(isWanted);
  }

  /** Opens a panel for `subject`, or reveals the open one. */
  async open(subject: Subject): Promise<P> {
    const { viewType, title, shows } = this.#kind;
    const existing = shows && this.find((candidate) => shows(candidate, subject));
    existing?.panel.reveal();
    return existing ?? this.#fill(openWebviewTab(viewType, title(subject), choosePanelColumn()), subject);
  }

  /** Restores a tab of an earlier window from the state that its webview stored. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = this.#kind.restore(state);
    if (restored) restored.begin(await this.#fill(panel, restored.asked));
    else panel.dispose();
  }

  /** Registers a command that acts on the active panel. */
  command(id: CommandId, run: (active: P) => unknown): vscode.Disposable {
    return registerCommand(id, () => this.active && run(this.active));
  }

  /** Registers a command of the context menu of a cell; its argument is the `data-vscode-context` of the cell. */
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

  async #fill(panel: vscode.WebviewPanel, subject: Subject): Promise<P> {
    const added = await this.#kind.fill(panel, subject);
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
    for (const setKey of this.#contextKeys) setKey(active);
  }
}

/** One kind of panel; `Subject` is what a panel is opened for. */
interface PanelKind<P extends OwnedPanel, Subject> {
  /** Matches an `onWebviewPanel` activation event in `package.json`. */
  readonly viewType: string;
  readonly title: (subject: Subject) => string;
  /** Fills an editor tab. Should load the code of the panel with the first one. */
  readonly fill: (panel: vscode.WebviewPanel, subject: Subject) => Promise<P>;
  /** Restores a tab of an earlier window from the state that its webview stored; undefined closes the tab. */
  readonly restore: (
    state: unknown,
  ) => { readonly asked: Subject; readonly begin: (panel: P) => void } | undefined;
  /** Whether an open panel already shows the subject, and is revealed instead of opening a new one. */
  readonly shows?: (panel: P, subject: Subject) => boolean;
  /** Context keys of the active panel. Each is false while none is active. */
  readonly contextKeys: Readonly<Partial<Record<ContextKey, (panel: P) => boolean>>>;
}

export interface OwnedPanel extends vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  /** Fires when its context keys may have changed. */
  readonly onDidShow: vscode.Event<void>;
}

/** Whether a tab shows a panel or a document of Chainside. */
export function isOwnTab(input: unknown): boolean {
  if (input instanceof vscode.TabInputText) return input.uri.scheme.startsWith('chainside-');
  // The editor prefixes the view type.
  return input instanceof vscode.TabInputWebview && /(^|-)chainside\./.test(input.viewType);
}

/** Calls back when the last tab of a document with this scheme is closed. */
export function onDidCloseDocument(scheme: string, listener: (uri: vscode.Uri) => void): vscode.Disposable {
  const { tabGroups } = vscode.window;
  const getUri = ({ input }: vscode.Tab) => (input instanceof vscode.TabInputText ? input.uri : undefined);
  return tabGroups.onDidChangeTabs(({ closed }) => {
    const open = new Set(tabGroups.all.flatMap(({ tabs }) => tabs.map((tab) => getUri(tab)?.toString())));
    for (const tab of closed) {
      const uri = getUri(tab);
      if (uri?.scheme === scheme && !open.has(uri.toString())) listener(uri);
    }
  });
}

const MAX_TAB_TITLE_CHARS = 120;

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
 * Chooses the column of a new panel: the active group, unless that shows a document. Then the group that already
 * has tabs of Chainside, else the next group; a new group only where there is no other.
 */
function choosePanelColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const shown = activeTabGroup.activeTab?.input;
  if (isOwnTab(shown) || !isDocument(shown)) return vscode.ViewColumn.Active;
  const others = all.filter((group) => group !== activeTabGroup);
  const panelGroup = others.find(({ tabs }) => tabs.some(({ input }) => isOwnTab(input)));
  const next = others.find(({ viewColumn }) => viewColumn > activeTabGroup.viewColumn);
  return (panelGroup ?? next ?? others.at(-1))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Whether a tab shows a document, rather than a panel, a page of the editor or nothing. */
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

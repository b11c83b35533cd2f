import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_TITLE = 120;

/** A webview in an editor tab. */
export function openTab(
  viewType: string,
  title: string,
  column = vscode.ViewColumn.Active,
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, harmless(title, LONGEST_TITLE), column);
}

export function nameTab(tab: Pick<vscode.WebviewPanel, 'title'>, title: string): void {
  tab.title = harmless(title, LONGEST_TITLE);
}

/**
 * Where a panel is opened: in the group that is in front, but beside it where that shows code. Beside it is the group that
 * has such panels already, else the next one; another group is made only where there is none.
 */
export function panelColumn(isPanel: (viewType: string) => boolean): vscode.ViewColumn {
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

import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_TITLE = 120;

/** A webview in an editor tab. */
export function openTab(viewType: string, title: string): vscode.WebviewPanel {
  const column = vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(viewType, harmless(title, LONGEST_TITLE), column);
}

export function nameTab(panel: vscode.WebviewPanel, title: string): void {
  panel.title = harmless(title, LONGEST_TITLE);
}

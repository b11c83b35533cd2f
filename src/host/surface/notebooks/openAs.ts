import * as vscode from 'vscode';

/** Opens a file, of none the one that is in front, with another kind of editor: a notebook type, or `default` for text. */
export async function openAs(editor: string, file: unknown): Promise<void> {
  const uri = file instanceof vscode.Uri ? file : fileInFront();
  if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}

function fileInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
  return isFile ? input.uri : undefined;
}

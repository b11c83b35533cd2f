import * as vscode from 'vscode';

/** Shows a line of a file, from 0, in an editor. */
export async function showPlace({
  uri,
  line,
}: {
  readonly uri: vscode.Uri;
  readonly line: number;
}): Promise<void> {
  const start = new vscode.Position(Math.max(0, line), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(start, start) });
}

import * as vscode from 'vscode';

/** Shows a line of a file, from 0, in an editor: in one that is in sight already, as code beside a panel is. */
export async function showPlace({
  uri,
  line,
}: {
  readonly uri: vscode.Uri;
  readonly line: number;
}): Promise<void> {
  const start = new vscode.Position(Math.max(0, line), 0);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const shown = [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor?.document.uri.toString() === uri.toString(),
  );
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(start, start),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Active,
  });
}

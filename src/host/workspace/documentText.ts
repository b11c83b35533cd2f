import * as vscode from 'vscode';

/** How many characters a document has, without putting its text together: the editor keeps it in lines. */
export function documentLength(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

/** The text of a document up to `most` characters. */
export function documentStart(document: vscode.TextDocument, most: number): string {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(most)));
}

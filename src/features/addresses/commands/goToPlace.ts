import * as vscode from 'vscode';
import { registerCommand } from '../../../host/commands/commands.ts';
import { readRow } from '../../../host/commands/rowArguments.ts';

/** From an address of the workspace to the line of the file that it stands in. */
export function registerGoToPlace(): vscode.Disposable {
  return registerCommand('chainside.goToPlace', async (row) => {
    const place = readRow(row)?.place;
    if (!place) return;
    const start = new vscode.Position(place.line, 0);
    await vscode.window.showTextDocument(place.uri, { selection: new vscode.Range(start, start) });
  });
}

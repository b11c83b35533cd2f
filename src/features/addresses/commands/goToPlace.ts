import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { registerCommand } from '../../../host/commands/commands.ts';

const Row = z.object({
  occurrence: z.object({
    uri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
    line: z.int().check(z.minimum(0)),
  }),
});

/** From an address of the workspace to the line of the file that it stands in. */
export function registerGoToPlace(): vscode.Disposable {
  return registerCommand('chainside.goToPlace', async (row) => {
    const place = Row.safeParse(row).data?.occurrence;
    if (!place) return;
    const start = new vscode.Position(place.line, 0);
    await vscode.window.showTextDocument(place.uri, { selection: new vscode.Range(start, start) });
  });
}

import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { registerCommand } from '../../../host/commands/commands.ts';
import { type Place, readRow } from '../../../host/commands/rowArguments.ts';
import { showPlace } from '../../../host/surface/showPlace.ts';

/** As a link of a hover names a place. */
const LinkedPlace = z.object({ file: z.string(), line: z.int().check(z.minimum(0)) });

/** From an address of the workspace to the line of the file that it stands in, or is deployed from. */
export function registerGoToPlace(): vscode.Disposable {
  return registerCommand('chainside.goToPlace', async (argument) => {
    const place = readRow(argument)?.place ?? linkedPlace(argument);
    if (place) await showPlace(place);
  });
}

/** Files of the workspace alone: a link may come from anywhere. */
function linkedPlace(argument: unknown): Place | undefined {
  const place = LinkedPlace.safeParse(argument).data;
  if (!place) return undefined;
  const uri = vscode.Uri.parse(place.file);
  return vscode.workspace.getWorkspaceFolder(uri) && { uri, line: place.line };
}

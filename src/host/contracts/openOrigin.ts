import * as vscode from 'vscode';
import type { Origin } from '../../core/index.ts';

/** Whether an item has a declaration in a file of the workspace. */
export function canOpen({ trust, from }: Origin): boolean {
  return trust !== 'bundled' && from !== '' && (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

/** Opens the file of an origin in the first folder of the workspace that has it, at the line where that is known. */
export async function openOrigin({ from, line }: Origin): Promise<void> {
  const parts = from.split('/');
  // A path from the chain of trust, but written by a tool: it may not lead out of the folder.
  if (parts.includes('..')) return;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(uri, ...parts);
    const isThere = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    const place = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    await vscode.window.showTextDocument(file, { selection: new vscode.Range(place, place) });
    return;
  }
}

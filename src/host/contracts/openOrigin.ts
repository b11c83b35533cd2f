import * as vscode from 'vscode';
import type { Origin } from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** The file of the workspace that an item was found in; undefined for a bundled list. */
export function fileOf({ trust, from }: Origin, contracts: WorkspaceContracts): vscode.Uri | undefined {
  return trust === 'bundled' ? undefined : contracts.uriOf(from);
}

/** Opens the file of an origin, at the line where that is known. */
export async function openOrigin(origin: Origin, contracts: WorkspaceContracts): Promise<void> {
  const file = fileOf(origin, contracts);
  if (!file) return;
  const place = new vscode.Position(Math.max(0, (origin.line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(place, place) });
}

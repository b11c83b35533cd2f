import * as vscode from 'vscode';
import { type AbiItemText, type Origin, systemClock } from '../../core/index.ts';
import { declarationOf } from '../sources/declarations.ts';
import { createSourceDocuments } from '../sources/sourceDocuments.ts';
import { showPlace } from '../surface/showPlace.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** How long somebody who wants to see a declaration waits for it; after that its file is shown from the start. */
const PATIENCE_MS = 2_000;

/** The file of the workspace that an item was found in; undefined for what is known from elsewhere. */
export function fileOf({ trust, from }: Origin, contracts: WorkspaceContracts): vscode.Uri | undefined {
  return trust === 'deployment' || trust === 'workspace' ? contracts.uriOf(from) : undefined;
}

/** Opens the declaration of an item, where there is one to be found; else the file that it is known from. */
export async function openOrigin(
  { origin, text }: { readonly origin: Origin; readonly text: AbiItemText },
  contracts: WorkspaceContracts,
): Promise<void> {
  const file = fileOf(origin, contracts);
  if (!file) return;
  const known = origin.line === undefined ? await inherited(file, origin, text) : undefined;
  const { uri, line } = known ?? { uri: file, line: origin.line ?? 1 };
  await showPlace({ uri, line: line - 1 });
}

/** Where what a contract inherits or uses is declared. */
async function inherited(file: vscode.Uri, { contract }: Origin, text: AbiItemText) {
  if (!/\.(?:sol|vyi?)$/.test(file.path)) return undefined;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const document = await vscode.workspace.openTextDocument(file);
    const source = await createSourceDocuments(systemClock).open(document, { signal });
    const found = await declarationOf(text, { path: source.path, contract }, { ...source, signal });
    return found && { uri: source.uriOf(found.at.path), line: found.item.line };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

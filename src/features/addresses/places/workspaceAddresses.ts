import * as vscode from 'vscode';
import { type Address, createTimeSlices, systemClock } from '../../../core/index.ts';
import { documentStart } from '../../../host/workspace/documentText.ts';
import {
  LARGEST_FILE,
  readTextFile,
  type Walk,
  workspaceTextFiles,
} from '../../../host/workspace/workspaceFiles.ts';
import { findAddresses } from './findAddresses.ts';

/** Where in the workspace an address stands first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

export interface WorkspaceAddresses {
  readonly occurrences: readonly Occurrence[];
  /** Why the search ended before its end, if it did. */
  readonly cut: 'addresses' | 'files' | undefined;
}

export const MOST_ADDRESSES = 500;

/**
 * The addresses in open editors, then in the files of the workspace, each once; of a long document its first MiB. All
 * else goes on between two of them. Asks no server.
 */
export async function findWorkspaceAddresses(signal: AbortSignal): Promise<WorkspaceAddresses> {
  const found = new Map<Address, Occurrence>();
  const opened = new Set<string>();
  const slices = createTimeSlices(systemClock);
  for (const document of vscode.workspace.textDocuments) {
    const { uri } = document;
    if (signal.aborted || found.size > MOST_ADDRESSES) break;
    if (uri.scheme === 'output') continue;
    opened.add(uri.toString());
    collect(documentStart(document, LARGEST_FILE), uri, found);
    if (slices.isOver()) await slices.rest();
  }
  const walk: Walk = { cut: false };
  for await (const uri of workspaceTextFiles(walk, signal)) {
    if (found.size > MOST_ADDRESSES) break;
    if (!opened.has(uri.toString())) collect(await readTextFile(uri), uri, found);
    if (slices.isOver()) await slices.rest();
  }
  const occurrences = [...found.values()];
  const cut = occurrences.length > MOST_ADDRESSES ? 'addresses' : walk.cut ? 'files' : undefined;
  return { occurrences: occurrences.slice(0, MOST_ADDRESSES), cut };
}

/** Adds the addresses of `text`, up to one more than are shown, so that a cut is known. */
function collect(text: string, uri: vscode.Uri, found: Map<Address, Occurrence>): void {
  let line = 0;
  let counted = 0;
  for (const { address, offset } of findAddresses(text)) {
    if (found.size > MOST_ADDRESSES) return;
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++;
    if (!found.has(address)) found.set(address, { address, uri, line });
  }
}

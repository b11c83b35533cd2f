import * as vscode from 'vscode';
import type { WorkspaceSearch } from '../../../host/places/workspaceSearch.ts';
import type { InSight } from '../balances/inSight.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { GroupNode, TreeNode } from './addressNodes.ts';
import { type AddressRows, groups } from './addressRows.ts';
import { fileRows } from './placedNodes.ts';

/** The note for what a search of the workspace has left out. */
const leftOut = { addresses: 'moreAddresses', files: 'moreFiles' } as const;

/** The groups that have something in them, or may have. */
export function groupsShown(book: AddressBook): readonly GroupNode[] {
  const hasWorkspace = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  return [
    ...(book.watched.length > 0 ? [groups.watched] : []),
    ...(book.recent.length > 0 ? [groups.recent] : []),
    ...(hasWorkspace ? [groups.workspace] : []),
  ];
}

/** The addresses of a group, as its store has them; those of the workspace once they have been searched. */
export async function groupMembers(
  { group }: GroupNode,
  stores: {
    readonly book: AddressBook;
    readonly search: WorkspaceSearch;
    readonly inSight: InSight;
    readonly rows: AddressRows;
    /** Files of the workspace that are shown. */
    readonly shown: number;
  },
): Promise<readonly TreeNode[]> {
  const { book, search, inSight, rows } = stores;
  if (group === 'workspace') return inWorkspace(search, stores.shown);
  const accounts = book[group];
  inSight.listed(group, accounts);
  return accounts.map((account) => rows.get({ kind: 'address', group, account }));
}

async function inWorkspace(search: WorkspaceSearch, shown: number): Promise<readonly TreeNode[]> {
  const found = await search.found();
  const files = fileRows(groups.workspace, found, shown);
  const note = found.cut ? leftOut[found.cut] : files.length === 0 ? 'noAddress' : undefined;
  return note ? [...files, { kind: 'note', parent: groups.workspace, content: { note } }] : files;
}

import * as vscode from 'vscode';
import type { WorkspaceSearch } from '../../../host/places/workspaceSearch.ts';
import type { InSight } from '../balances/inSight.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { GroupNode, TreeNode } from './addressNodes.ts';
import { type AddressRows, groups } from './addressRows.ts';

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
  },
): Promise<readonly TreeNode[]> {
  const { book, search, inSight, rows } = stores;
  if (group === 'workspace') return inWorkspace(search, rows);
  const accounts = book[group];
  if (group === 'watched') inSight.listed(accounts);
  return accounts.map((account) => rows.get({ kind: 'address', group, account }));
}

async function inWorkspace(search: WorkspaceSearch, rows: AddressRows): Promise<readonly TreeNode[]> {
  const { occurrences, cut } = await search.found();
  const found = occurrences.map((occurrence) =>
    rows.get({ kind: 'address', group: 'workspace', account: occurrence.address, occurrence }),
  );
  const note = cut ? leftOut[cut] : found.length === 0 ? 'noAddress' : undefined;
  return note ? [...found, { kind: 'note', parent: groups.workspace, content: { note } }] : found;
}

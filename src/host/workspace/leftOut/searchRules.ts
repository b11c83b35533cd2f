import type * as vscode from 'vscode';
import { readTextFile } from '../listFiles.ts';
import type { Entry, Rules } from '../walkFolders.ts';
import { excludedBySettings } from './excludedBySettings.ts';
import { type FolderFiles, type FolderRules, folderRules } from './folderRules.ts';

type FolderEntries = readonly Entry<vscode.Uri>[];

/** The rules within a folder of the workspace: what the editor's search leaves out, and libraries of Foundry. */
export async function searchRules(folder: vscode.Uri, entries: FolderEntries): Promise<Rules<vscode.Uri>> {
  return asRules(await folderRules(filesOf(entries), excludedBySettings(folder)));
}

function asRules(rules: FolderRules): Rules<vscode.Uri> {
  return {
    leavesOut: rules.leavesOut,
    within: async (name, entries) => asRules(await rules.within(name, filesOf(entries))),
  };
}

function filesOf(entries: FolderEntries): FolderFiles {
  const find = (name: string) => entries.find((entry) => entry.name === name && entry.kind === 'file');
  return {
    has: (name) => find(name) !== undefined,
    async read(name) {
      const found = find(name);
      return found ? readTextFile(found.at) : '';
    },
  };
}

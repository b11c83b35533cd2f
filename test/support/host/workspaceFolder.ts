import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';

/** Creates a folder in the workspace. */
export async function createWorkspaceFolder(name: string): Promise<Uri> {
  const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
  const folder = Uri.joinPath(root, name);
  await workspace.fs.createDirectory(folder);
  return folder;
}

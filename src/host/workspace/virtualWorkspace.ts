import * as vscode from 'vscode';

/** Whether the folders are on no disk, as a repository in vscode.dev: only what is committed is there. */
export function isVirtualWorkspace(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && !folders.some(({ uri }) => uri.scheme === 'file' || uri.scheme === REMOTE);
}

/** Folders of a remote machine, which an extension in the browser sees under this scheme. */
const REMOTE = 'vscode-remote';

import * as vscode from 'vscode';
import type { FileInterest } from './fileInterest.ts';
import { findFolderFile } from './folderFiles.ts';
import { type Entry, type Walk, type WalkOptions, walkFolders } from './walkFolders.ts';

/** Applies to the bytes of a file and to the characters of an open document. */
export const MAX_READ_BYTES = 1024 * 1024;

type ListOptions = Omit<WalkOptions<vscode.Uri>, 'interest' | 'list'>;

/** Lists the files of interest in the workspace, bounded in number. */
export function listFiles(interest: FileInterest, options: ListOptions): Walk<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return walkFolders(folders, { ...options, interest, list: listFolder });
}

/** The text of a file of the workspace; empty where it is too large, missing, a symbolic link, or elsewhere. */
export async function readTextFile(uri: vscode.Uri): Promise<string> {
  const found = findFolderFile(uri);
  const bytes = await found?.files.read(found.path, MAX_READ_BYTES);
  return bytes ? new TextDecoder().decode(bytes) : '';
}

/** A folder of the workspace; empty where it is missing or elsewhere. */
export async function listFolder(folder: vscode.Uri): Promise<readonly Entry<vscode.Uri>[]> {
  const found = findFolderFile(folder);
  const entries = (await found?.files.list(found.path)) ?? [];
  return entries.map(({ name, kind }) => ({ name, kind, at: vscode.Uri.joinPath(folder, name) }));
}

import * as vscode from 'vscode';
import type { FolderEntry, ProjectFiles } from '../../core/index.ts';
import { loadNodeFiles } from '../files/nodeFiles.ts';
import type { FileInterest } from './fileInterest.ts';
import {
  createDiskProjectFiles,
  type Entry,
  type Walk,
  type WalkOptions,
  walkFolders,
} from './walkFolders.ts';

/** Applies to the bytes of a file and to the characters of an open document. */
export const MAX_READ_BYTES = 1024 * 1024;

type ListOptions = Omit<WalkOptions<vscode.Uri>, 'interest' | 'list'>;

/**
 * Lists the files of interest in the workspace, bounded in number. Local files are read by Node, since the editor
 * handles each request through the window; a virtual workspace is read by the editor.
 */
export function listFiles(interest: FileInterest, options: ListOptions): Walk<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return walkFolders(folders, { ...options, interest, list: listFolder });
}

/** The text of a file; empty where it is too large or missing. */
export async function readTextFile(uri: vscode.Uri): Promise<string> {
  try {
    const bytes = (await readFromDisk(uri)) ?? (await readByEditor(uri));
    return bytes.length > MAX_READ_BYTES ? '' : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

/** Undefined unless it is a regular file on disk: the editor resolves links. */
async function readFromDisk(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  const disk = await findDisk(uri);
  const stat = await disk?.stat(uri.fsPath);
  if (!disk || stat?.kind !== 'file') return undefined;
  return (await disk.read(uri.fsPath, MAX_READ_BYTES)) ?? new Uint8Array();
}

async function readByEditor(uri: vscode.Uri): Promise<Uint8Array> {
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > MAX_READ_BYTES ? new Uint8Array() : vscode.workspace.fs.readFile(uri);
}

/** Empty where the folder is missing. */
export async function listFolder(folder: vscode.Uri): Promise<readonly Entry<vscode.Uri>[]> {
  try {
    const disk = await findDisk(folder);
    const entries = disk ? await disk.list(folder.fsPath) : await listByEditor(folder);
    return entries.map(({ name, kind }) => ({ name, kind, at: vscode.Uri.joinPath(folder, name) }));
  } catch {
    return [];
  }
}

async function listByEditor(folder: vscode.Uri): Promise<readonly FolderEntry[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  return entries.map(([name, type]) => ({ name, kind: toEntryKind(type) }));
}

async function findDisk({ scheme }: vscode.Uri): Promise<ProjectFiles | undefined> {
  const fs = scheme === 'file' ? await loadNodeFiles() : undefined;
  return fs && createDiskProjectFiles(fs);
}

/** A symbolic link combines two types, and counts as `other`. */
export function toEntryKind(type: vscode.FileType): Entry<vscode.Uri>['kind'] {
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

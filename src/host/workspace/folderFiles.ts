import * as vscode from 'vscode';
import {
  createFilesInside,
  type FolderEntry,
  lazy,
  type ProjectFiles,
  systemClock,
} from '../../core/index.ts';
import { loadNodeFiles } from '../files/nodeFiles.ts';

/** A file of a workspace folder. */
export interface FolderFile {
  readonly root: vscode.Uri;
  /** Of the folder. */
  readonly files: ProjectFiles;
  /** From the folder. */
  readonly path: string;
}

/** Finds a file or folder in the workspace folder that contains it; undefined outside of the workspace. */
export function findFolderFile(uri: vscode.Uri): FolderFile | undefined {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  return (
    root && { root, files: getFolderFiles(root), path: uri.path.slice(root.path.length).replace(/^\//, '') }
  );
}

/**
 * Whether a file can be written by its name: nothing on the way to it is a symbolic link, and what exists is a folder, or
 * for the file itself a file. False outside of the workspace.
 */
export async function isWrittenInside(uri: vscode.Uri): Promise<boolean> {
  const found = findFolderFile(uri);
  if (!found) return false;
  const names = found.path.split('/').filter(Boolean);
  for (let length = 1; length <= names.length; length++) {
    const stat = await found.files.stat(names.slice(0, length).join('/'));
    if (stat && stat.kind !== (length === names.length ? 'file' : 'folder')) return false;
  }
  return true;
}

const filesOfFolders = new Map<string, ProjectFiles>();
/** More than a workspace has folders. */
const MAX_FOLDERS = 100;

/**
 * The files of a workspace folder, the only way to read one: nothing outside of the folder, and through no symbolic link
 * that leads there, or to a file. Local ones are read by Node, since the editor handles each request through the window,
 * which takes twenty times as long for thousands of files, and follows links.
 */
export function getFolderFiles(root: vscode.Uri): ProjectFiles {
  const key = root.toString();
  const known = filesOfFolders.get(key);
  if (known) return known;
  if (filesOfFolders.size >= MAX_FOLDERS) filesOfFolders.clear();
  const open = lazy(async () => {
    const fs = root.scheme === 'file' ? await loadNodeFiles() : undefined;
    return fs ? createFilesInside(fs, root.fsPath) : createEditorFiles(root);
  });
  const files: ProjectFiles = {
    list: async (folder) => (await open()).list(folder),
    stat: async (path) => (await open()).stat(path),
    read: async (path, maxBytes) => (await open()).read(path, maxBytes),
  };
  filesOfFolders.set(key, files);
  return files;
}

/** Each check of a folder may take a request to the host of the repository. */
const CHECK_TTL_MS = 5_000;
/** More folders than the sources of a workspace are in. */
const MAX_CHECKED_FOLDERS = 20_000;

/**
 * Files through the editor's file system, also in a virtual workspace. It does not say where a link leads, so that none is
 * followed: each folder on the way must be one.
 */
function createEditorFiles(root: vscode.Uri): ProjectFiles {
  const { fs } = vscode.workspace;
  const checks = new Map<string, { readonly at: number; readonly isFolder: Promise<boolean> }>();

  function isFolder(uri: vscode.Uri): Promise<boolean> {
    const now = systemClock.elapsed();
    const known = checks.get(uri.path);
    if (known && now - known.at < CHECK_TTL_MS) return known.isFolder;
    if (checks.size >= MAX_CHECKED_FOLDERS) checks.clear();
    const check = stat(uri).then((found) => found?.kind === 'folder');
    checks.set(uri.path, { at: now, isFolder: check });
    // One that is missing may be made at any time.
    void check.then((is) => is || checks.delete(uri.path));
    return check;
  }

  async function stat(uri: vscode.Uri) {
    try {
      const { type, size, mtime } = await fs.stat(uri);
      return { kind: toEntryKind(type), size, modified: mtime };
    } catch {
      return undefined;
    }
  }

  /** Undefined where a link, or anything else that is no folder, is on the way. */
  async function find(path: string): Promise<vscode.Uri | undefined> {
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    if (names.includes('..')) return undefined;
    let uri = root;
    for (const name of names) {
      if (uri !== root && !(await isFolder(uri))) return undefined;
      uri = vscode.Uri.joinPath(uri, name);
    }
    return uri;
  }

  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      const uri = await find(folder);
      if (!uri || (uri !== root && !(await isFolder(uri)))) return [];
      const entries = await fs.readDirectory(uri).then(undefined, () => []);
      return entries.map(([name, type]) => ({ name, kind: toEntryKind(type) }));
    },
    async stat(path) {
      const uri = await find(path);
      return uri && stat(uri);
    },
    async read(path, maxBytes) {
      const uri = await find(path);
      const found = uri && (await stat(uri));
      if (found?.kind !== 'file' || found.size > maxBytes) return undefined;
      const bytes = await fs.readFile(uri as vscode.Uri).then(undefined, () => undefined);
      return bytes && bytes.length <= maxBytes ? bytes : undefined;
    },
  };
}

/** A symbolic link combines two types, and counts as `other`. */
function toEntryKind(type: vscode.FileType): FolderEntry['kind'] {
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

import * as vscode from 'vscode';
import type { FolderEntry, ProjectFiles } from '../../core/index.ts';
import { diskProjectFiles } from '../files/diskProjectFiles.ts';
import { nodeFiles } from '../files/nodeFiles.ts';

/** The folders of the workspace as one tree: of several, each below a name of its own. */
export interface WorkspaceRoots {
  /** Paths of the folders; the empty one where there is one folder only. */
  readonly paths: readonly string[];
  uriOf(path: string): vscode.Uri | undefined;
  pathOf(uri: vscode.Uri): string | undefined;
}

export function workspaceRoots(folders: readonly vscode.WorkspaceFolder[]): WorkspaceRoots {
  const roots = new Map<string, vscode.Uri>();
  for (const { name, uri } of folders) {
    const plain = name.replaceAll('/', '_');
    let path = folders.length === 1 ? '' : plain;
    for (let nth = 2; roots.has(path); nth++) path = `${plain} (${nth})`;
    roots.set(path, uri);
  }
  return {
    paths: [...roots.keys()],
    uriOf(path) {
      const whole = roots.get('');
      if (whole) return vscode.Uri.joinPath(whole, path);
      const slash = path.indexOf('/');
      const root = roots.get(slash < 0 ? path : path.slice(0, slash));
      return root && vscode.Uri.joinPath(root, slash < 0 ? '' : path.slice(slash + 1));
    },
    pathOf(uri) {
      let found: { readonly length: number; readonly path: string } | undefined;
      for (const [path, root] of roots) {
        if (root.scheme !== uri.scheme || root.authority !== uri.authority) continue;
        const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
        if (!uri.path.startsWith(start) || (found && found.length > start.length)) continue;
        const inside = uri.path.slice(start.length);
        found = { length: start.length, path: path === '' ? inside : `${path}/${inside}` };
      }
      return found?.path;
    },
  };
}

/**
 * The files of the workspace: of this machine's disk by way of Node, as the editor answers each question by way of its
 * window, which for thousands of files takes twenty times as long; all others by the editor.
 */
export function workspaceProjectFiles(roots: WorkspaceRoots): ProjectFiles {
  const editor = editorProjectFiles(roots);
  let disk: Promise<ProjectFiles | undefined> | undefined;
  const at = async (path: string) => {
    const uri = roots.uriOf(path);
    if (uri?.scheme !== 'file') return { files: editor, path };
    disk ??= openDisk();
    const files = await disk;
    return files ? { files, path: uri.fsPath } : { files: editor, path };
  };
  return {
    async list(folder) {
      const { files, path } = await at(folder);
      return files.list(path);
    },
    async stat(file) {
      const { files, path } = await at(file);
      return files.stat(path);
    },
    async read(file, most) {
      const { files, path } = await at(file);
      return files.read(path, most);
    },
  };
}

/** Undefined where there is no Node. */
async function openDisk(): Promise<ProjectFiles | undefined> {
  const fs = await nodeFiles();
  return fs && diskProjectFiles(fs);
}

/** The files of the workspace by the editor's file system: in a virtual workspace too. */
function editorProjectFiles({ uriOf }: WorkspaceRoots): ProjectFiles {
  const { fs } = vscode.workspace;

  async function stat(path: string) {
    const uri = uriOf(path);
    try {
      return uri && (await fs.stat(uri));
    } catch {
      return undefined;
    }
  }

  return {
    async list(folder) {
      const uri = uriOf(folder);
      try {
        const entries = uri ? await fs.readDirectory(uri) : [];
        return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
      } catch {
        return [];
      }
    },
    async stat(path) {
      const found = await stat(path);
      return found && { kind: kindOf(found.type), size: found.size, modified: found.mtime };
    },
    async read(path, most) {
      const uri = uriOf(path);
      const found = await stat(path);
      if (!uri || !found || kindOf(found.type) !== 'file' || found.size > most) return undefined;
      try {
        const bytes = await fs.readFile(uri);
        return bytes.length > most ? undefined : bytes;
      } catch {
        return undefined;
      }
    },
  };
}

/** A symbolic link has two kinds at once, and is `other`. */
function kindOf(type: vscode.FileType): FolderEntry['kind'] {
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

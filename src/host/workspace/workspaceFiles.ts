import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { type Changes, createChangeBatches } from './changeBatches.ts';
import { type ChangeInterest, type ChangeKind, concerns, type FileInterest } from './fileInterest.ts';
import { followNewFolders } from './newFolders.ts';
import { type Entry, type Walk, walkFolders } from './walkFolders.ts';

/** Bytes of a file, and characters of an open document, that are read. */
export const LARGEST_FILE = 1024 * 1024;

/** The files of the workspace, listed and followed for whoever has an interest in some of them. */
export interface WorkspaceFiles {
  /** The files of interest, bounded in number, by the editor's file system: in a virtual workspace too. */
  list(interest: FileInterest, options: { readonly signal: AbortSignal }): Walk<vscode.Uri>;
  /** Whether changes are followed: not in a workspace that is not trusted. */
  readonly isFollowing: boolean;
  /** Calls `changed` after changes to files of interest; names are URIs as text. */
  watch(interest: ChangeInterest, changed: (changes: Changes) => void): vscode.Disposable;
}

/** One watcher of the editor serves all users, from the first that follows files to the last. */
export function createWorkspaceFiles(clock: Clock): WorkspaceFiles {
  const users = new Set<(uri: vscode.Uri | undefined, kind: ChangeKind) => void>();
  let watching: vscode.Disposable | undefined;

  function notify(uri: vscode.Uri | undefined, kind: ChangeKind = 'changed'): void {
    for (const user of users) user(uri, kind);
  }

  return {
    list: (interest, { signal }) => {
      const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
      return walkFolders(folders, { interest, signal, list: listFolder });
    },
    get isFollowing() {
      return watching !== undefined && vscode.workspace.isTrusted;
    },
    watch(interest, changed) {
      const batches = createChangeBatches(clock, changed);
      const user = (uri: vscode.Uri | undefined, kind: ChangeKind) => {
        if (!uri) return batches.add();
        const path = pathInWorkspace(uri);
        if (path && concerns(path, kind, interest)) batches.add(uri.toString());
      };
      users.add(user);
      watching ??= watchWorkspace(notify);
      return new vscode.Disposable(() => {
        batches.dispose();
        users.delete(user);
        if (users.size > 0) return;
        watching?.dispose();
        watching = undefined;
      });
    },
  };
}

/** The text of a file; empty where it is too large, or gone meanwhile. */
export async function readTextFile(uri: vscode.Uri): Promise<string> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > LARGEST_FILE) return '';
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > LARGEST_FILE ? '' : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

/** Follows what people do to files, and the files from when the workspace is trusted; other folders, and trust, change everything. */
function watchWorkspace(notify: (uri: vscode.Uri | undefined, kind?: ChangeKind) => void): vscode.Disposable {
  const watching = new Disposables();
  const each = (uris: readonly vscode.Uri[], kind: ChangeKind) => {
    for (const uri of uris) notify(uri, kind);
  };
  const follow = () => {
    const watcher = watching.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const newFolders = watching.add(followNewFolders((uri) => notify(uri, 'created')));
    watching.add(
      watcher.onDidCreate((uri) => {
        notify(uri, 'created');
        newFolders.made(uri);
      }),
    );
    watching.add(watcher.onDidChange((uri) => notify(uri, 'changed')));
    watching.add(
      watcher.onDidDelete((uri) => {
        notify(uri, 'deleted');
        newFolders.gone(uri);
      }),
    );
  };
  if (vscode.workspace.isTrusted) follow();
  // A watcher of the file system may miss what is in a folder made in one go, and not every file system has one.
  watching.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => notify(uri, 'changed')));
  watching.add(vscode.workspace.onDidCreateFiles(({ files }) => each(files, 'created')));
  watching.add(vscode.workspace.onDidDeleteFiles(({ files }) => each(files, 'deleted')));
  watching.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        notify(oldUri, 'deleted');
        notify(newUri, 'created');
      }
    }),
  );
  watching.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      follow();
      notify(undefined);
    }),
  );
  watching.add(vscode.workspace.onDidChangeWorkspaceFolders(() => notify(undefined)));
  return watching;
}

/** The names of the folders to a file, and its own, from the folder of the workspace on that it is in. */
function pathInWorkspace(uri: vscode.Uri): readonly string[] | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  return folder && uri.path.slice(folder.path.length).split('/').filter(Boolean);
}

async function listFolder(folder: vscode.Uri): Promise<readonly Entry<vscode.Uri>[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.map(([name, type]) => ({
      name,
      kind: kindOf(type),
      at: vscode.Uri.joinPath(folder, name),
    }));
  } catch {
    return [];
  }
}

function kindOf(type: vscode.FileType): Entry<vscode.Uri>['kind'] {
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { type Changes, createChangeBatches } from './changeBatches.ts';
import { type ChangeInterest, type ChangeKind, concerns } from './fileInterest.ts';
import { followNewFolders } from './newFolders.ts';

/** The files of the workspace, followed for whoever has an interest in some of them. */
export interface WorkspaceFiles {
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

import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { isLinux, loadNodeFiles, type NodeFileReader } from '../files/nodeFiles.ts';
import { type Changes, createChangeBatcher } from '../timing.ts';
import { type ChangeInterest, type ChangeKind, isOfInterest } from './fileInterest.ts';

/** Of all that are followed at once; what is in others is seen when the workspace is opened the next time. */
const MAX_WATCHED_FOLDERS = 500;
/** Levels below a folder that is new: `broadcast/Deploy.s.sol/1` has two. */
const MAX_DEPTH = 8;
/** What is made at once, as when packages are installed, is not looked at beyond this. */
const MAX_PENDING_FOLDERS = 1_000;

/** Follows what changes in folders that are new. */
export interface NewFolders extends vscode.Disposable {
  /** The editor has told of something new, which may be a folder. */
  onCreated(uri: vscode.Uri): void;
  /** The editor has told that something is gone. */
  onDeleted(uri: vscode.Uri): void;
}

/**
 * Where folders are made at once with others in them, as by a first build or deployment, VS Code's watcher on Linux tells
 * of the uppermost only, and never of what changes in the others: these are followed here.
 */
function watchNewFolders(notify: (uri: vscode.Uri) => void): NewFolders {
  const followed = new Map<string, AbortController>();
  let isDisposed = false;
  let looking = Promise.resolve();
  let waiting = 0;

  /** One after the other: there may be many. */
  function queue(look: (fs: NodeFileReader) => Promise<void>): void {
    if (isDisposed || waiting >= MAX_PENDING_FOLDERS) return;
    waiting++;
    looking = looking
      .then(async () => {
        waiting--;
        const fs = isDisposed ? undefined : await loadNodeFiles();
        if (fs) await look(fs);
      })
      // What cannot be looked at is not followed; the others are.
      .catch(() => undefined);
  }

  /** @returns whether any folder is there. */
  async function followBelow(fs: NodeFileReader, folder: vscode.Uri, levels = MAX_DEPTH): Promise<boolean> {
    if (levels === 0 || followed.size >= MAX_WATCHED_FOLDERS) return false;
    const entries = await fs.readdir(folder.fsPath, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory() && !isPassedOver(entry.name));
    for (const { name } of folders) {
      const at = vscode.Uri.joinPath(folder, name);
      // First itself, so that nothing is made in it between.
      void follow(fs, at);
      await followBelow(fs, at, levels - 1);
    }
    return folders.length > 0;
  }

  async function follow(fs: NodeFileReader, folder: vscode.Uri): Promise<void> {
    const path = folder.fsPath;
    if (isDisposed || (followed.size >= MAX_WATCHED_FOLDERS && !followed.has(path))) return;
    followed.get(path)?.abort();
    const stop = new AbortController();
    followed.set(path, stop);
    try {
      for await (const { eventType, filename } of fs.watch(path, {
        persistent: false,
        signal: stop.signal,
      })) {
        if (filename === null) continue;
        const at = vscode.Uri.joinPath(folder, filename);
        notify(at);
        if (eventType === 'rename' && !isPassedOver(filename)) queue((files) => lookAt(files, at));
      }
    } catch {
      // It is gone, or no more may be followed on this machine.
    } finally {
      if (followed.get(path) === stop) followed.delete(path);
    }
  }

  /** Something in a followed folder is new, or gone. */
  async function lookAt(fs: NodeFileReader, uri: vscode.Uri): Promise<void> {
    const stats = await fs.lstat(uri.fsPath).catch(() => undefined);
    if (!stats) return leave(uri);
    if (!stats.isDirectory()) return;
    void follow(fs, uri);
    if (await followBelow(fs, uri)) notify(uri);
  }

  function leave(uri: vscode.Uri): void {
    for (const [path, stop] of followed) {
      if (path === uri.fsPath || path.startsWith(`${uri.fsPath}/`)) stop.abort();
    }
  }

  return {
    onCreated(uri) {
      if (uri.scheme !== 'file' || !isLinux() || uri.path.split('/').some(isPassedOver)) return;
      queue(async (fs) => {
        // The editor follows what it tells of.
        followed.get(uri.fsPath)?.abort();
        if (await followBelow(fs, uri)) notify(uri);
      });
    },
    onDeleted: leave,
    dispose() {
      isDisposed = true;
      for (const stop of followed.values()) stop.abort();
    },
  };
}

function isPassedOver(folderName: string): boolean {
  return folderName === 'node_modules' || folderName === '.git';
}

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
      const batches = createChangeBatcher(clock, changed);
      const user = (uri: vscode.Uri | undefined, kind: ChangeKind) => {
        if (!uri) return batches.add();
        const path = pathInWorkspace(uri);
        if (path && isOfInterest(path, kind, interest)) batches.add(uri.toString());
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
    const newFolders = watching.add(watchNewFolders((uri) => notify(uri, 'created')));
    watching.add(
      watcher.onDidCreate((uri) => {
        notify(uri, 'created');
        newFolders.onCreated(uri);
      }),
    );
    watching.add(watcher.onDidChange((uri) => notify(uri, 'changed')));
    watching.add(
      watcher.onDidDelete((uri) => {
        notify(uri, 'deleted');
        newFolders.onDeleted(uri);
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

import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { isLinux, loadNodeFiles, type NodeFiles } from '../files/nodeFiles.ts';
import { type Changes, createChangeBatcher } from '../timing.ts';
import { type ChangeInterest, type ChangeKind, isOfInterest } from './fileInterest.ts';

export interface WorkspaceFiles {
  /** Whether changes are watched; false in an untrusted workspace. */
  readonly isFollowing: boolean;
  /** Calls `changed` after changes to files of interest; the names are URIs as text. */
  watch(interest: ChangeInterest, changed: (changes: Changes) => void): vscode.Disposable;
  /** Has every listener read its files again: the editor may miss a change. */
  refresh(): void;
}

/** Shares one watcher of the editor from the first listener to the last. */
export function createWorkspaceFiles(clock: Clock): WorkspaceFiles {
  const listeners = new Set<(uri: vscode.Uri | undefined, kind: ChangeKind) => void>();
  let watcher: vscode.Disposable | undefined;

  function notify(uri: vscode.Uri | undefined, kind: ChangeKind = 'changed'): void {
    for (const listener of listeners) listener(uri, kind);
  }

  return {
    get isFollowing() {
      return watcher !== undefined && vscode.workspace.isTrusted;
    },
    watch(interest, changed) {
      const batches = createChangeBatcher(clock, changed);
      const listener = (uri: vscode.Uri | undefined, kind: ChangeKind) => {
        if (!uri) return batches.add();
        const path = pathInWorkspace(uri);
        if (path && isOfInterest(path, kind, interest)) batches.add(uri.toString());
      };
      listeners.add(listener);
      watcher ??= watchWorkspace(notify, clock);
      return new vscode.Disposable(() => {
        batches.dispose();
        listeners.delete(listener);
        if (listeners.size > 0) return;
        watcher?.dispose();
        watcher = undefined;
      });
    },
    refresh: () => notify(undefined),
  };
}

/**
 * Watches file operations in the editor, and the file system once the workspace is trusted. A change of folders or
 * of trust counts as a change of everything.
 */
function watchWorkspace(
  notify: (uri: vscode.Uri | undefined, kind?: ChangeKind) => void,
  clock: Clock,
): vscode.Disposable {
  const disposables = new Disposables();
  const notifyAll = (uris: readonly vscode.Uri[], kind: ChangeKind) => {
    for (const uri of uris) notify(uri, kind);
  };
  const watchFiles = () => {
    const watcher = disposables.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const newFolders = disposables.add(watchNewFolders((uri) => notify(uri, 'created')));
    disposables.add(
      watcher.onDidCreate((uri) => {
        notify(uri, 'created');
        newFolders.onCreated(uri);
      }),
    );
    disposables.add(watcher.onDidChange((uri) => notify(uri, 'changed')));
    disposables.add(
      watcher.onDidDelete((uri) => {
        notify(uri, 'deleted');
        newFolders.onDeleted(uri);
      }),
    );
  };
  if (vscode.workspace.isTrusted) watchFiles();
  // The watcher may miss files in a folder that is created at once, and some file systems have none.
  disposables.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => notify(uri, 'changed')));
  disposables.add(vscode.workspace.onDidCreateFiles(({ files }) => notifyAll(files, 'created')));
  disposables.add(vscode.workspace.onDidDeleteFiles(({ files }) => notifyAll(files, 'deleted')));
  disposables.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        notify(oldUri, 'deleted');
        notify(newUri, 'created');
      }
    }),
  );
  disposables.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      watchFiles();
      notify(undefined);
    }),
  );
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => notify(undefined)));
  if (isVirtualWorkspace()) disposables.add(rereadOnFocus(notify, clock));
  return disposables;
}

/** Nothing reports what others push to a repository that is not on disk. */
function rereadOnFocus(notify: (uri: undefined) => void, clock: Clock): vscode.Disposable {
  let readAt = clock.elapsed();
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (!focused || clock.elapsed() - readAt < REREAD_INTERVAL_MS) return;
    readAt = clock.elapsed();
    notify(undefined);
  });
}

/** Reading takes a request for each folder and file, of which a host of repositories allows some thousand an hour. */
const REREAD_INTERVAL_MS = 5 * 60_000;

/** The path of a file within its workspace folder, as a list of names. */
function pathInWorkspace(uri: vscode.Uri): readonly string[] | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  return folder && uri.path.slice(folder.path.length).split('/').filter(Boolean);
}

interface NewFolders extends vscode.Disposable {
  /** Call when the editor reports a new entry, which may be a folder. */
  onCreated(uri: vscode.Uri): void;
  /** Call when the editor reports a removed entry. */
  onDeleted(uri: vscode.Uri): void;
}

/** Further folders are only read when the workspace is next opened. */
const MAX_WATCHED_FOLDERS = 500;
/** Levels below a new folder: `broadcast/Deploy.s.sol/1` has two. */
const MAX_DEPTH = 8;
/** Folders beyond this that are created at once, for example by installing packages, are ignored. */
const MAX_PENDING_FOLDERS = 1_000;

/**
 * On Linux, VS Code's watcher misses nested folders that are created together, as by a first build or deployment:
 * it reports the outermost one only, and no change in the others. This watches those.
 */
function watchNewFolders(notify: (uri: vscode.Uri) => void): NewFolders {
  const watched = new Map<string, AbortController>();
  let isDisposed = false;
  let lastCheck = Promise.resolve();
  let pendingChecks = 0;

  /** Runs checks one after another, since there may be many. */
  function queue(check: (fs: NodeFiles) => Promise<void>): void {
    if (isDisposed || pendingChecks >= MAX_PENDING_FOLDERS) return;
    pendingChecks++;
    lastCheck = lastCheck
      .then(async () => {
        pendingChecks--;
        const fs = isDisposed ? undefined : await loadNodeFiles();
        if (fs) await check(fs);
      })
      // A folder that cannot be read is not watched; the others are.
      .catch(() => undefined);
  }

  /** @returns whether there are subfolders. */
  async function watchSubfolders(fs: NodeFiles, folder: vscode.Uri, depth = MAX_DEPTH): Promise<boolean> {
    if (depth === 0 || watched.size >= MAX_WATCHED_FOLDERS) return false;
    const { listFolder } = await import('./listFiles.ts');
    const entries = await listFolder(folder);
    const folders = entries.filter(({ kind, name }) => kind === 'folder' && !isIgnoredFolder(name));
    for (const { at } of folders) {
      // Before its subfolders, so that nothing created meanwhile is missed.
      void watch(fs, at);
      await watchSubfolders(fs, at, depth - 1);
    }
    return folders.length > 0;
  }

  async function watch(fs: NodeFiles, folder: vscode.Uri): Promise<void> {
    const path = folder.fsPath;
    if (isDisposed || (watched.size >= MAX_WATCHED_FOLDERS && !watched.has(path))) return;
    watched.get(path)?.abort();
    const stop = new AbortController();
    watched.set(path, stop);
    try {
      for await (const { eventType, filename } of fs.watch(path, {
        persistent: false,
        signal: stop.signal,
      })) {
        if (filename === null) continue;
        const at = vscode.Uri.joinPath(folder, filename);
        notify(at);
        if (eventType === 'rename' && !isIgnoredFolder(filename)) queue((files) => checkEntry(files, at));
      }
    } catch {
      // The folder is gone, or the limit of watches on this machine is reached.
    } finally {
      if (watched.get(path) === stop) watched.delete(path);
    }
  }

  /** Handles an entry of a watched folder that was created or removed. */
  async function checkEntry(fs: NodeFiles, uri: vscode.Uri): Promise<void> {
    const stats = await fs.lstat(uri.fsPath).catch(() => undefined);
    if (!stats) return unwatch(uri);
    if (!stats.isDirectory()) return;
    void watch(fs, uri);
    if (await watchSubfolders(fs, uri)) notify(uri);
  }

  function unwatch(uri: vscode.Uri): void {
    for (const [path, stop] of watched) {
      if (path === uri.fsPath || path.startsWith(`${uri.fsPath}/`)) stop.abort();
    }
  }

  return {
    onCreated(uri) {
      if (uri.scheme !== 'file' || !isLinux() || uri.path.split('/').some(isIgnoredFolder)) return;
      queue(async (fs) => {
        // The editor watches what it reports.
        watched.get(uri.fsPath)?.abort();
        if (await watchSubfolders(fs, uri)) notify(uri);
      });
    },
    onDeleted: unwatch,
    dispose() {
      isDisposed = true;
      for (const stop of watched.values()) stop.abort();
    },
  };
}

function isIgnoredFolder(folderName: string): boolean {
  return folderName === 'node_modules' || folderName === '.git';
}

/** Whether the folders are on no disk, as a repository in vscode.dev: only what is committed is there. */
export function isVirtualWorkspace(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && !folders.some(({ uri }) => uri.scheme === 'file' || uri.scheme === REMOTE);
}

/** Folders of a remote machine, which an extension in the browser sees under this scheme. */
const REMOTE = 'vscode-remote';

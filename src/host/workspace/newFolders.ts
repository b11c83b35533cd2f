import * as vscode from 'vscode';
import { type NodeReading, nodeFiles } from '../files/nodeFiles.ts';
import { isOnLinux } from '../files/processes.ts';

/** Of all that are followed at once; what is in others is seen when the workspace is opened the next time. */
const MOST_FOLLOWED = 500;
/** Levels below a folder that is new: `broadcast/Deploy.s.sol/1` has two. */
const DEEPEST = 8;
/** What is made at once, as when packages are installed, is not looked at beyond this. */
const MOST_WAITING = 1_000;

/** Follows what changes in folders that are new. */
export interface NewFolders extends vscode.Disposable {
  /** The editor has told of something new, which may be a folder. */
  made(uri: vscode.Uri): void;
  /** The editor has told that something is gone. */
  gone(uri: vscode.Uri): void;
}

/**
 * Where folders are made at once with others in them, as by a first build or deployment, VS Code's watcher on Linux tells
 * of the uppermost only, and never of what changes in the others: these are followed here.
 */
export function followNewFolders(notify: (uri: vscode.Uri) => void): NewFolders {
  const followed = new Map<string, AbortController>();
  let isDisposed = false;
  let looking = Promise.resolve();
  let waiting = 0;

  /** One after the other: there may be many. */
  function queue(look: (fs: NodeReading) => Promise<void>): void {
    if (isDisposed || waiting >= MOST_WAITING) return;
    waiting++;
    looking = looking
      .then(async () => {
        waiting--;
        const fs = isDisposed ? undefined : await nodeFiles();
        if (fs) await look(fs);
      })
      // What cannot be looked at is not followed; the others are.
      .catch(() => undefined);
  }

  /** @returns whether any folder is there. */
  async function followBelow(fs: NodeReading, folder: vscode.Uri, levels = DEEPEST): Promise<boolean> {
    if (levels === 0 || followed.size >= MOST_FOLLOWED) return false;
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

  async function follow(fs: NodeReading, folder: vscode.Uri): Promise<void> {
    const path = folder.fsPath;
    if (isDisposed || (followed.size >= MOST_FOLLOWED && !followed.has(path))) return;
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
  async function lookAt(fs: NodeReading, uri: vscode.Uri): Promise<void> {
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
    made(uri) {
      if (uri.scheme !== 'file' || !isOnLinux() || uri.path.split('/').some(isPassedOver)) return;
      queue(async (fs) => {
        // The editor follows what it tells of.
        followed.get(uri.fsPath)?.abort();
        if (await followBelow(fs, uri)) notify(uri);
      });
    },
    gone: leave,
    dispose() {
      isDisposed = true;
      for (const stop of followed.values()) stop.abort();
    },
  };
}

function isPassedOver(folderName: string): boolean {
  return folderName === 'node_modules' || folderName === '.git';
}

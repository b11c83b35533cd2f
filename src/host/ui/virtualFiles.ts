import * as vscode from 'vscode';
import type { Disposables } from '../disposables.ts';

/**
 * Serves read-only files of schemes. The editor restores their tabs after a reload, and reads their texts when it shows
 * them. Returns what makes it read an open file again.
 */
export function registerVirtualFiles(
  schemes: readonly string[],
  readFile: (uri: vscode.Uri) => Promise<Uint8Array>,
  disposables: Disposables,
): VirtualFileChanges {
  const changed: VirtualFileChanges = disposables.add(new vscode.EventEmitter());
  let time = 0;
  const refuse = () => {
    throw new Error();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    // The editor reads a file again only if its time is another one.
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: ++time, size: 0 }),
    readFile,
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  for (const scheme of schemes) {
    disposables.add(vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true }));
  }
  return changed;
}

export type VirtualFileChanges = vscode.EventEmitter<vscode.FileChangeEvent[]>;

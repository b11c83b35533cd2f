import * as vscode from 'vscode';
import { Disposables } from '../../../host/disposables.ts';
import { ifThere } from '../../../host/files/ifThere.ts';
import type { BookFiles } from './sharedBook.ts';

/** Far more than an address book that is full; what is larger is none. */
const LARGEST = 4 * 1024 * 1024;

export interface SharedFiles extends BookFiles {
  /** Calls `changed` when any of the files may have changed. */
  watch(changed: () => void): vscode.Disposable;
}

/** Address books as files in a folder that all windows share. */
export function createBookFiles(folder: vscode.Uri): SharedFiles {
  const { fs } = vscode.workspace;
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  return {
    async list(prefix) {
      const found = (await ifThere(fs.readDirectory(folder))) ?? [];
      return found.map(([name]) => name).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
    },
    async read(name) {
      const stat = await ifThere(fs.stat(at(name)));
      if (stat && stat.size > LARGEST) return '';
      const content = stat && (await ifThere(fs.readFile(at(name))));
      return content && new TextDecoder().decode(content);
    },
    async write(name, content) {
      await fs.writeFile(at(name), new TextEncoder().encode(content));
    },
    async remove(name) {
      await fs.delete(at(name), { recursive: false, useTrash: false });
    },
    watch(changed) {
      const watching = new Disposables();
      const begin = () => {
        const pattern = new vscode.RelativePattern(folder, '*.json');
        const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
        for (const part of [watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed)]) {
          watching.add(part);
        }
      };
      // For a folder that is not there yet a watcher looks every few seconds only.
      void fs.createDirectory(folder).then(begin, () => undefined);
      // Where no watcher reaches the folder.
      watching.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()));
      return watching;
    },
  };
}

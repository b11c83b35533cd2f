import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';

/** How long one folder waits for its news before another is made, and how many are made. */
const NEWS_MS = 2_000;
const MAX_TRIES = 30;

/**
 * A new folder of which the editor's watcher has told, so that it tells of what changes in it. The watcher starts in
 * its own time, and misses what is made in a new folder before it looks there: so one folder at a time.
 */
export async function watchedFolder(name: string, parent: Uri = workspaceRoot()): Promise<Uri> {
  const watcher = workspace.createFileSystemWatcher('**/*');
  const told = new Set<string>();
  let wake = () => {};
  watcher.onDidCreate((uri) => {
    told.add(uri.toString());
    wake();
  });
  try {
    for (let nth = 1; nth <= MAX_TRIES; nth++) {
      const folder = Uri.joinPath(parent, nth === 1 ? name : `${name}-${nth}`);
      await workspace.fs.createDirectory(folder);
      const deadline = Date.now() + NEWS_MS;
      while (!told.has(folder.toString()) && Date.now() < deadline) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, NEWS_MS);
        });
      }
      if (told.has(folder.toString())) return folder;
    }
    assert.fail(`The editor's watcher tells of no new folder in ${parent.path}.`);
  } finally {
    watcher.dispose();
  }
}

function workspaceRoot(): Uri {
  return workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
}

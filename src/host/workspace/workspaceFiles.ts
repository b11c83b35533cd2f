import * as vscode from 'vscode';

const MOST_FILES = 2_000;
const MOST_FOLDERS = 1_000;
/** Of a folder with more entries than this, the first that the file system tells. */
const MOST_ENTRIES = 10_000;
/** Bytes of a file, and characters of an open document, that are searched. */
export const LARGEST_FILE = 1024 * 1024;

const textFile =
  /(\.(sol|vy|yul|huff|cairo|move|rs|go|py|rb|java|kt|cs|swift|[mc]?[jt]s|[jt]sx|vue|svelte|json|jsonc|json5|toml|ya?ml|csv|mdx?|txt|sh|graphql|html|env)|^\.env.*)$/i;
const skippedFolder =
  /^(\..*|node_modules|dist|out|build|cache|coverage|artifacts|typechain-types|target|vendor|__pycache__)$/i;

/** How far a walk has come; `cut` once a limit has ended it. */
export interface Walk {
  cut: boolean;
}

/**
 * The files of the workspace that may hold source text, breadth first, bounded in number. Read through the editor's
 * file system, so that it works in a virtual workspace and where there is no search program.
 */
export async function* workspaceTextFiles(walk: Walk, signal: AbortSignal): AsyncGenerator<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  let files = 0;
  for (let read = 0; read < folders.length; read++) {
    const folder = folders[read];
    if (signal.aborted || !folder) return;
    for (const [name, type] of await listFolder(folder, walk)) {
      const uri = vscode.Uri.joinPath(folder, name);
      const fits = type === vscode.FileType.Directory ? folders.length < MOST_FOLDERS : files < MOST_FILES;
      if (type === vscode.FileType.Directory && !skippedFolder.test(name)) {
        if (fits) folders.push(uri);
        else walk.cut = true;
      }
      if (type === vscode.FileType.File && textFile.test(name)) {
        if (!fits) {
          walk.cut = true;
          return;
        }
        files++;
        yield uri;
      }
    }
  }
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

async function listFolder(folder: vscode.Uri, walk: Walk): Promise<readonly [string, vscode.FileType][]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    if (entries.length > MOST_ENTRIES) walk.cut = true;
    return entries.slice(0, MOST_ENTRIES).sort(([a], [b]) => (a < b ? -1 : 1));
  } catch {
    return [];
  }
}

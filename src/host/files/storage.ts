import * as vscode from 'vscode';
import type { TextStore } from '../../core/index.ts';

/**
 * A text file in the extension's storage folder.
 *
 * @param folder may not exist yet.
 * @param most a larger file (in bytes) is not loaded; more than is ever saved.
 */
export function createTextStore(
  folder: vscode.Uri,
  { name, most }: { readonly name: string; readonly most: number },
): TextStore {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, name);
  return {
    async load() {
      const stat = await ifExists(fs.stat(file));
      if (!stat || stat.size > most) return undefined;
      const bytes = await ifExists(fs.readFile(file));
      return bytes && new TextDecoder().decode(bytes);
    },
    async save(text) {
      await fs.createDirectory(folder);
      await fs.writeFile(file, new TextEncoder().encode(text));
    },
  };
}

/** Whether there is a file or folder; false where it cannot be looked up. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** The result of a file operation; undefined where the file is missing. */
export async function ifExists<T>(operation: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

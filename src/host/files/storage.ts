import * as vscode from 'vscode';
import type { TextStore } from '../../core/index.ts';

/** What a step on a file gives; undefined where the file is not there. */
export async function ifExists<T>(step: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/**
 * A text in the storage that the editor has for the extension.
 *
 * @param folder may not be there yet.
 * @param most bytes that are read: more than is ever kept.
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

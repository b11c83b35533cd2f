import * as vscode from 'vscode';
import type { KeptText } from '../../core/index.ts';
import { ifThere } from './ifThere.ts';

/**
 * A text in the storage that the editor has for the extension, or for it in this workspace.
 *
 * @param mostBytes of a file: a larger one is not ours, and is passed over.
 */
export function keptText(folder: vscode.Uri, name: string, mostBytes: number): KeptText {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, name);
  return {
    async load() {
      const stat = await ifThere(fs.stat(file));
      if (!stat || stat.size > mostBytes) return undefined;
      const bytes = await ifThere(fs.readFile(file));
      return bytes && new TextDecoder().decode(bytes);
    },
    async save(text) {
      await fs.createDirectory(folder);
      await fs.writeFile(file, new TextEncoder().encode(text));
    },
  };
}

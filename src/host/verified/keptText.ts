import * as vscode from 'vscode';
import type { KeptText } from '../../core/index.ts';
import { ifThere } from '../files/ifThere.ts';

/** More than is ever kept. */
const LARGEST = 64 * 1024 * 1024;

/** A text in the storage that the editor has for the extension, whatever the workspace. */
export function keptText(folder: vscode.Uri, name: string): KeptText {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, name);
  return {
    async load() {
      const stat = await ifThere(fs.stat(file));
      if (!stat || stat.size > LARGEST) return undefined;
      const bytes = await ifThere(fs.readFile(file));
      return bytes && new TextDecoder().decode(bytes);
    },
    async save(text) {
      await fs.createDirectory(folder);
      await fs.writeFile(file, new TextEncoder().encode(text));
    },
  };
}

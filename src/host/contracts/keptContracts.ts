import * as vscode from 'vscode';
import type { KeptFacts } from '../../core/index.ts';
import { ifThere } from '../files/ifThere.ts';

/** More than is ever kept. */
const LARGEST = 128 * 1024 * 1024;

/** Facts of files in the storage that the editor has for this workspace. */
export function keptContracts(folder: vscode.Uri): KeptFacts {
  const { fs } = vscode.workspace;
  const file = vscode.Uri.joinPath(folder, 'contracts.ndjson');
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

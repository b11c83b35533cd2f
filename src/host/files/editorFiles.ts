import * as vscode from 'vscode';
import { concatBytes } from '../../core/index.ts';
import type { Draft } from './draft.ts';
import { ifThere } from './ifThere.ts';
import { PlaceRefused } from './placeRefused.ts';
import { isWorkPath } from './workNames.ts';

/**
 * `workspace.fs` writes only whole files, so a file on a file system of the editor is held in memory until it is
 * committed, and this is the most of it.
 */
export const mostHeldBytes = 256 * 1024 * 1024;

export class TooLarge extends Error {}

/** Whether a regular file is at `uri`, or a link to one. @throws PlaceRefused, or the error of the file system. */
export async function isInEditor(uri: vscode.Uri): Promise<boolean> {
  const found = await ifThere(vscode.workspace.fs.stat(uri));
  if (!found) return false;
  if (found.type & vscode.FileType.Directory) throw new PlaceRefused('folder');
  if (!(found.type & vscode.FileType.File)) throw new PlaceRefused('special');
  if (found.permissions && found.permissions & vscode.FilePermission.Readonly) {
    throw new PlaceRefused('protected');
  }
  if (found.size > mostHeldBytes) throw new TooLarge();
  return true;
}

/**
 * Makes the unfinished file, empty as yet, after proving that the file system takes the name of the place. A file that
 * is replaced is written where it is, so that it stays what it was but for its content.
 *
 * @throws PlaceRefused, or the error of the file system.
 */
export async function openInEditor(target: vscode.Uri, found: boolean, part: vscode.Uri): Promise<Draft> {
  const { fs } = vscode.workspace;
  const keepOthers = { overwrite: false };
  let chunks: Uint8Array[] = [];
  let length = 0;
  let whole: Uint8Array = new Uint8Array();
  let before: Uint8Array | 'nothing' | undefined;
  await fs.writeFile(part, whole);
  const draft: Draft = {
    async append(chunk) {
      length += chunk.length;
      if (length > mostHeldBytes) throw new TooLarge();
      chunks.push(chunk);
    },
    async finish() {
      whole = concatBytes(chunks);
      chunks = [];
      if (!found) await fs.writeFile(part, whole);
    },
    async replace() {
      const now = await isInEditor(target);
      if (now && !found) throw new PlaceRefused('appeared');
      if (now) {
        before = await fs.readFile(target);
        await fs.writeFile(target, whole);
      } else {
        if (found) await fs.writeFile(part, whole);
        await fs.rename(part, target, keepOthers);
        before = 'nothing';
      }
    },
    async undo() {
      if (before === 'nothing') await fs.delete(target, { recursive: false, useTrash: false });
      else if (before) await fs.writeFile(target, before);
      before = undefined;
    },
    async settle() {
      before = undefined;
    },
    async discard() {
      chunks = [];
      await removeInEditor(part).catch(() => undefined);
    },
  };
  if (found) return draft;
  try {
    await fs.rename(part, target, keepOthers);
    await fs.rename(target, part, keepOthers);
  } catch (error) {
    await draft.discard();
    throw error;
  }
  return draft;
}

/** Removes an unfinished file: of a name that only those have, and regular. */
export async function removeInEditor(uri: vscode.Uri): Promise<void> {
  if (!isWorkPath(uri.path)) return;
  const found = await ifThere(vscode.workspace.fs.stat(uri));
  if (found?.type === vscode.FileType.File) {
    await vscode.workspace.fs.delete(uri, { recursive: false, useTrash: false });
  }
}

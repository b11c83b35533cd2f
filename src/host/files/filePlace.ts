import * as vscode from 'vscode';
import { openOnDisk, putBack, removeWork } from './disk.ts';
import { beside, type Disk, type DiskPlace, findOnDisk, isSamePlace } from './diskPlace.ts';
import type { Draft } from './draft.ts';
import { isInEditor, openInEditor, removeInEditor } from './editorFiles.ts';
import { orFileError, refusedPlace } from './fileError.ts';
import { nodeFiles } from './nodeFiles.ts';
import type { RegisterWork, UnfinishedFile } from './unfinished.ts';
import { workNames } from './workNames.ts';

/** What belongs to a file, and the same of another file that goes with it. */
export type Pair<T> = readonly [T, T];

/** Where a file is to be written, and whether one is there that it replaces. */
export interface FilePlace {
  readonly uri: vscode.Uri;
  readonly exists: boolean;
  /** Opens the unfinished file, and names it to `register` before it is there. */
  readonly open: (register: RegisterWork) => Promise<Draft>;
  readonly onDisk: DiskPlace | undefined;
}

/**
 * Looks at what stands where files are to be written, and changes nothing.
 *
 * @throws FileError where something else than a regular file stands, or none can be.
 */
export async function findPlaces(targets: Pair<vscode.Uri>): Promise<Pair<FilePlace>> {
  const places: Pair<FilePlace> = [await findPlace(targets[0]), await findPlace(targets[1])];
  const [first, second] = places;
  if (first.onDisk && second.onDisk && isSamePlace(first.onDisk, second.onDisk)) {
    throw refusedPlace(second.uri, 'same');
  }
  return places;
}

/** Removes what an export left behind, and gives back what it had set aside. */
export async function removeUnfinished({ part, setAside }: UnfinishedFile): Promise<void> {
  const disk = await diskOf(part);
  if (!disk) return removeInEditor(part);
  await removeWork(disk, part.fsPath);
  if (setAside) await putBack(disk, setAside.old.fsPath, setAside.place.fsPath);
}

/**
 * A disk by way of Node, because that can write a file as it comes: a million logs are half a gigabyte of
 * JSON, and held until the end they take more than twice that. Undefined where the file is not on this machine's disk
 * or there is no Node.
 */
async function diskOf(uri: vscode.Uri): Promise<Disk | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const fs = await nodeFiles();
  return fs && { fs, separator: vscode.Uri.file('/').fsPath };
}

async function findPlace(uri: vscode.Uri): Promise<FilePlace> {
  return orFileError(uri, async () => {
    const disk = await diskOf(uri);
    return disk ? placeOnDisk(disk, uri) : placeInEditor(uri);
  });
}

async function placeOnDisk(disk: Disk, uri: vscode.Uri): Promise<FilePlace> {
  const names = workNames();
  const place = await findOnDisk(disk, uri.fsPath);
  const at = (name: string) => vscode.Uri.file(beside(disk, place.path, name));
  const work: UnfinishedFile = {
    part: at(names.part),
    setAside: { old: at(names.old), place: vscode.Uri.file(place.path) },
  };
  const open = async (register: RegisterWork) => {
    await register(work);
    return openOnDisk(disk, place, names);
  };
  return { uri, exists: place.found !== undefined, open, onDisk: place };
}

async function placeInEditor(uri: vscode.Uri): Promise<FilePlace> {
  const exists = await isInEditor(uri);
  const part = vscode.Uri.joinPath(uri, '..', workNames().part);
  const open = async (register: RegisterWork) => {
    await register({ part });
    return openInEditor(uri, exists, part);
  };
  return { uri, exists, open, onDisk: undefined };
}

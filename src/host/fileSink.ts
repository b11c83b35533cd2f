import * as vscode from 'vscode';
import { plainText } from '../core/index.ts';
import { LEAST_FREE_BYTES, openOnDisk, putBack, removeWork } from './files/disk.ts';
import { beside, type Disk, type DiskPlace, findOnDisk, isSamePlace } from './files/diskPlace.ts';
import { isInEditor, mostHeldBytes, openInEditor, removeInEditor, TooLarge } from './files/editorFiles.ts';
import { type Draft, PlaceRefused, type RefusalReason, workNames } from './files/place.ts';
import type { RegisterWork, UnfinishedFile, UnfinishedFiles } from './files/unfinished.ts';

/** Files in the making. Until all are whole, each stands beside its place under a name of its own. */
export interface FileSet {
  /** One for each place, in their order. */
  readonly files: readonly {
    /** @throws FileError when it cannot be written, or has grown too large to be held. */
    write(chunk: Uint8Array): Promise<void>;
  }[];
  /** Gives all files their places, or none: what was there is put back if one cannot have it. @throws FileError */
  commit(): Promise<void>;
  /** Ends the work, and removes what was not committed. Never throws. */
  discard(): Promise<void>;
}

/** Where a file is to be written, and whether one is there that it replaces. */
export interface FilePlace {
  readonly uri: vscode.Uri;
  readonly exists: boolean;
  /** Opens the unfinished file, and names it to `register` before it is there. */
  readonly open: (register: RegisterWork) => Promise<Draft>;
  readonly onDisk: DiskPlace | undefined;
}

/** A file that could not be written; the message is the file system's. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FileError';
  }
}

/**
 * Looks at what stands where files are to be written, and changes nothing.
 *
 * @throws FileError where something else than a regular file stands, or none can be.
 */
export async function findPlaces(targets: readonly vscode.Uri[]): Promise<readonly FilePlace[]> {
  const places: FilePlace[] = [];
  for (const uri of targets) {
    const place = await mended(uri, () => findPlace(uri));
    const twin = places.find(({ onDisk }) => onDisk && place.onDisk && isSamePlace(onDisk, place.onDisk));
    if (twin) throw new FileError(refusalText('same', uri));
    places.push(place);
  }
  return places;
}

/** Opens all unfinished files. @throws FileError when one cannot be made, or its place takes no file. */
export async function openFiles(places: readonly FilePlace[], unfinished: UnfinishedFiles): Promise<FileSet> {
  const work = unfinished.begin();
  const drafts: { readonly uri: vscode.Uri; readonly draft: Draft }[] = [];
  let leaving = false;
  const discard = async () => {
    await Promise.all(drafts.map(({ draft }) => draft.discard()));
    await work.end(leaving);
  };
  try {
    for (const { uri, open } of places) {
      drafts.push({ uri, draft: await mended(uri, () => open(work.register)) });
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    files: drafts.map(({ uri, draft }) => ({
      write: (chunk) => mended(uri, () => draft.append(chunk)),
    })),
    async commit() {
      for (const { uri, draft } of drafts) await mended(uri, () => draft.finish());
      const begun: Draft[] = [];
      for (const { uri, draft } of drafts) {
        begun.unshift(draft);
        try {
          await mended(uri, () => draft.replace());
        } catch (error) {
          for (const { undo } of begun) {
            await undo().catch(() => {
              leaving = true;
            });
          }
          throw error;
        }
      }
      for (const { draft } of drafts) {
        await draft.settle().catch(() => {
          leaving = true;
        });
      }
    },
    discard,
  };
}

/**
 * Written as it comes, in memory of one chunk. This is the one place that reaches for Node: a million logs are half a
 * gigabyte of JSON, and held until the end they take more than twice that. Undefined where the file is not on this
 * machine's disk or there is no Node.
 */
async function diskOf(uri: vscode.Uri): Promise<Disk | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const fs = await import('node:fs/promises').catch(() => undefined);
  return fs && { fs, separator: vscode.Uri.file('/').fsPath };
}

/** Removes what an export left behind, and gives back what it had set aside. */
export async function removeUnfinished({ part, setAside }: UnfinishedFile): Promise<void> {
  const disk = await diskOf(part);
  if (!disk) return removeInEditor(part);
  await removeWork(disk, part.fsPath);
  if (setAside) await putBack(disk, setAside.old.fsPath, setAside.place.fsPath);
}

async function findPlace(uri: vscode.Uri): Promise<FilePlace> {
  const names = workNames();
  const disk = await diskOf(uri);
  if (!disk) {
    const exists = await isInEditor(uri);
    const part = vscode.Uri.joinPath(uri, '..', names.part);
    const open = async (register: RegisterWork) => {
      await register({ part });
      return openInEditor(uri, exists, part);
    };
    return { uri, exists, open, onDisk: undefined };
  }
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

async function mended<T>(uri: vscode.Uri, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PlaceRefused) throw new FileError(refusalText(error.reason, uri));
    if (error instanceof TooLarge) throw new FileError(tooLarge());
    throw error instanceof FileError ? error : new FileError(error);
  }
}

function refusalText(reason: RefusalReason, uri: vscode.Uri): string {
  const { l10n } = vscode;
  const name = plainText(uri.path.slice(uri.path.lastIndexOf('/') + 1));
  switch (reason) {
    case 'folder':
      return l10n.t('{0} is a folder.', name);
    case 'special':
      return l10n.t('{0} is not a regular file.', name);
    case 'links':
      return l10n.t('{0} is a symbolic link that leads nowhere.', name);
    case 'protected':
      return l10n.t('{0} is write-protected.', name);
    case 'name':
      return l10n.t('The file system takes no file of the name {0}.', name);
    case 'same':
      return l10n.t('{0} leads to the same file as the other name.', name);
    case 'appeared':
      return l10n.t('{0} has been made by another program meanwhile, and was left as it is.', name);
    case 'changed':
      return l10n.t('{0} is no longer a regular file, and was left as it is.', name);
    case 'full':
      return l10n.t(
        'The disk is almost full: its last {0} MiB are left to other programs.',
        LEAST_FREE_BYTES / 1024 / 1024,
      );
  }
}

function tooLarge(): string {
  return vscode.l10n.t(
    'Files of more than {0} MiB can only be written to a local disk.',
    mostHeldBytes / 1024 / 1024,
  );
}

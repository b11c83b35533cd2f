import type * as vscode from 'vscode';
import type { Draft } from './draft.ts';
import { orFileError } from './fileError.ts';
import type { FilePlace, Pair } from './filePlace.ts';
import type { UnfinishedFiles } from './unfinished.ts';

interface FileInTheMaking {
  /** @throws FileError when it cannot be written, or has grown too large to be held. */
  write(chunk: Uint8Array): Promise<void>;
}

/** Two files in the making. Until both are whole, each stands beside its place under a name of its own. */
export interface FileSet {
  readonly files: Pair<FileInTheMaking>;
  /** Gives both files their places, or none: what was there is put back if one cannot have it. @throws FileError */
  commit(): Promise<void>;
  /** Ends the work, and removes what was not committed. Never throws. */
  discard(): Promise<void>;
}

/** Opens the unfinished files. @throws FileError when one cannot be made, or its place takes no file. */
export async function openFiles(places: Pair<FilePlace>, unfinished: UnfinishedFiles): Promise<FileSet> {
  const work = unfinished.begin();
  const drafts: { readonly uri: vscode.Uri; readonly draft: Draft }[] = [];
  let leaving = false;
  const leave = () => {
    leaving = true;
  };

  async function open(place: FilePlace): Promise<FileInTheMaking> {
    const { uri } = place;
    const draft = await orFileError(uri, () => place.open(work.register));
    drafts.push({ uri, draft });
    return { write: (chunk) => orFileError(uri, () => draft.append(chunk)) };
  }

  async function commit(): Promise<void> {
    for (const { uri, draft } of drafts) await orFileError(uri, () => draft.finish());
    const begun: Draft[] = [];
    for (const { uri, draft } of drafts) {
      begun.unshift(draft);
      try {
        await orFileError(uri, () => draft.replace());
      } catch (error) {
        for (const { undo } of begun) await undo().catch(leave);
        throw error;
      }
    }
    for (const { draft } of drafts) await draft.settle().catch(leave);
  }

  async function discard(): Promise<void> {
    await Promise.all(drafts.map(({ draft }) => draft.discard()));
    await work.end(leaving);
  }

  try {
    const files: Pair<FileInTheMaking> = [await open(places[0]), await open(places[1])];
    return { files, commit, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

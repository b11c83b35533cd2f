import * as vscode from 'vscode';
import { LEAST_FREE_BYTES } from './disk.ts';
import { mostHeldBytes, TooLarge } from './editorFiles.ts';
import { fileName } from './fileName.ts';
import { PlaceRefused, type RefusalReason } from './placeRefused.ts';

/** A file that could not be written; the message is the file system's, or says what is in the way. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FileError';
  }
}

/** Runs a step of writing the file at `uri`. @throws FileError, whatever the step fails with. */
export async function orFileError<T>(uri: vscode.Uri, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PlaceRefused) throw refusedPlace(uri, error.reason);
    throw new FileError(error instanceof TooLarge ? tooLarge() : error);
  }
}

export function refusedPlace(uri: vscode.Uri, reason: RefusalReason): FileError {
  const { l10n } = vscode;
  const name = fileName(uri);
  const texts: Readonly<Record<RefusalReason, string>> = {
    folder: l10n.t('{0} is a folder.', name),
    special: l10n.t('{0} is not a regular file.', name),
    links: l10n.t('{0} is a symbolic link that leads nowhere.', name),
    protected: l10n.t('{0} is write-protected.', name),
    name: l10n.t('The file system takes no file of the name {0}.', name),
    same: l10n.t('{0} leads to the same file as the other name.', name),
    appeared: l10n.t('{0} has been made by another program meanwhile, and was left as it is.', name),
    changed: l10n.t('{0} is no longer a regular file, and was left as it is.', name),
    full: l10n.t(
      'The disk is almost full: its last {0} MiB are left to other programs.',
      LEAST_FREE_BYTES / 1024 / 1024,
    ),
  };
  return new FileError(texts[reason]);
}

function tooLarge(): string {
  return vscode.l10n.t(
    'Files of more than {0} MiB can only be written to a local disk.',
    mostHeldBytes / 1024 / 1024,
  );
}

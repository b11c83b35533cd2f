import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Clock, concatBytes } from '../../core/index.ts';
import {
  createTempNames,
  type Disk,
  type DiskPlace,
  type Draft,
  findDiskPlace,
  getSiblingPath,
  isSamePlace,
  isTempPath,
  MIN_FREE_BYTES,
  openDiskDraft,
  PlaceError,
  type PlaceErrorReason,
  removeDiskDraft,
  restoreOriginal,
} from './disk.ts';
import { getFileName } from './fileNames.ts';
import { getProcessId, isProcessAlive, loadNodeFiles } from './nodeFiles.ts';
import { ifExists } from './storage.ts';

/**
 * `workspace.fs` writes only whole files, so a file on a file system of the editor is held in memory until it is
 * committed, and this is the most of it.
 */
const MAX_IN_MEMORY_BYTES = 256 * 1024 * 1024;

class FileTooLargeError extends Error {}

/** Whether a regular file is at `uri`, or a link to one. @throws PlaceRefused, or the error of the file system. */
async function isEditorFile(uri: vscode.Uri): Promise<boolean> {
  const found = await ifExists(vscode.workspace.fs.stat(uri));
  if (!found) return false;
  if (found.type & vscode.FileType.Directory) throw new PlaceError('folder');
  if (!(found.type & vscode.FileType.File)) throw new PlaceError('special');
  if (found.permissions && found.permissions & vscode.FilePermission.Readonly) {
    throw new PlaceError('protected');
  }
  if (found.size > MAX_IN_MEMORY_BYTES) throw new FileTooLargeError();
  return true;
}

/**
 * Makes the unfinished file, empty as yet, after proving that the file system takes the name of the place. A file that
 * is replaced is written where it is, so that it stays what it was but for its content.
 *
 * @throws PlaceRefused, or the error of the file system.
 */
async function openEditorDraft(target: vscode.Uri, found: boolean, part: vscode.Uri): Promise<Draft> {
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
      if (length > MAX_IN_MEMORY_BYTES) throw new FileTooLargeError();
      chunks.push(chunk);
    },
    async finish() {
      whole = concatBytes(chunks);
      chunks = [];
      if (!found) await fs.writeFile(part, whole);
    },
    async replace() {
      const now = await isEditorFile(target);
      if (now && !found) throw new PlaceError('appeared');
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
      await removeEditorDraft(part).catch(() => undefined);
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
async function removeEditorDraft(uri: vscode.Uri): Promise<void> {
  if (!isTempPath(uri.path)) return;
  const found = await ifExists(vscode.workspace.fs.stat(uri));
  if (found?.type === vscode.FileType.File) {
    await vscode.workspace.fs.delete(uri, { recursive: false, useTrash: false });
  }
}

/** A file that could not be written; the message is the file system's, or says what is in the way. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FileError';
  }
}

/** Runs a step of writing the file at `uri`. @throws FileError, whatever the step fails with. */
async function withFileErrors<T>(uri: vscode.Uri, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PlaceError) throw toPlaceFileError(uri, error.reason);
    throw new FileError(error instanceof FileTooLargeError ? tooLarge() : error);
  }
}

function toPlaceFileError(uri: vscode.Uri, reason: PlaceErrorReason): FileError {
  const { l10n } = vscode;
  const name = getFileName(uri);
  const texts: Readonly<Record<PlaceErrorReason, string>> = {
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
      MIN_FREE_BYTES / 1024 / 1024,
    ),
  };
  return new FileError(texts[reason]);
}

function tooLarge(): string {
  return vscode.l10n.t(
    'Files of more than {0} MiB can only be written to a local disk.',
    MAX_IN_MEMORY_BYTES / 1024 / 1024,
  );
}

/** What belongs to a file, and the same of another file that goes with it. */
export type Pair<T> = readonly [T, T];

/** Where a file is to be written, and whether one is there that it replaces. */
export interface TargetFile {
  readonly uri: vscode.Uri;
  readonly exists: boolean;
  /** Opens the unfinished file, and names it to `register` before it is there. */
  readonly open: (register: RegisterUnfinished) => Promise<Draft>;
  readonly onDisk: DiskPlace | undefined;
}

/**
 * Looks at what stands where files are to be written, and changes nothing.
 *
 * @throws FileError where something else than a regular file stands, or none can be.
 */
export async function findTargetFiles(targets: Pair<vscode.Uri>): Promise<Pair<TargetFile>> {
  const places: Pair<TargetFile> = [await findTargetFile(targets[0]), await findTargetFile(targets[1])];
  const [first, second] = places;
  if (first.onDisk && second.onDisk && isSamePlace(first.onDisk, second.onDisk)) {
    throw toPlaceFileError(second.uri, 'same');
  }
  return places;
}

/** Removes what an export left behind, and gives back what it had set aside. */
export async function removeUnfinishedFile({ part, setAside }: UnfinishedFile): Promise<void> {
  const disk = await diskOf(part);
  if (!disk) return removeEditorDraft(part);
  await removeDiskDraft(disk, part.fsPath);
  if (setAside) await restoreOriginal(disk, setAside.old.fsPath, setAside.place.fsPath);
}

/**
 * A disk by way of Node, because that can write a file as it comes: a million logs are half a gigabyte of
 * JSON, and held until the end they take more than twice that. Undefined where the file is not on this machine's disk
 * or there is no Node.
 */
async function diskOf(uri: vscode.Uri): Promise<Disk | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const fs = await loadNodeFiles();
  return fs && { fs, separator: vscode.Uri.file('/').fsPath };
}

async function findTargetFile(uri: vscode.Uri): Promise<TargetFile> {
  return withFileErrors(uri, async () => {
    const disk = await diskOf(uri);
    return disk ? createDiskTarget(disk, uri) : createEditorTarget(uri);
  });
}

async function createDiskTarget(disk: Disk, uri: vscode.Uri): Promise<TargetFile> {
  const names = createTempNames();
  const place = await findDiskPlace(disk, uri.fsPath);
  const at = (name: string) => vscode.Uri.file(getSiblingPath(disk, place.path, name));
  const work: UnfinishedFile = {
    part: at(names.part),
    setAside: { old: at(names.old), place: vscode.Uri.file(place.path) },
  };
  const open = async (register: RegisterUnfinished) => {
    await register(work);
    return openDiskDraft(disk, place, names);
  };
  return { uri, exists: place.found !== undefined, open, onDisk: place };
}

async function createEditorTarget(uri: vscode.Uri): Promise<TargetFile> {
  const exists = await isEditorFile(uri);
  const part = vscode.Uri.joinPath(uri, '..', createTempNames().part);
  const open = async (register: RegisterUnfinished) => {
    await register({ part });
    return openEditorDraft(uri, exists, part);
  };
  return { uri, exists, open, onDisk: undefined };
}

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
export async function openFileSet(places: Pair<TargetFile>, unfinished: UnfinishedFiles): Promise<FileSet> {
  const work = unfinished.begin();
  const drafts: { readonly uri: vscode.Uri; readonly draft: Draft }[] = [];
  let leaving = false;
  const leave = () => {
    leaving = true;
  };

  async function open(place: TargetFile): Promise<FileInTheMaking> {
    const { uri } = place;
    const draft = await withFileErrors(uri, () => place.open(work.register));
    drafts.push({ uri, draft });
    return { write: (chunk) => withFileErrors(uri, () => draft.append(chunk)) };
  }

  async function commit(): Promise<void> {
    for (const { uri, draft } of drafts) await withFileErrors(uri, () => draft.finish());
    const begun: Draft[] = [];
    for (const { uri, draft } of drafts) {
      begun.unshift(draft);
      try {
        await withFileErrors(uri, () => draft.replace());
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

/** What an export makes beside a place, and what it sets aside there until it is whole. */
interface UnfinishedFile {
  readonly part: vscode.Uri;
  readonly setAside?: { readonly old: vscode.Uri; readonly place: vscode.Uri };
}

/** Notes what is about to be made. */
type RegisterUnfinished = (file: UnfinishedFile) => Promise<void>;

interface Work {
  readonly register: RegisterUnfinished;
  /** `leaving`: something could not be put back, which a later sweep tries again. */
  end(leaving: boolean): Promise<void>;
}

interface UnfinishedFiles {
  /** Begins a piece of work, which is known to be alive until it ends. */
  begin(): Work;
  /** Removes what work left behind that ended with its window. Never throws. */
  sweep(remove: (file: UnfinishedFile) => Promise<void>): Promise<void>;
}

/** Milliseconds between two signs of life of a piece of work. */
const HEARTBEAT_INTERVAL_MS = 10_000;
/** Work without a sign of life for so long is over, if its process is too. */
const STALE_AFTER_MS = 60_000;
/** The same where processes cannot be asked about: a computer may have slept. */
const LONG_STALE_AFTER_MS = 24 * 60 * 60_000;
const MAX_ENTRY_BYTES = 64 * 1024;

const Entry = z.object({
  process: z.optional(z.int().check(z.minimum(1))),
  files: z.array(
    z.object({
      part: z.string(),
      setAside: z.optional(z.object({ old: z.string(), place: z.string() })),
    }),
  ),
});

/**
 * Keeps a list of unfinished files in `folder`, an entry for each piece of work in whatever window. A list that cannot
 * be written keeps no work from being done; what that leaves behind after a crash is then not found.
 */
export function createUnfinishedFiles(folder: vscode.Uri, clock: Clock): UnfinishedFiles {
  const { fs } = vscode.workspace;
  return {
    begin() {
      const entry = vscode.Uri.joinPath(folder, `${crypto.randomUUID()}.json`);
      const over = new AbortController();
      const files: unknown[] = [];
      let writing: Promise<unknown> = Promise.resolve();
      const write = () => {
        const content = new TextEncoder().encode(JSON.stringify({ process: getProcessId(), files }));
        writing = writing.then(() => fs.writeFile(entry, content)).catch(() => undefined);
        return writing;
      };
      const giveSigns = async () => {
        for (;;) {
          await clock.sleep(HEARTBEAT_INTERVAL_MS, { signal: over.signal });
          await write();
        }
      };
      return {
        async register({ part, setAside }) {
          const aside = setAside && { old: String(setAside.old), place: String(setAside.place) };
          files.push({ part: String(part), ...(aside && { setAside: aside }) });
          await write();
          if (files.length === 1) void giveSigns().catch(() => undefined);
        },
        async end(leaving) {
          over.abort();
          await writing;
          if (files.length > 0 && !leaving) await fs.delete(entry).then(undefined, () => undefined);
        },
      };
    },
    async sweep(remove) {
      const found = await fs.readDirectory(folder).then(undefined, () => []);
      for (const [name] of found) {
        if (name.endsWith('.json'))
          await sweepEntry(vscode.Uri.joinPath(folder, name), remove).catch(() => undefined);
      }
    },
  };

  async function sweepEntry(uri: vscode.Uri, remove: (file: UnfinishedFile) => Promise<void>): Promise<void> {
    const { mtime, size } = await fs.stat(uri);
    if (size > MAX_ENTRY_BYTES) return;
    const entry = z.parse(Entry, JSON.parse(new TextDecoder().decode(await fs.readFile(uri))));
    const silentFor = Math.abs(clock.now() - mtime);
    const alive = isProcessAlive(entry.process);
    const allowed = alive === undefined ? LONG_STALE_AFTER_MS : STALE_AFTER_MS;
    if (alive || silentFor < allowed) return;
    for (const { part, setAside } of entry.files) {
      const parse = (text: string) => vscode.Uri.parse(text, true);
      const aside = setAside && { old: parse(setAside.old), place: parse(setAside.place) };
      await remove({ part: parse(part), ...(aside && { setAside: aside }) });
    }
    await fs.delete(uri);
  }
}

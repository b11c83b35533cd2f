import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Clock,
  concatBytes,
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
} from '../../core/index.ts';
import { isWebHost } from '../webHost.ts';
import { getFileName } from './fileNames.ts';
import { getProcessId, isProcessAlive, loadNodeFiles } from './nodeFiles.ts';
import { ifExists } from './storage.ts';

/** A file to be written, and whether it replaces one. */
export interface TargetFile {
  readonly uri: vscode.Uri;
  readonly exists: boolean;
  /** Creates the temporary file. Passes its name to `register` first. */
  readonly open: (register: RegisterUnfinished) => Promise<Draft>;
  readonly onDisk: DiskPlace | undefined;
}

/** The same for each of the files that are written together: one, or two. */
export type FileTuple<T> = readonly [T, T?];

/**
 * Checks where the files are to be written, without changing anything.
 *
 * @throws FileError where something other than a regular file exists, or no file can be written.
 */
export async function findTargetFiles(targets: FileTuple<vscode.Uri>): Promise<FileTuple<TargetFile>> {
  const first = await findTargetFile(targets[0]);
  if (!targets[1]) return [first];
  const second = await findTargetFile(targets[1]);
  if (first.onDisk && second.onDisk && isSamePlace(first.onDisk, second.onDisk)) {
    throw toPlaceFileError(second.uri, 'same');
  }
  return [first, second];
}

async function findTargetFile(uri: vscode.Uri): Promise<TargetFile> {
  return withFileErrors(uri, async () => {
    const disk = await findDisk(uri);
    return disk ? createDiskTarget(disk, uri) : createEditorTarget(uri);
  });
}

async function createDiskTarget(disk: Disk, uri: vscode.Uri): Promise<TargetFile> {
  const names = createTempNames();
  const place = await findDiskPlace(disk, uri.fsPath);
  const at = (name: string) => vscode.Uri.file(getSiblingPath(disk, place.path, name));
  const unfinished: UnfinishedFile = {
    part: at(names.part),
    setAside: { old: at(names.old), place: vscode.Uri.file(place.path) },
  };
  const open = async (register: RegisterUnfinished) => {
    await register(unfinished);
    return openDiskDraft(disk, place, names);
  };
  return { uri, exists: place.found !== undefined, open, onDisk: place };
}

async function createEditorTarget(uri: vscode.Uri): Promise<TargetFile> {
  const exists = await isEditorFile(uri);
  // A browser gives access to the chosen file only, not to its folder.
  if (isWebHost) return { uri, exists, open: () => openEditorDraft(uri, exists), onDisk: undefined };
  const part = vscode.Uri.joinPath(uri, '..', createTempNames().part);
  const open = async (register: RegisterUnfinished) => {
    await register({ part });
    return openEditorDraft(uri, exists, part);
  };
  return { uri, exists, open, onDisk: undefined };
}

/**
 * The local disk through Node, which can append to a file: a million logs are half a gigabyte of JSON, and
 * collecting them takes more than twice that memory. Undefined where the file is not local or there is no Node.
 */
async function findDisk(uri: vscode.Uri): Promise<Disk | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const fs = await loadNodeFiles();
  return fs && { fs, separator: vscode.Uri.file('/').fsPath };
}

/** Files being written. Until all are complete, each has a temporary name in its folder. */
export interface FileSet {
  readonly files: FileTuple<FileWriter>;
  /** Moves all files to their targets, or none: if one fails, the originals are restored. @throws FileError */
  commit(): Promise<void>;
  /** Removes what was not committed. Never throws. */
  discard(): Promise<void>;
}

interface FileWriter {
  /** @throws FileError when it cannot be written, or is too large for memory. */
  write(chunk: Uint8Array): Promise<void>;
}

/** Creates the temporary files. @throws FileError when one cannot be created. */
export async function openFileSet(
  places: FileTuple<TargetFile>,
  unfinished: UnfinishedFiles,
): Promise<FileSet> {
  const job = unfinished.begin();
  const drafts: { readonly uri: vscode.Uri; readonly draft: Draft }[] = [];
  let hasLeftovers = false;
  const markLeftovers = () => {
    hasLeftovers = true;
  };

  async function open(place: TargetFile): Promise<FileWriter> {
    const { uri } = place;
    const draft = await withFileErrors(uri, () => place.open(job.register));
    drafts.push({ uri, draft });
    return { write: (chunk) => withFileErrors(uri, () => draft.append(chunk)) };
  }

  async function commit(): Promise<void> {
    for (const { uri, draft } of drafts) await withFileErrors(uri, () => draft.finish());
    const started: Draft[] = [];
    for (const { uri, draft } of drafts) {
      started.unshift(draft);
      try {
        await withFileErrors(uri, () => draft.replace());
      } catch (error) {
        for (const { undo } of started) await undo().catch(markLeftovers);
        throw error;
      }
    }
    for (const { draft } of drafts) await draft.settle().catch(markLeftovers);
  }

  async function discard(): Promise<void> {
    await Promise.all(drafts.map(({ draft }) => draft.discard()));
    await job.end(hasLeftovers);
  }

  try {
    const first = await open(places[0]);
    const files: FileTuple<FileWriter> = places[1] ? [first, await open(places[1])] : [first];
    return { files, commit, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Removes the temporary files of an interrupted export, and restores the original. */
export async function removeUnfinishedFile({ part, setAside }: UnfinishedFile): Promise<void> {
  const disk = await findDisk(part);
  if (!disk) return removeEditorDraft(part);
  await removeDiskDraft(disk, part.fsPath);
  if (setAside) await restoreOriginal(disk, setAside.old.fsPath, setAside.place.fsPath);
}

/** An export's temporary file, and the original that it set aside until it is complete. */
interface UnfinishedFile {
  readonly part: vscode.Uri;
  readonly setAside?: { readonly old: vscode.Uri; readonly place: vscode.Uri };
}

/** Records a file before it is created. */
type RegisterUnfinished = (file: UnfinishedFile) => Promise<void>;

interface UnfinishedFiles {
  /** Begins a job, which counts as alive until it ends. */
  begin(): UnfinishedJob;
  /** Cleans up after jobs whose window has ended. Never throws. */
  sweep(remove: (file: UnfinishedFile) => Promise<void>): Promise<void>;
}

interface UnfinishedJob {
  readonly register: RegisterUnfinished;
  /** `leaving`: something could not be restored; a later sweep tries again. */
  end(leaving: boolean): Promise<void>;
}

/** How often a job renews its entry. */
const HEARTBEAT_INTERVAL_MS = 10_000;
/** An entry that is older than this is stale, if its process has ended too. */
const STALE_AFTER_MS = 60_000;
/**
 * The same where its process exists, or cannot be checked: the computer may have slept, or another program may have the
 * number of a process that has ended.
 */
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
 * Stores the list of temporary files in `folder`, one entry per job over all windows. If it cannot be written,
 * exports still work; what they leave after a crash is then not found.
 */
export function createUnfinishedFiles(folder: vscode.Uri, clock: Clock): UnfinishedFiles {
  const { fs } = vscode.workspace;
  return {
    begin() {
      const entry = vscode.Uri.joinPath(folder, `${crypto.randomUUID()}.json`);
      const ended = new AbortController();
      const files: unknown[] = [];
      let writing: Promise<unknown> = Promise.resolve();
      const write = () => {
        const content = new TextEncoder().encode(JSON.stringify({ process: getProcessId(), files }));
        writing = writing.then(() => fs.writeFile(entry, content)).catch(() => undefined);
        return writing;
      };
      const sendHeartbeats = async () => {
        for (;;) {
          await clock.sleep(HEARTBEAT_INTERVAL_MS, { signal: ended.signal });
          await write();
        }
      };
      return {
        async register({ part, setAside }) {
          const storedSetAside = setAside && { old: String(setAside.old), place: String(setAside.place) };
          files.push({ part: String(part), ...(storedSetAside && { setAside: storedSetAside }) });
          await write();
          if (files.length === 1) void sendHeartbeats().catch(() => undefined);
        },
        async end(leaving) {
          ended.abort();
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
    const ageMs = Math.abs(clock.now() - mtime);
    const hasEnded = isProcessAlive(entry.process) === false;
    if (ageMs < (hasEnded ? STALE_AFTER_MS : LONG_STALE_AFTER_MS)) return;
    for (const { part, setAside } of entry.files) {
      const parse = (text: string) => vscode.Uri.parse(text, true);
      const parsedSetAside = setAside && { old: parse(setAside.old), place: parse(setAside.place) };
      await remove({ part: parse(part), ...(parsedSetAside && { setAside: parsedSetAside }) });
    }
    await fs.delete(uri);
  }
}

/** A file that could not be written. The message is the file system's, or names the obstacle. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FileError';
  }
}

/** Runs one step of writing the file at `uri`. @throws FileError for any error. */
async function withFileErrors<T>(uri: vscode.Uri, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PlaceError) throw toPlaceFileError(uri, error.reason);
    throw new FileError(error instanceof FileTooLargeError ? formatTooLarge() : error);
  }
}

function toPlaceFileError(uri: vscode.Uri, reason: PlaceErrorReason): FileError {
  const { l10n } = vscode;
  const name = getFileName(uri);
  /** Links are followed here, as the user has chosen the file: the other reasons are those of the command line. */
  const texts: Readonly<Partial<Record<PlaceErrorReason, string>>> = {
    folder: l10n.t('{0} is a folder.', name),
    special: l10n.t('{0} is not a regular file.', name),
    links: l10n.t('{0} is a broken symbolic link.', name),
    protected: l10n.t('{0} is write-protected.', name),
    name: l10n.t('The file system does not allow the file name {0}.', name),
    same: l10n.t('{0} and the other name lead to the same file.', name),
    appeared: l10n.t('Another program created {0} in the meantime. Chainside left it unchanged.', name),
    changed: l10n.t('{0} is no longer a regular file. Chainside left it unchanged.', name),
    full: l10n.t(
      'The disk is almost full. Chainside leaves the last {0} MiB to other programs.',
      MIN_FREE_BYTES / 1024 / 1024,
    ),
  };
  return new FileError(texts[reason] ?? texts.special);
}

function formatTooLarge(): string {
  const maxMiB = MAX_IN_MEMORY_BYTES / 1024 / 1024;
  return isWebHost
    ? vscode.l10n.t('In a browser, files have at most {0} MiB. Use VS Code on the desktop.', maxMiB)
    : vscode.l10n.t('Files of more than {0} MiB can only be written to a local disk.', maxMiB);
}

/**
 * `workspace.fs` writes only whole files, so a file on a virtual file system stays in memory until it is committed.
 */
const MAX_IN_MEMORY_BYTES = 256 * 1024 * 1024;

class FileTooLargeError extends Error {}

/** Whether a regular file, or a link to one, is at `uri`. @throws PlaceError, or the error of the file system. */
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
 * Creates the empty temporary file after checking that the file system accepts the name of the target. An existing
 * target is overwritten in place, so that it keeps everything except its content. Without a `part`, a new target is
 * written in one step too.
 *
 * @throws PlaceError, or the error of the file system.
 */
async function openEditorDraft(target: vscode.Uri, replaces: boolean, part?: vscode.Uri): Promise<Draft> {
  const { fs } = vscode.workspace;
  const noOverwrite = { overwrite: false };
  let chunks: Uint8Array[] = [];
  let length = 0;
  let content: Uint8Array = new Uint8Array();
  let original: Uint8Array | 'nothing' | undefined;
  if (part) await fs.writeFile(part, content);
  const draft: Draft = {
    async append(chunk) {
      length += chunk.length;
      if (length > MAX_IN_MEMORY_BYTES) throw new FileTooLargeError();
      chunks.push(chunk);
    },
    async finish() {
      content = concatBytes(chunks);
      chunks = [];
      if (part && !replaces) await fs.writeFile(part, content);
    },
    async replace() {
      const exists = await isEditorFile(target);
      if (exists && !replaces) throw new PlaceError('appeared');
      if (exists) {
        original = await fs.readFile(target);
        await fs.writeFile(target, content);
      } else {
        if (!part) await fs.writeFile(target, content);
        else {
          if (replaces) await fs.writeFile(part, content);
          await fs.rename(part, target, noOverwrite);
        }
        original = 'nothing';
      }
    },
    async undo() {
      if (original === 'nothing') await fs.delete(target, { recursive: false, useTrash: false });
      else if (original) await fs.writeFile(target, original);
      original = undefined;
    },
    async settle() {
      original = undefined;
    },
    async discard() {
      chunks = [];
      if (part) await removeEditorDraft(part).catch(() => undefined);
    },
  };
  if (replaces || !part) return draft;
  try {
    await fs.rename(part, target, noOverwrite);
    await fs.rename(target, part, noOverwrite);
  } catch (error) {
    await draft.discard();
    throw error;
  }
  return draft;
}

/** Removes a temporary file: a regular file with a name that only those have. */
async function removeEditorDraft(uri: vscode.Uri): Promise<void> {
  if (!isTempPath(uri.path)) return;
  const found = await ifExists(vscode.workspace.fs.stat(uri));
  if (found?.type === vscode.FileType.File) {
    await vscode.workspace.fs.delete(uri, { recursive: false, useTrash: false });
  }
}

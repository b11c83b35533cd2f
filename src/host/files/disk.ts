import { isForbiddenOnWindows } from './fileNames.ts';

/** So much is left to other programs: a server can send rows without end. */
export const MIN_FREE_BYTES = 512 * 1024 * 1024;
/** Smaller files are written as long as there is any room. */
const SPACE_CHECK_INTERVAL_BYTES = 64 * 1024 * 1024;

/**
 * Opens the unfinished file, after proving that the file system takes the name of the place.
 *
 * @throws PlaceRefused, or the error of the file system.
 */
export async function openDiskDraft(disk: Disk, place: DiskPlace, names: TempNames): Promise<Draft> {
  const { fs } = disk;
  const { path, found } = place;
  const part = getSiblingPath(disk, path, names.part);
  const old = getSiblingPath(disk, path, names.old);
  if (!found) await removeOwn(disk, path, await reserve(disk, path));
  const file = await fs.open(part, 'wx', found ? 0o600 : 0o666);
  const own = await file.stat();
  let closing: Promise<void> | undefined;
  let unlooked = 0;
  let replaced: 'nothing' | 'file' | undefined;
  const close = () => {
    closing ??= file.close();
    return closing;
  };
  return {
    async append(chunk) {
      await file.appendFile(chunk);
      unlooked += chunk.byteLength;
      if (unlooked < SPACE_CHECK_INTERVAL_BYTES) return;
      unlooked = 0;
      if ((await getFreeBytes(disk, part)) < MIN_FREE_BYTES) throw new PlaceError('full');
    },
    async finish() {
      if (found) await takeAfter(file, found, own);
      await file.sync().catch(ignoreUnsupported);
      await close();
    },
    async replace() {
      const now = await findStats(disk, path);
      if (now && !found) throw new PlaceError('appeared');
      if (now && !now.isFile()) throw new PlaceError('changed');
      if (!now) {
        const reserved = await reserve(disk, path);
        try {
          await fs.rename(part, path);
        } catch (error) {
          await removeOwn(disk, path, reserved);
          throw error;
        }
        replaced = 'nothing';
        return;
      }
      // Where a file has one name only, it is without it for a moment.
      await fs.link(path, old).catch(() => fs.rename(path, old));
      replaced = 'file';
      await fs.rename(part, path);
    },
    async undo() {
      if (replaced === 'file') {
        await fs.rename(old, path);
        // Left where both were names of one file.
        await removeDiskDraft(disk, old);
      } else if (replaced === 'nothing') await removeOwn(disk, path, own);
      replaced = undefined;
    },
    settle: () => removeDiskDraft(disk, old),
    async discard() {
      await close().catch(() => undefined);
      await removeDiskDraft(disk, part).catch(() => undefined);
    },
  };
}

/** Removes an unfinished file: of a name that only those have, and regular. */
export async function removeDiskDraft(disk: Disk, path: string): Promise<void> {
  if (!isTempPath(path)) return;
  const found = await findStats(disk, path);
  if (found?.isFile()) await disk.fs.unlink(path);
}

/**
 * Gives back to its place what an export had set aside when it broke off; removes it where the place is taken.
 */
export async function restoreOriginal(disk: Disk, old: string, path: string): Promise<void> {
  if (!isTempPath(old) || !(await findStats(disk, old))?.isFile()) return;
  if (await findStats(disk, path)) await removeDiskDraft(disk, old);
  else await disk.fs.rename(old, path);
}

/** Takes the name, if nothing has it, by an empty file. */
async function reserve({ fs }: Disk, path: string): Promise<Stats> {
  try {
    const file = await fs.open(path, 'wx');
    try {
      return await file.stat();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (getFsErrorCode(error) === 'EEXIST') throw new PlaceError('appeared', { cause: error });
    throw toNameError(error);
  }
}

async function removeOwn(disk: Disk, path: string, own: Stats): Promise<void> {
  const found = await findStats(disk, path);
  if (found?.isFile() && isSameFile(found, own)) await disk.fs.unlink(path);
}

/** Gives the new file the owner, group and mode of the one that it replaces. */
async function takeAfter(file: FileHandle, { mode, uid, gid }: Stats, own: Stats): Promise<void> {
  if (own.uid !== uid || own.gid !== gid) {
    await file.chown(uid, gid).catch(() => file.chown(own.uid, gid).catch(() => undefined));
  }
  const kept = (await file.stat()).gid === gid;
  // A group that is not the one the mode was meant for may do what all others may.
  const rights = kept ? mode & 0o777 : (mode & 0o707) | (((mode & 0o007) << 3) & mode);
  await file.chmod(rights);
}

/** Some file systems know no way to write through to the disk. */
function ignoreUnsupported(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM'].includes(String(getFsErrorCode(error)))) throw error;
}

export interface Stats {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly dev: number;
  readonly ino: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface FileHandle {
  appendFile(data: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  stat(): Promise<Stats>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of `node:fs/promises` that an export writes with. */
export interface NodeFileWriter {
  /** `wx` makes a new file and fails if anything has the name, a link that leads nowhere too. */
  open(path: string, flags: 'wx', mode?: number): Promise<FileHandle>;
  /** Of a symbolic link itself. */
  lstat(path: string): Promise<Stats>;
  readlink(path: string): Promise<string>;
  /** A second name for the same file; fails if anything has it. */
  link(existing: string, added: string): Promise<void>;
  /** Replaces a file, and whatever else is no folder. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Of the file system that `path` is in: its size, and what is free of it, in units of `bsize` bytes. */
  statfs(path: string): Promise<{ readonly blocks: number; readonly bavail: number; readonly bsize: number }>;
}

/** A local disk by way of Node. */
export interface Disk {
  readonly fs: NodeFileWriter;
  /** `/`, on Windows `\`. */
  readonly separator: string;
}

export interface DiskPlace {
  /** Where the file goes: what a symbolic link at the target leads to, else the target. */
  readonly path: string;
  /** The regular file that is there. */
  readonly found: Stats | undefined;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;
const WRITABLE_BY_ANYBODY = 0o222;

/** @throws PlaceRefused where something stands that is no file to be replaced; the error of the file system. */
export async function findDiskPlace(disk: Disk, target: string): Promise<DiskPlace> {
  let path = target;
  for (let hop = 0; hop < MAX_LINKS; hop++) {
    const name = nameOf(disk, path);
    if (['', '.', '..'].includes(name)) throw new PlaceError('folder');
    if (disk.separator === '\\' && isForbiddenOnWindows(name)) throw new PlaceError('name');
    const found = await findStats(disk, path);
    if (found?.isSymbolicLink()) {
      path = resolveLink(disk, path, await disk.fs.readlink(path));
      continue;
    }
    if (found?.isDirectory()) throw new PlaceError('folder');
    if (found && !found.isFile()) throw new PlaceError('special');
    if (found && (found.mode & WRITABLE_BY_ANYBODY) === 0) throw new PlaceError('protected');
    return { path, found };
  }
  throw new PlaceError('links');
}

/** Whether both are one file, by whatever links. */
export function isSamePlace(a: DiskPlace, b: DiskPlace): boolean {
  return (
    a.path === b.path || (a.found !== undefined && b.found !== undefined && isSameFile(a.found, b.found))
  );
}

/** The path of a name in the folder of `path`. */
export function getSiblingPath(disk: Disk, path: string, name: string): string {
  return folderOf(disk, path) + name;
}

export async function findStats({ fs }: Disk, path: string): Promise<Stats | undefined> {
  try {
    return await fs.lstat(path);
  } catch (error) {
    if (getFsErrorCode(error) === 'ENOENT') return undefined;
    throw toNameError(error);
  }
}

export function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Bytes that may still be written; infinite where the file system does not tell. */
export async function getFreeBytes({ fs }: Disk, path: string): Promise<number> {
  const told = await fs.statfs(path).catch(() => undefined);
  return told && told.blocks > 0 ? told.bavail * told.bsize : Number.POSITIVE_INFINITY;
}

/** What file systems answer to a name that they do not take. */
const NAME_ERROR_CODES: readonly unknown[] = ['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ERR_INVALID_ARG_VALUE'];

export function toNameError(error: unknown): unknown {
  return NAME_ERROR_CODES.includes(getFsErrorCode(error)) ? new PlaceError('name', { cause: error }) : error;
}

export function getFsErrorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function resolveLink(disk: Disk, path: string, leadsTo: string): string {
  const absolute = disk.separator === '\\' ? /^(?:[a-z]:)?[\\/]/i : /^\//;
  return absolute.test(leadsTo) ? leadsTo : getSiblingPath(disk, path, leadsTo);
}

function nameOf(disk: Disk, path: string): string {
  return path.slice(folderOf(disk, path).length);
}

/** With the separator at its end. */
function folderOf({ separator }: Disk, path: string): string {
  const end =
    separator === '\\' ? Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) : path.lastIndexOf('/');
  return path.slice(0, end + 1);
}

/** A file in the making, under a name of its own until it is put in its place. */
export interface Draft {
  append(chunk: Uint8Array): Promise<void>;
  /** All that was appended is in the unfinished file, which is as the one in its place will be. */
  finish(): Promise<void>;
  /** Gives the file its place. What was there before is kept until `settle` or `undo`. */
  replace(): Promise<void>;
  /** Puts back what was in its place before. Does nothing if nothing was replaced. */
  undo(): Promise<void>;
  /** Drops what was in its place before. */
  settle(): Promise<void>;
  /** Removes what is unfinished. Never throws. */
  discard(): Promise<void>;
}

/**
 * Why nothing is written at a place. `appeared` and `changed` are what another program did while the file was made;
 * `full`: so much was written that other programs would be left without room.
 */
export type PlaceErrorReason =
  | 'folder'
  | 'special'
  | 'links'
  | 'protected'
  | 'name'
  | 'same'
  | 'appeared'
  | 'changed'
  | 'full';

/** A place where no file can be written without harm to what is there. */
export class PlaceError extends Error {
  readonly reason: PlaceErrorReason;

  constructor(reason: PlaceErrorReason, options?: ErrorOptions) {
    super(`The place is refused: ${reason}`, options);
    this.name = 'PlaceRefused';
    this.reason = reason;
  }
}

/** Names that an unfinished export takes beside its place; short, so that no place is refused for the length of these. */
interface TempNames {
  /** The file in the making. */
  readonly part: string;
  /** What was in its place, until the export is whole. */
  readonly old: string;
}

export function createTempNames(): TempNames {
  const id = crypto.randomUUID().slice(0, 8);
  return { part: `.chainside-${id}.part`, old: `.chainside-${id}.old` };
}

const TEMP_NAME = /^\.chainside-[0-9a-f]{8}\.(?:part|old)$/;

/** Whether the last segment of `path` is a name that an export gives to what is unfinished. */
export function isTempPath(path: string): boolean {
  return TEMP_NAME.test(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
}

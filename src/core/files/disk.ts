/** A file being written, under a temporary name until it replaces its target. */
export interface Draft {
  append(chunk: Uint8Array): Promise<void>;
  /** Completes the temporary file, mode and owner included. */
  finish(): Promise<void>;
  /** Moves the file to its target. The original is set aside until `settle` or `undo`. */
  replace(): Promise<void>;
  /** Restores the original. Does nothing if nothing was replaced. */
  undo(): Promise<void>;
  /** Removes the original. */
  settle(): Promise<void>;
  /** Removes the temporary file. Never throws. */
  discard(): Promise<void>;
}

/**
 * Creates the temporary file after checking that the file system accepts the name of the target.
 *
 * @throws PlaceError, or the error of the file system.
 */
export async function openDiskDraft(disk: Disk, place: DiskPlace, names: TempNames): Promise<Draft> {
  const { fs } = disk;
  const { path, found } = place;
  const part = getSiblingPath(disk, path, names.part);
  const old = getSiblingPath(disk, path, names.old);
  if (!found) await removeIfSame(disk, path, await reserve(disk, path));
  const file = await fs.open(part, 'wx', found ? 0o600 : 0o666);
  const created = await file.stat();
  let closing: Promise<void> | undefined;
  let uncheckedBytes = 0;
  let replaced: 'nothing' | 'file' | undefined;
  const close = () => {
    closing ??= file.close();
    return closing;
  };
  return {
    async append(chunk) {
      await file.appendFile(chunk);
      uncheckedBytes += chunk.byteLength;
      if (uncheckedBytes < SPACE_CHECK_INTERVAL_BYTES) return;
      uncheckedBytes = 0;
      if ((await getFreeBytes(disk, part)) < MIN_FREE_BYTES) throw new PlaceError('full');
    },
    async finish() {
      if (found) await copyAttributes(file, found, created);
      await file.sync().catch(ignoreUnsupported);
      await close();
    },
    async replace() {
      const current = await findStats(disk, path);
      if (current && !found) throw new PlaceError('appeared');
      if (current && !current.isFile()) throw new PlaceError('changed');
      if (!current) {
        const reserved = await reserve(disk, path);
        try {
          await fs.rename(part, path);
        } catch (error) {
          await removeIfSame(disk, path, reserved);
          throw error;
        }
        replaced = 'nothing';
        return;
      }
      // Where hard links are not supported, the name is missing for a moment.
      await fs.link(path, old).catch(() => fs.rename(path, old));
      replaced = 'file';
      await fs.rename(part, path);
    },
    async undo() {
      if (replaced === 'file') {
        await fs.rename(old, path);
        // `rename` does nothing where both names are links to one file.
        await removeDiskDraft(disk, old);
      } else if (replaced === 'nothing') await removeIfSame(disk, path, created);
      replaced = undefined;
    },
    settle: () => removeDiskDraft(disk, old),
    async discard() {
      await close().catch(() => undefined);
      await removeDiskDraft(disk, part).catch(() => undefined);
    },
  };
}

/** Removes a temporary file: a regular file with a name that only those have. */
export async function removeDiskDraft(disk: Disk, path: string): Promise<void> {
  if (!isTempPath(path)) return;
  const found = await findStats(disk, path);
  if (found?.isFile()) await disk.fs.unlink(path);
}

/** Restores an original that an interrupted export set aside; removes it where a file has its name again. */
export async function restoreOriginal(disk: Disk, old: string, path: string): Promise<void> {
  if (!isTempPath(old) || !(await findStats(disk, old))?.isFile()) return;
  if (await findStats(disk, path)) await removeDiskDraft(disk, old);
  else await disk.fs.rename(old, path);
}

/** Left to other programs: a server can send rows without end. */
export const MIN_FREE_BYTES = 512 * 1024 * 1024;
/** Free space is checked only after each such amount. */
const SPACE_CHECK_INTERVAL_BYTES = 64 * 1024 * 1024;

/** Reserves a free name by an empty file. */
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

async function removeIfSame(disk: Disk, path: string, expected: Stats): Promise<void> {
  const found = await findStats(disk, path);
  if (found?.isFile() && isSameFile(found, expected)) await disk.fs.unlink(path);
}

/** Gives the new file the owner, group and mode of the file that it replaces. */
async function copyAttributes(file: FileHandle, { mode, uid, gid }: Stats, created: Stats): Promise<void> {
  if (created.uid !== uid || created.gid !== gid) {
    await file.chown(uid, gid).catch(() => file.chown(created.uid, gid).catch(() => undefined));
  }
  const hasGroup = (await file.stat()).gid === gid;
  // If the group differs, it gets no more rights than others have.
  const rights = hasGroup ? mode & 0o777 : (mode & 0o707) | (((mode & 0o007) << 3) & mode);
  await file.chmod(rights);
}

/** Some file systems do not support `fsync`. */
function ignoreUnsupported(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM'].includes(String(getFsErrorCode(error)))) throw error;
}

/** The local disk through Node. */
export interface Disk {
  readonly fs: NodeFileWriter;
  /** `/`, or `\` on Windows. */
  readonly separator: string;
}

/** The part of `node:fs/promises` that exports are written with. */
export interface NodeFileWriter {
  /** `wx` creates a new file; it fails if anything has the name, even a dangling link. */
  open(path: string, flags: 'wx', mode?: number): Promise<FileHandle>;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<Stats>;
  /** Without symbolic links. */
  realpath(path: string): Promise<string>;
  /** Creates one folder; fails if anything has the name. */
  mkdir(path: string): Promise<unknown>;
  readlink(path: string): Promise<string>;
  /** Creates a hard link; fails if anything has the name. */
  link(existing: string, added: string): Promise<void>;
  /** Replaces anything except a folder. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Size and free space of the file system, in units of `bsize` bytes. */
  statfs(path: string): Promise<{ readonly blocks: number; readonly bavail: number; readonly bsize: number }>;
}

export interface FileHandle {
  appendFile(data: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  stat(): Promise<Stats>;
  sync(): Promise<void>;
  close(): Promise<void>;
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

export interface DiskPlace {
  /** The target, with symbolic links resolved. */
  readonly path: string;
  /** The regular file that exists there. */
  readonly found: Stats | undefined;
}

/** The limit of Linux. */
const MAX_LINKS = 40;
const WRITABLE_BY_ANYBODY = 0o222;

/** @throws PlaceError where something exists that is not a replaceable file; the error of the file system. */
export async function findDiskPlace(
  disk: Disk,
  target: string,
  { followsLinks = true } = {},
): Promise<DiskPlace> {
  let path = target;
  for (let hop = 0; hop < MAX_LINKS; hop++) {
    const name = baseName(disk, path);
    if (['', '.', '..'].includes(name)) throw new PlaceError('folder');
    if (disk.separator === '\\' && isForbiddenOnWindows(name)) throw new PlaceError('name');
    const found = await findStats(disk, path);
    if (found?.isSymbolicLink()) {
      if (!followsLinks) throw new PlaceError('link');
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

/**
 * Whether Windows interprets `name` otherwise than as a file of that name: as a device, as a stream of another
 * file, or without its last dot.
 */
export function isForbiddenOnWindows(name: string): boolean {
  return FORBIDDEN.test(name) || DEVICE.test(name);
}

const FORBIDDEN = /[<>:"|?*\p{Cc}]|[. ]$/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/** Whether both are the same file, by whatever links. */
export function isSamePlace(a: DiskPlace, b: DiskPlace): boolean {
  return (
    a.path === b.path || (a.found !== undefined && b.found !== undefined && isSameFile(a.found, b.found))
  );
}

/** The path of `name` in the folder of `path`. */
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

function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Free bytes; infinite where the file system does not report them. */
async function getFreeBytes({ fs }: Disk, path: string): Promise<number> {
  const stats = await fs.statfs(path).catch(() => undefined);
  return stats && stats.blocks > 0 ? stats.bavail * stats.bsize : Number.POSITIVE_INFINITY;
}

/** Error codes for a name that the file system does not accept. */
const NAME_ERROR_CODES: readonly unknown[] = ['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ERR_INVALID_ARG_VALUE'];

function toNameError(error: unknown): unknown {
  return NAME_ERROR_CODES.includes(getFsErrorCode(error)) ? new PlaceError('name', { cause: error }) : error;
}

export function getFsErrorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function resolveLink(disk: Disk, path: string, leadsTo: string): string {
  const absolute = disk.separator === '\\' ? /^(?:[a-z]:)?[\\/]/i : /^\//;
  return absolute.test(leadsTo) ? leadsTo : getSiblingPath(disk, path, leadsTo);
}

function baseName(disk: Disk, path: string): string {
  return path.slice(folderOf(disk, path).length);
}

/** Ends with the separator. */
function folderOf({ separator }: Disk, path: string): string {
  const end =
    separator === '\\' ? Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) : path.lastIndexOf('/');
  return path.slice(0, end + 1);
}

/**
 * Why no file is written at a place.
 *
 * - `notFolder`: a part of its path is not a folder.
 * - `special`: it is neither a regular file nor a folder.
 * - `link`: it is a symbolic link, or in a folder that is one, and links are not followed.
 * - `links`: its links lead to one another without an end.
 * - `outside`: its path leads out of its folder.
 * - `appeared`, `changed`: another program created or replaced it while the file was written.
 * - `full`: other programs would be left without disk space.
 * - `large`: a file that is read has too many bytes.
 */
export type PlaceErrorReason =
  | 'folder'
  | 'notFolder'
  | 'special'
  | 'link'
  | 'links'
  | 'outside'
  | 'protected'
  | 'name'
  | 'same'
  | 'appeared'
  | 'changed'
  | 'full'
  | 'large';

/** A place where no file can be written safely. */
export class PlaceError extends Error {
  readonly reason: PlaceErrorReason;

  constructor(reason: PlaceErrorReason, options?: ErrorOptions) {
    super(`Cannot write at this place: ${reason}`, options);
    this.name = 'PlaceRefused';
    this.reason = reason;
  }
}

/** Temporary names beside the target; short, so that they fit wherever the target does. */
interface TempNames {
  readonly part: string;
  /** The original, set aside until the export is complete. */
  readonly old: string;
}

export function createTempNames(): TempNames {
  const id = crypto.randomUUID().slice(0, 8);
  return { part: `.chainside-${id}.part`, old: `.chainside-${id}.old` };
}

const TEMP_NAME = /^\.chainside-[0-9a-f]{8}\.(?:part|old)$/;

/** Whether the last segment of `path` is a temporary name of an export. */
export function isTempPath(path: string): boolean {
  return TEMP_NAME.test(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
}

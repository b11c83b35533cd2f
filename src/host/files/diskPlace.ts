import { PlaceRefused } from './placeRefused.ts';
import { isRefusedByWindows } from './windowsNames.ts';

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
export interface NodeFiles {
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
  readonly fs: NodeFiles;
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
const MOST_LINKS = 40;
const WRITABLE_BY_ANYBODY = 0o222;

/** @throws PlaceRefused where something stands that is no file to be replaced; the error of the file system. */
export async function findOnDisk(disk: Disk, target: string): Promise<DiskPlace> {
  let path = target;
  for (let hop = 0; hop < MOST_LINKS; hop++) {
    const name = nameOf(disk, path);
    if (['', '.', '..'].includes(name)) throw new PlaceRefused('folder');
    if (disk.separator === '\\' && isRefusedByWindows(name)) throw new PlaceRefused('name');
    const found = await statOf(disk, path);
    if (found?.isSymbolicLink()) {
      path = resolveLink(disk, path, await disk.fs.readlink(path));
      continue;
    }
    if (found?.isDirectory()) throw new PlaceRefused('folder');
    if (found && !found.isFile()) throw new PlaceRefused('special');
    if (found && (found.mode & WRITABLE_BY_ANYBODY) === 0) throw new PlaceRefused('protected');
    return { path, found };
  }
  throw new PlaceRefused('links');
}

/** Whether both are one file, by whatever links. */
export function isSamePlace(a: DiskPlace, b: DiskPlace): boolean {
  return (
    a.path === b.path || (a.found !== undefined && b.found !== undefined && isSameFile(a.found, b.found))
  );
}

/** The path of a name in the folder of `path`. */
export function beside(disk: Disk, path: string, name: string): string {
  return folderOf(disk, path) + name;
}

export async function statOf({ fs }: Disk, path: string): Promise<Stats | undefined> {
  try {
    return await fs.lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw refusedName(error);
  }
}

export function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Bytes that may still be written; infinite where the file system does not tell. */
export async function freeBytes({ fs }: Disk, path: string): Promise<number> {
  const told = await fs.statfs(path).catch(() => undefined);
  return told && told.blocks > 0 ? told.bavail * told.bsize : Number.POSITIVE_INFINITY;
}

/** What file systems answer to a name that they do not take. */
const REFUSED_NAME: readonly unknown[] = ['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ERR_INVALID_ARG_VALUE'];

export function refusedName(error: unknown): unknown {
  return REFUSED_NAME.includes(codeOf(error)) ? new PlaceRefused('name', { cause: error }) : error;
}

export function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function resolveLink(disk: Disk, path: string, leadsTo: string): string {
  const absolute = disk.separator === '\\' ? /^(?:[a-z]:)?[\\/]/i : /^\//;
  return absolute.test(leadsTo) ? leadsTo : beside(disk, path, leadsTo);
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

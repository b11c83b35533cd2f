import { systemClock } from '../base/clock.ts';
import type { FileStat, FolderEntry, ProjectFiles } from '../project/projectFiles.ts';

/** The part of `node:fs/promises` that projects are read with. */
export interface NodeFileReader {
  /** Windows has neither. */
  readonly constants: { readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number };
  readdir(
    path: string,
    options: { readonly withFileTypes: true },
  ): Promise<readonly (EntryKinds & { readonly name: string })[]>;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<ReadStats>;
  /** Without symbolic links, `.` and `..`. */
  realpath(path: string): Promise<string>;
  open(path: string, flags: number): Promise<NodeFileHandle>;
}

export interface EntryKinds {
  isFile(): boolean;
  isDirectory(): boolean;
}

interface ReadStats extends EntryKinds {
  readonly size: number;
  readonly mtimeMs: number;
  readonly dev: number;
  readonly ino: number;
}

interface NodeFileHandle {
  stat(): Promise<ReadStats>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/**
 * The files below a folder on disk. What cannot be read counts as missing, and so does what lies outside of the folder: by
 * its name, or because a symbolic link leads there. A link to a file counts as missing wherever it leads. A link to a
 * folder is `other` in a list; a path may go through it while it stays inside, as the packages of pnpm do. The folder
 * itself may be a link.
 *
 * @param root an absolute path, or one from the folder of the process.
 */
export function createFilesInside(fs: NodeFileReader, root: string): ProjectFiles {
  const inside = createInside(fs, root);
  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      const real = await inside.findFolder(inside.split(folder)).catch(() => undefined);
      if (real === undefined) return [];
      const entries = await fs.readdir(real, { withFileTypes: true }).catch(() => []);
      return entries.map((entry) => ({ name: entry.name, kind: getEntryKind(entry) }));
    },
    async stat(path): Promise<FileStat | undefined> {
      try {
        const names = inside.split(path);
        const name = names?.pop();
        const folder = await inside.findFolderAgain(names);
        if (folder === undefined) return undefined;
        const stats = await fs.lstat(name === undefined ? folder : `${folder}/${name}`);
        return { kind: getEntryKind(stats), size: stats.size, modified: stats.mtimeMs };
      } catch {
        return undefined;
      }
    },
    async read(path, maxBytes): Promise<Uint8Array | undefined> {
      try {
        const file = await openInside(inside, path);
        try {
          return file && file.size <= maxBytes ? await readAll(file) : undefined;
        } finally {
          await file?.handle.close();
        }
      } catch {
        return undefined;
      }
    },
  };
}

interface Inside {
  readonly fs: NodeFileReader;
  readonly root: string;
  /** The names of a path, none for the root; undefined for a path that leads above it. */
  split(path: string): string[] | undefined;
  /** The real path of a folder, undefined outside of the root. @throws the error of the file system. */
  findFolder(names: readonly string[] | undefined): Promise<string | undefined>;
  /** The same as of up to {@link FOLDER_TTL_MS} ago, for what is checked again when it is read. */
  findFolderAgain(names: readonly string[] | undefined): Promise<string | undefined>;
}

/** An index of 30,000 files asks for the folder of each. */
const FOLDER_TTL_MS = 1_000;

function createInside(fs: NodeFileReader, root: string): Inside {
  let realRoot: Promise<string> | undefined;
  let recent = new Map<string, Promise<string | undefined>>();
  let recentSince = 0;

  /** Whether a real path is in the root, which is resolved again where it is not: a link may lead elsewhere now. */
  async function has(real: string): Promise<boolean> {
    const known = realRoot;
    if (known && isWithin(real, await known.catch(() => undefined))) return true;
    realRoot = fs.realpath(root);
    return isWithin(real, await realRoot);
  }

  async function findFolder(names: readonly string[] | undefined): Promise<string | undefined> {
    const real = names && (await fs.realpath([root, ...names].join('/')));
    return real !== undefined && (await has(real)) ? real : undefined;
  }

  return {
    fs,
    root,
    split: (path) => splitPath(path, fs.constants.O_NOFOLLOW === undefined),
    findFolder,
    findFolderAgain(names) {
      if (systemClock.elapsed() - recentSince > FOLDER_TTL_MS) {
        recent = new Map();
        recentSince = systemClock.elapsed();
      }
      const key = names?.join('/') ?? '..';
      const known = recent.get(key);
      if (known) return known;
      const found = findFolder(names);
      const folders = recent;
      folders.set(key, found);
      // A folder that is missing may be made at any time.
      const forget = () => folders.delete(key);
      found.then((real) => real ?? forget(), forget);
      return found;
    },
  };
}

function isWithin(real: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const separator = getSeparator(root);
  return real === root || real.startsWith(root.endsWith(separator) ? root : root + separator);
}

/** Of a real path. */
function getSeparator(real: string): '/' | '\\' {
  return real.startsWith('/') ? '/' : '\\';
}

interface OpenFile {
  readonly handle: NodeFileHandle;
  /** Bytes. */
  readonly size: number;
}

/** Programs replace files by others, as compilers do. */
const MAX_ATTEMPTS = 3;

/**
 * Opens a regular file below the root. It is opened before it is checked, and the check is about what was opened: what
 * takes its place meanwhile is not read. A pipe is opened without waiting for a writer.
 *
 * @returns undefined for everything else. @throws the error of the file system.
 */
async function openInside(
  { fs, root, split, findFolder }: Inside,
  path: string,
): Promise<OpenFile | undefined> {
  const folder = split(path);
  const name = folder?.pop();
  if (!folder || name === undefined) return undefined;
  // Where there are no flags, `lstat` finds the link.
  const flags = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const handle = await fs.open([root, ...folder, name].join('/'), flags);
    let isSame = false;
    try {
      const opened = await handle.stat();
      if (!opened.isFile()) return undefined;
      const real = await findFolder(folder);
      if (real === undefined) return undefined;
      const named = await fs.lstat(`${real}/${name}`);
      if (!named.isFile()) return undefined;
      isSame = isSameFile(opened, named, getSeparator(real));
      if (isSame) return { handle, size: opened.size };
    } finally {
      if (!isSame) await handle.close();
    }
  }
  return undefined;
}

function isSameFile(one: ReadStats, other: ReadStats, separator: string): boolean {
  // Windows gives the number of a volume in two sizes.
  return one.ino === other.ino && (separator === '\\' || one.dev === other.dev);
}

/** At most as many bytes as the file had when it was opened: it may grow. */
async function readAll({ handle, size }: OpenFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === size ? bytes : bytes.slice(0, length);
}

function splitPath(path: string, isWindows: boolean): string[] | undefined {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    // Windows separates by backslashes too, and names drives and streams by colons.
    if (isWindows && /[\\:]/.test(name)) return undefined;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names;
}

/** A symbolic link is neither a file nor a folder. */
function getEntryKind(entry: EntryKinds): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

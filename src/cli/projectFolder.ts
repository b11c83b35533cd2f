import type { Dirent, Stats } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  badInput,
  type ContractIndex,
  createProjectIndexer,
  createTimeSlices,
  type FileStat,
  type FolderEntry,
  type ProjectFiles,
  systemClock,
} from '../core/index.ts';
import { printMessage } from './output.ts';

/** An index of the projects below a folder. @throws AppError `badInput` where there is no such folder. */
export async function indexFolder(folder: string | undefined, { signal }: { readonly signal: AbortSignal }) {
  if (folder === undefined) throw badInput('folder', 'Give the folder of the projects.');
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw badInput('folder', `There is no folder ${folder}.`);
  const indexer = createProjectIndexer({ files: createDiskFiles(folder), roots: [''], clock: systemClock });
  await indexer.update('all', { signal });
  for (const { path, reason } of indexer.skipped) printMessage(`${path === '' ? folder : path}: ${reason}`);
  return indexer;
}

/** What the projects below a folder know, ready to be asked. @throws as {@link indexFolder}. */
export async function openProjectIndex(
  folder: string,
  options: { readonly signal: AbortSignal },
): Promise<ContractIndex> {
  const { index } = await indexFolder(folder, options);
  await prepareIndex(index, options);
  return index;
}

/** Makes an index ready to be asked. */
async function prepareIndex(index: ContractIndex, options: { readonly signal: AbortSignal }): Promise<void> {
  const slices = createTimeSlices(systemClock);
  while (!index.prepare(slices.isOver)) await slices.rest(options);
}

/** Files are looked at again when an answer is asked for so long after the last time. */
const REFRESH_AFTER_MS = 3000;

/**
 * What the projects below a folder know, as their files are now: for a process that lives while they change.
 *
 * @throws AppError `badInput` where there is no such folder.
 */
export function createRefreshedIndex(
  folder: string,
  options: { readonly signal: AbortSignal },
): () => Promise<ContractIndex> {
  let opened: Promise<Awaited<ReturnType<typeof indexFolder>>> | undefined;
  let looking: Promise<ContractIndex> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<ContractIndex> {
    const isFirst = opened === undefined;
    opened ??= indexFolder(folder, options);
    const indexer = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    if (!isFirst) await indexer.update('all', options);
    await prepareIndex(indexer.index, options);
    lookedAt = systemClock.elapsed();
    return indexer.index;
  }

  return async () => {
    if (opened && !looking && systemClock.elapsed() - lookedAt < REFRESH_AFTER_MS)
      return (await opened).index;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}

/** What lies in the folder of a project or a repository. */
const PROJECT_MARKS = /^(?:\.git|foundry\.toml|(?:hardhat\.|truffle-|ape-)config\.\w+)$/;
/** Folders above a file. */
const MAX_PARENT_FOLDERS = 64;

/** The folder of the project that a file lies in: the nearest above it that looks like one, else that of the file. */
export async function findProjectFolder(file: string): Promise<string> {
  const own = dirname(resolve(file));
  let folder = own;
  for (let seen = 0; seen < MAX_PARENT_FOLDERS; seen++) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => PROJECT_MARKS.test(name))) return folder;
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return own;
}

/** The files below a folder of the disk. What cannot be read is not there. */
export function createDiskFiles(root: string): ProjectFiles {
  const at = (path: string) => join(root, path);
  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      try {
        const entries = await readdir(at(folder), { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: getEntryKind(entry) }));
      } catch {
        return [];
      }
    },
    async stat(path): Promise<FileStat | undefined> {
      try {
        const stats = await lstat(at(path));
        return { kind: getEntryKind(stats), size: stats.size, modified: stats.mtimeMs };
      } catch {
        return undefined;
      }
    },
    read: (path, most) => readBounded(at(path), most).catch(() => undefined),
  };
}

async function readBounded(path: string, most: number): Promise<Uint8Array | undefined> {
  await using file = await open(path);
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > most) return undefined;
  const bytes = await file.readFile();
  return bytes.length > most ? undefined : bytes;
}

function getEntryKind(entry: Dirent | Stats): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

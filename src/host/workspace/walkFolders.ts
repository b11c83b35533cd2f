import type { FileStat, FolderEntry, ProjectFiles } from '../../core/index.ts';
import type { EntryKinds, NodeFileReader } from '../files/nodeFiles.ts';
import { type ChangeKind, type FileInterest, isSkippedFolder } from './fileInterest.ts';

const CONTRACT_FILE_NAME = /(?:\.(?:sol|vyi?|json[cl]?|toml|txt|ya?ml|[cm]?[jt]sx?)|^\.chainId)$/i;

/**
 * Whether a change at `path`, from a folder of the workspace on, may be of a file that the index reads, what compilers
 * write and libraries among them. What was created or deleted may be a folder.
 */
export function isContractFileChange(path: readonly string[], kind: ChangeKind): boolean {
  const folders = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (folders.some(isPassedOver)) return false;
  return CONTRACT_FILE_NAME.test(name) || (kind !== 'changed' && !isPassedOver(name));
}

function isPassedOver(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

/** Files of this machine's disk, by their paths there. */
export function createDiskProjectFiles(fs: NodeFileReader): ProjectFiles {
  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      try {
        const entries = await fs.readdir(folder, { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      } catch {
        return [];
      }
    },
    async stat(path): Promise<FileStat | undefined> {
      try {
        const stats = await fs.lstat(path);
        return { kind: kindOf(stats), size: stats.size, modified: stats.mtimeMs };
      } catch {
        return undefined;
      }
    },
    read: (path, most) => readStart(fs, path, most).catch(() => undefined),
  };
}

async function readStart(fs: NodeFileReader, path: string, most: number): Promise<Uint8Array | undefined> {
  const file = await fs.open(path, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > most) return undefined;
    const bytes = await file.readFile();
    return bytes.length > most ? undefined : bytes;
  } finally {
    await file.close();
  }
}

/** A symbolic link is neither. */
function kindOf(entry: EntryKinds): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

export const MAX_FILES = 2_000;
const MAX_FOLDERS = 1_000;
/** Of a folder with more entries than this, the first that the file system lists. */
export const MAX_ENTRIES = 10_000;

/** Something in a folder; `at` is where it is, in the terms of the file system. */
export interface Entry<Where> {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly at: Where;
}

/** What else is left out of a folder, and of those in it. */
export interface Rules<Where> {
  ignores(name: string, isFolder: boolean): boolean;
  /** The rules within a folder in it, of what is listed there. */
  within(name: string, entries: readonly Entry<Where>[]): Promise<Rules<Where>>;
}

export interface WalkOptions<Where> {
  readonly interest: FileInterest;
  /** What is in a folder. */
  readonly list: (folder: Where) => Promise<readonly Entry<Where>[]>;
  readonly signal: AbortSignal;
  /** The rules within one of `folders`. */
  readonly rulesOf?: (folder: Where, entries: readonly Entry<Where>[]) => Promise<Rules<Where>>;
}

interface Waiting<Where> {
  readonly at: Where;
  readonly enter: ((entries: readonly Entry<Where>[]) => Promise<Rules<Where>>) | undefined;
}

/** Files one after another, as they are found. */
export interface Walk<Where> extends AsyncIterable<Where> {
  /** Whether a limit has left files out, so far. */
  readonly cut: boolean;
}

/** The files of interest in `folders` and below: breadth first, by name within a folder, and bounded in number. */
export function walkFolders<Where>(folders: readonly Where[], options: WalkOptions<Where>): Walk<Where> {
  const { interest, list, signal, rulesOf } = options;
  let cut = false;

  async function* walk(): AsyncGenerator<Where> {
    const waiting: Waiting<Where>[] = folders.map((at) => ({
      at,
      enter: rulesOf && ((entries) => rulesOf(at, entries)),
    }));
    let files = 0;
    for (let read = 0; read < waiting.length; read++) {
      const { at: folder, enter } = waiting[read] as Waiting<Where>;
      if (signal.aborted) return;
      const entries = await list(folder);
      const rules = await enter?.(entries);
      if (entries.length > MAX_ENTRIES) cut = true;
      for (const { name, kind, at } of inOrder(entries)) {
        if (kind === 'folder' && !isSkippedFolder(name, interest)) {
          if (rules?.ignores(name, true)) continue;
          const enterIt: Waiting<Where>['enter'] = rules && ((inner) => rules.within(name, inner));
          if (waiting.length < MAX_FOLDERS) waiting.push({ at, enter: enterIt });
          else cut = true;
        }
        if (kind !== 'file' || !interest.names.test(name) || rules?.ignores(name, false)) continue;
        if (files === MAX_FILES) {
          cut = true;
          return;
        }
        files++;
        yield at;
      }
    }
  }

  return {
    get cut() {
      return cut;
    },
    [Symbol.asyncIterator]: walk,
  };
}

function inOrder<Where>(entries: readonly Entry<Where>[]): readonly Entry<Where>[] {
  return entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
}

import { createTimeSlices, systemClock } from '../../core/index.ts';
import { type ChangeKind, type FileInterest, isSkippedFolder } from './fileInterest.ts';

export const MAX_FILES = 2_000;
const MAX_FOLDERS = 1_000;
/** Folders within one another, the workspace's own among them. */
const MAX_DEPTH = 32;
/** Of a larger folder, the entries that the file system lists first. */
export const MAX_ENTRIES = 10_000;

/** The files of interest in `folders` and below: breadth first, by name within a folder, bounded in number. */
export function walkFolders<Where>(folders: readonly Where[], options: WalkOptions<Where>): Walk<Where> {
  const { interest, list, signal, rulesOf } = options;
  let cut = false;

  async function* walk(): AsyncGenerator<Where> {
    const queue: PendingFolder<Where>[] = folders.map((at) => ({
      at,
      depth: 1,
      enter: rulesOf && ((entries) => rulesOf(at, entries)),
    }));
    const slices = createTimeSlices(systemClock);
    let files = 0;
    for (let next = 0; next < queue.length; next++) {
      const { at: folder, depth, enter: readRules } = queue[next] as PendingFolder<Where>;
      if (signal.aborted) return;
      const entries = await list(folder);
      const rules = await readRules?.(entries);
      if (entries.length > MAX_ENTRIES) cut = true;
      for (const { name, kind, at } of sortEntries(entries)) {
        if (slices.isOver()) await slices.rest();
        if (kind === 'folder' && !isSkippedFolder(name, interest)) {
          if (rules?.ignores(name, true)) continue;
          const readInnerRules: PendingFolder<Where>['enter'] =
            rules && ((inner) => rules.within(name, inner));
          if (queue.length < MAX_FOLDERS && depth < MAX_DEPTH)
            queue.push({ at, depth: depth + 1, enter: readInnerRules });
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

export interface Walk<Where> extends AsyncIterable<Where> {
  /** Whether a limit has excluded files so far. */
  readonly cut: boolean;
}

export interface WalkOptions<Where> {
  readonly interest: FileInterest;
  readonly list: (folder: Where) => Promise<readonly Entry<Where>[]>;
  readonly signal: AbortSignal;
  /** The rules within one of the root folders. */
  readonly rulesOf?: (folder: Where, entries: readonly Entry<Where>[]) => Promise<Rules<Where>>;
}

/** What is ignored in a folder and its subfolders, besides the interest. */
export interface Rules<Where> {
  ignores(name: string, isFolder: boolean): boolean;
  /** The rules within a subfolder with these entries. */
  within(name: string, entries: readonly Entry<Where>[]): Promise<Rules<Where>>;
}

/** An entry of a folder; `at` is its location in the file system. */
export interface Entry<Where> {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly at: Where;
}

interface PendingFolder<Where> {
  readonly at: Where;
  readonly depth: number;
  readonly enter: ((entries: readonly Entry<Where>[]) => Promise<Rules<Where>>) | undefined;
}

function sortEntries<Where>(entries: readonly Entry<Where>[]): readonly Entry<Where>[] {
  return entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const CONTRACT_FILE_NAME = /(?:\.(?:sol|vyi?|json[cl]?|abi|toml|txt|ya?ml|[cm]?[jt]sx?)|^\.chain(?:Id)?)$/i;

/**
 * Whether a change at `path` (relative to a workspace folder) may concern a file that the index reads, including
 * compiler output and libraries. Anything that was created or deleted may be a folder.
 */
export function isContractFileChange(path: readonly string[], kind: ChangeKind): boolean {
  const folders = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (folders.some(isIgnoredName)) return false;
  return CONTRACT_FILE_NAME.test(name) || (kind !== 'changed' && !isIgnoredName(name));
}

function isIgnoredName(name: string): boolean {
  // Ape compiles into `.build`; `.chainside` has the labels of a team, with units.
  return name === 'node_modules' || (name.startsWith('.') && name !== '.build' && name !== '.chainside');
}

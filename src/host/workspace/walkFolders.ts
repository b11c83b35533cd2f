import { type FileInterest, isSkipped } from './fileInterest.ts';

export const MOST_FILES = 2_000;
const MOST_FOLDERS = 1_000;
/** Of a folder with more entries than this, the first that the file system lists. */
export const MOST_ENTRIES = 10_000;

/** Something in a folder; `at` is where it is, in the terms of the file system. */
export interface Entry<Where> {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly at: Where;
}

/** What else is left out of a folder, and of those in it. */
export interface Rules<Where> {
  leavesOut(name: string, isFolder: boolean): boolean;
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
      if (entries.length > MOST_ENTRIES) cut = true;
      for (const { name, kind, at } of inOrder(entries)) {
        if (kind === 'folder' && !isSkipped(name, interest)) {
          if (rules?.leavesOut(name, true)) continue;
          const enterIt: Waiting<Where>['enter'] = rules && ((inner) => rules.within(name, inner));
          if (waiting.length < MOST_FOLDERS) waiting.push({ at, enter: enterIt });
          else cut = true;
        }
        if (kind !== 'file' || !interest.names.test(name) || rules?.leavesOut(name, false)) continue;
        if (files === MOST_FILES) {
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
  return entries.slice(0, MOST_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
}

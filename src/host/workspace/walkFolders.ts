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

interface WalkOptions<Where> {
  readonly interest: FileInterest;
  /** What is in a folder. */
  readonly list: (folder: Where) => Promise<readonly Entry<Where>[]>;
  readonly signal: AbortSignal;
}

/** Files one after another, as they are found. */
export interface Walk<Where> extends AsyncIterable<Where> {
  /** Whether a limit has left files out, so far. */
  readonly cut: boolean;
}

/** The files of interest in `folders` and below: breadth first, by name within a folder, and bounded in number. */
export function walkFolders<Where>(folders: readonly Where[], options: WalkOptions<Where>): Walk<Where> {
  const { interest, list, signal } = options;
  let cut = false;

  async function* walk(): AsyncGenerator<Where> {
    const waiting = [...folders];
    let files = 0;
    for (let read = 0; read < waiting.length; read++) {
      const folder = waiting[read] as Where;
      if (signal.aborted) return;
      const entries = await list(folder);
      if (entries.length > MOST_ENTRIES) cut = true;
      for (const { name, kind, at } of inOrder(entries)) {
        if (kind === 'folder' && !isSkipped(name, interest)) {
          if (waiting.length < MOST_FOLDERS) waiting.push(at);
          else cut = true;
        }
        if (kind !== 'file' || !interest.names.test(name)) continue;
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

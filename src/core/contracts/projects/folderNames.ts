import type { FolderEntry, ProjectFiles } from './projectFiles.ts';

/** Folders whose names are held: more than the sources of a workspace lie in. */
const MOST_HELD = 20_000;

export interface FolderNames {
  /** Whether something is at a path, which no part of leads upwards. */
  has(path: string): Promise<boolean>;
}

/** Answers for many paths, for which each folder is listed once. Made for one update, as it keeps what it has seen. */
export function createFolderNames(files: ProjectFiles): FolderNames {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();

  function namesIn(folder: string): Promise<ReadonlySet<string>> {
    const known = folders.get(folder);
    if (known) return known;
    if (folders.size >= MOST_HELD) folders.clear();
    const names = files.list(folder).then(namesOf);
    folders.set(folder, names);
    return names;
  }

  return {
    async has(path) {
      const slash = path.lastIndexOf('/');
      return (await namesIn(path.slice(0, Math.max(0, slash)))).has(path.slice(slash + 1));
    },
  };
}

function namesOf(entries: readonly FolderEntry[]): ReadonlySet<string> {
  return new Set(entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => name));
}

import type { Abortable } from '../base/concurrency.ts';
import { createBudget, type TimeSlices } from '../base/timeSlices.ts';
import { getFolder } from './layout.ts';
import { findProject, MAX_FOLDER_ENTRIES, type Project, type ProjectFiles } from './projectFiles.ts';
import { createImportSearch } from './source/importResolver.ts';

/** Folders that are listed for the imports of an update: more than the sources of a workspace are in. */
const MAX_LISTED_FOLDERS = 20_000;
/** Names in these folders. */
const MAX_LISTED_NAMES = 1_000_000;
/**
 * Characters of the places at which the imports of an update are looked for: a million places and more. The largest
 * workspaces need some hundred thousand.
 */
const MAX_PLACE_CHARS = 64 * 1024 * 1024;

/** Finds the files that sources import. Create one for each update: it knows a folder as it was when it was listed. */
export interface ImportFinder {
  /**
   * The path of the file that `from` imports: the best place that is known already, else the best at which a file is.
   * Undefined if it is nowhere, or if the budget of the update is used up.
   *
   * @throws the signal's reason when it aborts.
   */
  find(from: string, imported: string, isKnown: (path: string) => boolean): Promise<string | undefined>;
  /** Whether places were left out. */
  readonly isCut: boolean;
}

interface FinderOptions extends Abortable {
  readonly files: Pick<ProjectFiles, 'list'>;
  /** Folders of the workspace that are not within one another. The empty path is the workspace itself. */
  readonly roots: readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
  readonly slices: TimeSlices;
  /** Default {@link MAX_PLACE_CHARS}. */
  readonly maxPlaceChars?: number;
}

/**
 * Creates a finder with the rules of each file's project.
 *
 * @example await createImportFinder(options).find('src/A.sol', './B.sol', (path) => known.has(path))
 */
export function createImportFinder({
  files,
  roots,
  projects,
  slices,
  signal,
  maxPlaceChars = MAX_PLACE_CHARS,
}: FinderOptions): ImportFinder {
  const searches = new Map<string, ReturnType<typeof createImportSearch>>();
  const names = createFolderNames(files, roots);
  const places = createBudget(maxPlaceChars);
  let isCut = false;

  function listPlaces(from: string, imported: string): Iterable<string> {
    const project = findProject(from, projects);
    if (!project) return [];
    const { folder, layout } = project;
    const search = searches.get(folder) ?? createImportSearch({ ...layout, folder });
    searches.set(folder, search);
    return search(from, imported);
  }

  return {
    async find(from, imported, isKnown) {
      const unknown: string[] = [];
      for (const place of listPlaces(from, imported)) {
        if (!places.pay(place.length)) {
          isCut = true;
          break;
        }
        if (isKnown(place)) return place;
        unknown.push(place);
      }
      if (slices.isOver()) await slices.rest({ signal });
      for (const place of unknown) if (await names.has(place)) return place;
      return undefined;
    },
    get isCut() {
      return isCut || names.isCut;
    },
  };
}

interface FolderNames {
  /** Whether a file is at a path without `..`. */
  has(path: string): Promise<boolean>;
  readonly isCut: boolean;
}

interface Names {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Lists each folder once, and only one that the folder above it has. */
function createFolderNames(files: FinderOptions['files'], roots: readonly string[]): FolderNames {
  const listed = new Map<string, Names>();
  const folders = createBudget(MAX_LISTED_FOLDERS);
  const entries = createBudget(MAX_LISTED_NAMES);
  let isCut = false;

  /** The names in a folder; undefined if it does not exist; the first folder on the way to it that is not listed yet. */
  function look(folder: string): Names | { readonly unlisted: string } | undefined {
    const known = listed.get(folder);
    if (known) return known;
    const root = roots.find((each) => each === '' || each === folder || folder.startsWith(`${each}/`));
    if (root === undefined) return undefined;
    if (!listed.has(root)) return { unlisted: root };
    for (let at = root; ; ) {
      const below = at === '' ? 0 : at.length + 1;
      const slash = folder.indexOf('/', below);
      const next = slash < 0 ? folder : folder.slice(0, slash);
      if (listed.get(at)?.folders.has(next.slice(below)) !== true) return undefined;
      if (!listed.has(next)) return { unlisted: next };
      at = next;
    }
  }

  async function listFolder(folder: string): Promise<boolean> {
    if (!folders.pay(1)) return false;
    const found = await files.list(folder);
    const first = found.slice(0, MAX_FOLDER_ENTRIES);
    const paid = entries.pay(first.length) ? first : [];
    if (paid.length < found.length) isCut = true;
    // What a link leads to is up to those who list and read it.
    listed.set(folder, {
      files: new Set(paid.filter(({ kind }) => kind !== 'folder').map(({ name }) => name)),
      folders: new Set(paid.filter(({ kind }) => kind !== 'file').map(({ name }) => name)),
    });
    return true;
  }

  return {
    async has(path) {
      const folder = getFolder(path);
      for (;;) {
        const found = look(folder);
        if (found === undefined) return false;
        if ('files' in found) return found.files.has(path.slice(folder === '' ? 0 : folder.length + 1));
        if (!(await listFolder(found.unlisted))) {
          isCut = true;
          return false;
        }
      }
    },
    get isCut() {
      return isCut;
    },
  };
}

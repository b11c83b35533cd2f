import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { throwIfAborted } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import { getBaseName, getFolder, isPathWithin, joinPath } from './layout.ts';
import {
  type FolderEntry,
  findProject,
  getPathInProject,
  isConfigFile,
  isProject,
  MAX_FOLDER_DEPTH,
  MAX_FOLDER_ENTRIES,
  MAX_FOLDERS,
  MAX_PROJECT_FILES,
  type Project,
  type ProjectFiles,
  readProject,
} from './projectFiles.ts';
import { teamLabelsPath } from './readers/addressLists.ts';
import { classifyFile, getCompanionPath } from './readers/readFacts.ts';

/** A file that may tell something. */
export interface FoundFile {
  readonly path: string;
  readonly project: Project;
  /** A source that lies in no project is read where another one imports it. */
  readonly kind: 'facts' | 'source' | 'imported';
  /** A file that is read along with it. */
  readonly companion: string | undefined;
}

interface WalkResult {
  /** Files in folders that compilers write come first, the rest by path. */
  readonly files: readonly FoundFile[];
  readonly projects: ReadonlyMap<string, Project>;
}

interface WalkOptions extends Abortable {
  readonly files: ProjectFiles;
  readonly slices: TimeSlices;
  /** Told of what was left out. */
  readonly skip: (path: string, why: string) => void;
}

/** A folder that is listed, and the project that it is in. */
export interface WalkRoot {
  readonly folder: string;
  readonly project: Project | undefined;
}

/** Folders that are listed at once. */
const MAX_CONCURRENT_LISTS = 8;
const TEAM_FOLDER = getFolder(teamLabelsPath);
const IGNORED_FOLDERS = new Set([
  ...[
    'node_modules',
    'vendor',
    'dist',
    'build',
    'cache',
    'coverage',
    'target',
    '__pycache__',
    'typechain',
    'typechain-types',
  ],
  ...['build-info', 'solcinputs', 'dry-run'],
]);

/**
 * The projects below `places`, and the files in them that may tell something: breadth first, no symbolic link followed,
 * libraries and packages left out.
 *
 * @throws AppError `aborted`.
 */
export async function walkProjects(places: readonly WalkRoot[], options: WalkOptions): Promise<WalkResult> {
  const { files, slices, skip, signal } = options;
  const projects = new Map<string, Project>();
  const found: FoundFile[] = [];
  let listed = 0;
  let level = places;
  for (let depth = 0; level.length > 0; depth++) {
    const room = depth < MAX_FOLDER_DEPTH ? Math.max(0, MAX_FOLDERS - listed) : 0;
    const [cut] = level.slice(room);
    if (cut)
      skip(
        cut.folder,
        depth < MAX_FOLDER_DEPTH
          ? `Only ${MAX_FOLDERS} folders are listed.`
          : `It lies more than ${MAX_FOLDER_DEPTH} folders deep.`,
      );
    const now = level.slice(0, room);
    listed += now.length;
    const entriesOf = await listAll(now, options);
    const next: WalkRoot[] = [];
    for (const [index, place] of now.entries()) {
      throwIfAborted(signal);
      const entries = entriesOf[index] ?? [];
      if (entries.length > MAX_FOLDER_ENTRIES)
        skip(place.folder, `Only ${MAX_FOLDER_ENTRIES} entries of a folder are looked at.`);
      const isNew = place.project === undefined || isProject(entries);
      const project =
        isNew || !place.project ? await readProject(files, place.folder, entries) : place.project;
      projects.set(project.folder, project);
      for (const { name, kind } of entries.slice(0, MAX_FOLDER_ENTRIES)) {
        const path = joinPath(place.folder, name);
        if (kind === 'folder' && !isPassedOver(path, project)) next.push({ folder: path, project });
        const file = kind === 'file' ? toFoundFile(path, project) : undefined;
        if (file) found.push(file);
      }
      if (slices.isOver()) await slices.rest({ signal });
    }
    level = next;
  }
  found.sort(compareFound);
  const [tooMany] = found.slice(MAX_PROJECT_FILES);
  if (tooMany)
    skip(
      tooMany.path,
      `Only ${MAX_PROJECT_FILES} files are looked at; ${found.length - MAX_PROJECT_FILES} are left out.`,
    );
  return { files: found.slice(0, MAX_PROJECT_FILES), projects };
}

/** As what a file of a project would be read; undefined for one that tells nothing. */
function toFoundFile(path: string, project: Project): FoundFile | undefined {
  const inside = getPathInProject(project, path);
  if (/\.(?:sol|vyi?)$/.test(path)) {
    return isInLibrary(inside, project) ? undefined : { path, project, kind: 'source', companion: undefined };
  }
  if (classifyFile(inside, project.layout) === undefined) return undefined;
  const beside = getCompanionPath(inside);
  return {
    path,
    project,
    kind: 'facts',
    companion: beside === undefined ? undefined : joinPath(project.folder, beside),
  };
}

/** Whether a file lies in a folder of its project in which nothing is of interest; of a folder, with a slash at its end. */
function isIgnoredFile(path: string, project: Project): boolean {
  const start = project.folder === '' ? 0 : project.folder.length + 1;
  for (let end = path.indexOf('/', start); end !== -1; end = path.indexOf('/', end + 1)) {
    if (isPassedOver(path.slice(0, end), project)) return true;
  }
  return false;
}

function isPassedOver(path: string, project: Project): boolean {
  const inside = getPathInProject(project, path);
  const { out, broadcast, src, libs, cache } = project.layout;
  const leadsTo = (folder: string) => folder === inside || folder.startsWith(`${inside}/`);
  if ([...out, ...broadcast, ...src].some(leadsTo)) return false;
  if (inside === TEAM_FOLDER) return false;
  const name = getBaseName(inside);
  return (
    name.startsWith('.') ||
    IGNORED_FOLDERS.has(name.toLowerCase()) ||
    libs.includes(inside) ||
    cache.includes(inside)
  );
}

function isInLibrary(inside: string, { layout }: Project): boolean {
  return layout.libs.some((lib) => lib !== '' && isPathWithin(inside, lib));
}

async function listAll(
  places: readonly WalkRoot[],
  { files, signal }: WalkOptions,
): Promise<readonly (readonly FolderEntry[])[]> {
  const lists: (readonly FolderEntry[])[] = [];
  await forEachLimited(
    [...places.entries()],
    async ([index, { folder }]) => {
      const entries = await files.list(folder);
      lists[index] = [...entries].sort((a, b) => compareValues(a.name, b.name));
    },
    { limit: MAX_CONCURRENT_LISTS, goesOn: () => !signal?.aborted },
  );
  return lists;
}

/** Built first: the files that are most likely to tell, where not all fit. */
function compareFound(a: FoundFile, b: FoundFile): number {
  return rankOf(a) - rankOf(b) || compareValues(a.path, b.path);
}

function rankOf({ path, project, kind }: FoundFile): number {
  const inside = getPathInProject(project, path);
  const { out, broadcast } = project.layout;
  if (kind === 'facts' && [...out, ...broadcast].some((folder) => isPathWithin(inside, folder))) return 0;
  return kind === 'facts' ? 2 : 1;
}

interface ChangedOptions {
  readonly files: ProjectFiles;
  /** Paths of the files that are known. */
  readonly known: ReadonlySet<string>;
  /** The files that are read along with the one at a path. */
  readonly readWith: (path: string) => readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
  readonly walk: (places: readonly WalkRoot[]) => Promise<WalkResult>;
}

export interface ChangedFiles {
  readonly files: readonly FoundFile[];
  readonly removed: readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
}

/** More changes than this are quicker looked at all together. */
const MAX_CHANGES = 500;

/** Which files are to be looked at after changes at `paths`; all where they say how a project is laid out. */
export async function findChangedFiles(
  paths: readonly string[],
  options: ChangedOptions,
): Promise<ChangedFiles | 'all'> {
  const { files, known, readWith, projects, walk } = options;
  if (paths.length > MAX_CHANGES || paths.some((path) => isConfigFile(getBaseName(path)))) return 'all';
  const found = new Map<string, FoundFile>();
  const gone = new Set<string>();
  const below = new Map<string, Project>();
  for (const path of paths) {
    const project = findProject(path, projects);
    if (!project || projects.has(path)) return 'all';
    const stat = await files.stat(path);
    if (!stat) gone.add(path);
    else if (stat.kind === 'folder' && !isIgnoredFile(`${path}/`, project)) {
      const walked = await walk([{ folder: path, project }]);
      for (const file of walked.files) found.set(file.path, file);
      for (const [folder, one] of walked.projects) below.set(folder, one);
    }
    const read = [...readWith(path), ...(stat?.kind === 'folder' ? [] : [path])];
    for (const one of read) {
      const file = toFound(one, project, known.has(one));
      if (file) found.set(one, file);
    }
  }
  return {
    files: [...found.values()],
    removed: gone.size === 0 ? [] : [...known].filter(isIn(gone)),
    projects: below,
  };
}

/** A file to look at; one that is known and tells nothing by itself is there because others import it. */
function toFound(path: string, project: Project, isKnown: boolean): FoundFile | undefined {
  const file = isIgnoredFile(path, project) ? undefined : toFoundFile(path, project);
  return file ?? (isKnown ? { path, project, kind: 'imported', companion: undefined } : undefined);
}

/** Whether a path is one of `paths`, or in one of them. */
function isIn(paths: ReadonlySet<string>): (path: string) => boolean {
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (paths.has(path.slice(0, end))) return true;
    }
    return false;
  };
}

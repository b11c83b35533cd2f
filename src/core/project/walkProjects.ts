import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { throwIfAborted } from '../base/errors.ts';
import { createBudget, type TimeSlices } from '../base/timeSlices.ts';
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
  MAX_LIBRARY_FOLDERS,
  MAX_PROJECT_FILES,
  type Project,
  type ProjectFiles,
  readProject,
} from './projectFiles.ts';
import { teamLabelsPath } from './readers/addressLists.ts';
import { classifyFile, listCompanionPaths } from './readers/fileKind.ts';

export interface FoundFile {
  readonly path: string;
  readonly project: Project;
  /** An `imported` source is in no walked folder; it is read because others import it. */
  readonly kind: 'facts' | 'source' | 'imported';
  /** Files of which the first that exists is read together with it. */
  readonly companions: readonly string[];
}

interface WalkResult {
  /** Files in folders that compilers write come first, the others by path. */
  readonly files: readonly FoundFile[];
  readonly projects: ReadonlyMap<string, Project>;
}

interface WalkOptions extends Abortable {
  readonly files: ProjectFiles;
  readonly slices: TimeSlices;
  readonly skip: (path: string, reason: string) => void;
}

export interface WalkRoot {
  readonly folder: string;
  readonly project: Project | undefined;
}

const TEAM_FOLDER = getFolder(teamLabelsPath);
const IGNORED_FOLDERS = new Set([
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
  'build-info',
  'solcinputs',
  'dry-run',
]);

const MAX_CONCURRENT_LISTS = 8;

/**
 * Finds the projects below `places` and the files in them to read: breadth first, without following symbolic links or
 * entering libraries and packages.
 *
 * @throws AppError `aborted`.
 */
export async function walkProjects(places: readonly WalkRoot[], options: WalkOptions): Promise<WalkResult> {
  const { files, slices, skip, signal } = options;
  const projects = new Map<string, Project>();
  const found: FoundFile[] = [];
  const libraries = createBudget(MAX_LIBRARY_FOLDERS);
  let listed = 0;
  let level = places;
  for (let depth = 0; level.length > 0; depth++) {
    const remainingFolders = depth < MAX_FOLDER_DEPTH ? Math.max(0, MAX_FOLDERS - listed) : 0;
    const [firstSkipped] = level.slice(remainingFolders);
    if (firstSkipped)
      skip(
        firstSkipped.folder,
        depth < MAX_FOLDER_DEPTH
          ? `Only the first ${MAX_FOLDERS} folders are read.`
          : `It is more than ${MAX_FOLDER_DEPTH} folders deep.`,
      );
    const folders = level.slice(0, remainingFolders);
    listed += folders.length;
    const entriesByFolder = await listAll(folders, options);
    const next: WalkRoot[] = [];
    for (const [index, place] of folders.entries()) {
      throwIfAborted(signal);
      const entries = entriesByFolder[index] ?? [];
      if (entries.length > MAX_FOLDER_ENTRIES)
        skip(place.folder, `Only the first ${MAX_FOLDER_ENTRIES} entries of a folder are read.`);
      const isNew = place.project === undefined || isProject(entries);
      const project =
        isNew || !place.project ? await readProject(files, place.folder, entries, libraries) : place.project;
      projects.set(project.folder, project);
      if (project !== place.project && project.leftOut !== undefined)
        skip(joinPath(project.folder, 'foundry.toml'), project.leftOut);
      for (const { name, kind } of entries.slice(0, MAX_FOLDER_ENTRIES)) {
        const path = joinPath(place.folder, name);
        if (kind === 'folder' && !isIgnoredFolder(path, project)) next.push({ folder: path, project });
        const file = kind === 'folder' ? undefined : toFoundFile(path, project);
        if (file && kind === 'file') found.push(file);
        else if (file) skip(path, 'It is a symbolic link or no ordinary file. Links are not followed.');
      }
      if (slices.isOver()) await slices.rest({ signal });
    }
    level = next;
  }
  found.sort(compareFound);
  const { maxFiles = MAX_PROJECT_FILES } = files;
  const [tooMany] = found.slice(maxFiles);
  if (tooMany)
    skip(tooMany.path, `Only the first ${maxFiles} files are read. ${found.length - maxFiles} are left out.`);
  return { files: found.slice(0, maxFiles), projects };
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

/** How to read a file of a project; undefined for a file that is not read. */
function toFoundFile(path: string, project: Project): FoundFile | undefined {
  const pathInProject = getPathInProject(project, path);
  if (/\.(?:sol|vyi?)$/.test(path)) {
    return isInLibrary(pathInProject, project)
      ? undefined
      : { path, project, kind: 'source', companions: [] };
  }
  if (classifyFile(pathInProject, project.layout) === undefined) return undefined;
  const companions = listCompanionPaths(pathInProject);
  return {
    path,
    project,
    kind: 'facts',
    companions: companions.map((companion) => joinPath(project.folder, companion)),
  };
}

/** Compiler output first: if not all files are read, those are the most useful. */
function compareFound(a: FoundFile, b: FoundFile): number {
  return getRank(a) - getRank(b) || compareValues(a.path, b.path);
}

function getRank({ path, project, kind }: FoundFile): number {
  const pathInProject = getPathInProject(project, path);
  const { out, broadcast } = project.layout;
  if (kind === 'facts' && [...out, ...broadcast].some((folder) => isPathWithin(pathInProject, folder)))
    return 0;
  return kind === 'facts' ? 2 : 1;
}

/** Whether a path is in an ignored folder of its project. The path of a folder ends with a slash. */
function isIgnoredFile(path: string, project: Project): boolean {
  const start = project.folder === '' ? 0 : project.folder.length + 1;
  for (let end = path.indexOf('/', start); end !== -1; end = path.indexOf('/', end + 1)) {
    if (isIgnoredFolder(path.slice(0, end), project)) return true;
  }
  return false;
}

function isIgnoredFolder(path: string, project: Project): boolean {
  const pathInProject = getPathInProject(project, path);
  const { out, broadcast, src, libs, cache } = project.layout;
  const isOrContains = (folder: string) => folder === pathInProject || folder.startsWith(`${pathInProject}/`);
  if ([...out, ...broadcast, ...src].some(isOrContains)) return false;
  if (pathInProject === TEAM_FOLDER) return false;
  const name = getBaseName(pathInProject);
  return (
    name.startsWith('.') ||
    IGNORED_FOLDERS.has(name.toLowerCase()) ||
    libs.includes(pathInProject) ||
    cache.includes(pathInProject)
  );
}

function isInLibrary(pathInProject: string, { layout }: Project): boolean {
  return layout.libs.some((lib) => lib !== '' && isPathWithin(pathInProject, lib));
}

interface ChangedOptions {
  readonly files: ProjectFiles;
  readonly indexedPaths: ReadonlySet<string>;
  /** The files that are read together with the one at a path: their companion. */
  readonly listDependents: (path: string) => readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
  readonly walk: (places: readonly WalkRoot[]) => Promise<WalkResult>;
}

interface ChangedFiles {
  readonly files: readonly FoundFile[];
  readonly removed: readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
}

/** For more changes than this, a full walk is faster. */
const MAX_CHANGES = 500;

/** Finds the files to read after changes at `paths`; all if a project's configuration changed. */
export async function findChangedFiles(
  paths: readonly string[],
  options: ChangedOptions,
): Promise<ChangedFiles | 'all'> {
  const { files, indexedPaths, listDependents, projects, walk } = options;
  if (paths.length > MAX_CHANGES || paths.some((path) => isConfigFile(getBaseName(path)))) return 'all';
  const found = new Map<string, FoundFile>();
  const removed = new Set<string>();
  const newProjects = new Map<string, Project>();
  for (const path of paths) {
    const project = findProject(path, projects);
    if (!project || projects.has(path)) return 'all';
    const stat = await files.stat(path);
    if (!stat) removed.add(path);
    else if (stat.kind === 'folder' && !isIgnoredFile(`${path}/`, project)) {
      const walked = await walk([{ folder: path, project }]);
      for (const file of walked.files) found.set(file.path, file);
      for (const [folder, walkedProject] of walked.projects) newProjects.set(folder, walkedProject);
    }
    const pathsToRead = [...listDependents(path), ...(stat?.kind === 'folder' ? [] : [path])];
    for (const each of pathsToRead) {
      const file = toChangedFile(each, project, indexedPaths.has(each));
      if (file) found.set(each, file);
    }
  }
  return {
    files: [...found.values()],
    removed: removed.size === 0 ? [] : [...indexedPaths].filter(isWithinAny(removed)),
    projects: newProjects,
  };
}

/** The file at a path that changed. One that was read and is not found by a walk is there because others import it. */
function toChangedFile(path: string, project: Project, isIndexed: boolean): FoundFile | undefined {
  const file = isIgnoredFile(path, project) ? undefined : toFoundFile(path, project);
  return file ?? (isIndexed ? { path, project, kind: 'imported', companions: [] } : undefined);
}

/** Creates a test for paths that are one of `paths`, or inside one of them. */
function isWithinAny(paths: ReadonlySet<string>): (path: string) => boolean {
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (paths.has(path.slice(0, end))) return true;
    }
    return false;
  };
}

import type { Abortable } from '../../base/abortable.ts';
import { compareValues } from '../../base/compareValues.ts';
import { eachLimited } from '../../base/eachLimited.ts';
import { throwIfAborted } from '../../base/errors.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { baseOf, folderOf, isWithin, joinPath } from '../layout/paths.ts';
import { besideOf, mayTell } from '../readers/readFacts.ts';
import { teamLabelsPath } from '../readers/teamLabels.ts';
import { DEEPEST_FOLDER, MOST_ENTRIES, MOST_FILES, MOST_FOLDERS } from './bounds.ts';
import { isProject, type Project, pathInProject, readProject } from './project.ts';
import type { FolderEntry, ProjectFiles } from './projectFiles.ts';

/** A file that may tell something. */
export interface FoundFile {
  readonly path: string;
  readonly project: Project;
  /** A source that lies in no project is read where another one imports it. */
  readonly kind: 'facts' | 'source' | 'imported';
  /** A file that is read along with it. */
  readonly beside: string | undefined;
}

export interface Walked {
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
export interface WalkPlace {
  readonly folder: string;
  readonly project: Project | undefined;
}

/** Folders that are listed at once. */
const LISTED_AT_ONCE = 8;
const TEAM_FOLDER = folderOf(teamLabelsPath);
const PASSED_OVER = new Set([
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
export async function walkProjects(places: readonly WalkPlace[], options: WalkOptions): Promise<Walked> {
  const { files, slices, skip, signal } = options;
  const projects = new Map<string, Project>();
  const found: FoundFile[] = [];
  let listed = 0;
  let level = places;
  for (let depth = 0; level.length > 0; depth++) {
    const room = depth < DEEPEST_FOLDER ? Math.max(0, MOST_FOLDERS - listed) : 0;
    const [cut] = level.slice(room);
    if (cut)
      skip(
        cut.folder,
        depth < DEEPEST_FOLDER
          ? `Only ${MOST_FOLDERS} folders are listed.`
          : `It lies more than ${DEEPEST_FOLDER} folders deep.`,
      );
    const now = level.slice(0, room);
    listed += now.length;
    const entriesOf = await listAll(now, options);
    const next: WalkPlace[] = [];
    for (const [index, place] of now.entries()) {
      throwIfAborted(signal);
      const entries = entriesOf[index] ?? [];
      if (entries.length > MOST_ENTRIES)
        skip(place.folder, `Only ${MOST_ENTRIES} entries of a folder are looked at.`);
      const isNew = place.project === undefined || isProject(entries);
      const project =
        isNew || !place.project ? await readProject(files, place.folder, entries) : place.project;
      projects.set(project.folder, project);
      for (const { name, kind } of entries.slice(0, MOST_ENTRIES)) {
        const path = joinPath(place.folder, name);
        if (kind === 'folder' && !isPassedOver(path, project)) next.push({ folder: path, project });
        const file = kind === 'file' ? foundFile(path, project) : undefined;
        if (file) found.push(file);
      }
      if (slices.isOver()) await slices.rest({ signal });
    }
    level = next;
  }
  found.sort(compareFound);
  const [tooMany] = found.slice(MOST_FILES);
  if (tooMany)
    skip(tooMany.path, `Only ${MOST_FILES} files are looked at; ${found.length - MOST_FILES} are left out.`);
  return { files: found.slice(0, MOST_FILES), projects };
}

/** As what a file of a project would be read; undefined for one that tells nothing. */
export function foundFile(path: string, project: Project): FoundFile | undefined {
  const inside = pathInProject(project, path);
  if (/\.(?:sol|vyi?)$/.test(path)) {
    return isInLibrary(inside, project) ? undefined : { path, project, kind: 'source', beside: undefined };
  }
  if (mayTell(inside, project.layout) === undefined) return undefined;
  const beside = besideOf(inside);
  return {
    path,
    project,
    kind: 'facts',
    beside: beside === undefined ? undefined : joinPath(project.folder, beside),
  };
}

/** Whether a file lies in a folder of its project in which nothing is of interest; of a folder, with a slash at its end. */
export function isPassedOverFile(path: string, project: Project): boolean {
  const start = project.folder === '' ? 0 : project.folder.length + 1;
  for (let end = path.indexOf('/', start); end !== -1; end = path.indexOf('/', end + 1)) {
    if (isPassedOver(path.slice(0, end), project)) return true;
  }
  return false;
}

function isPassedOver(path: string, project: Project): boolean {
  const inside = pathInProject(project, path);
  const { out, broadcast, src, libs, cache } = project.layout;
  const leadsTo = (folder: string) => folder === inside || folder.startsWith(`${inside}/`);
  if ([...out, ...broadcast, ...src].some(leadsTo)) return false;
  if (inside === TEAM_FOLDER) return false;
  const name = baseOf(inside);
  return (
    name.startsWith('.') ||
    PASSED_OVER.has(name.toLowerCase()) ||
    libs.includes(inside) ||
    cache.includes(inside)
  );
}

function isInLibrary(inside: string, { layout }: Project): boolean {
  return layout.libs.some((lib) => lib !== '' && isWithin(inside, lib));
}

async function listAll(
  places: readonly WalkPlace[],
  { files, signal }: WalkOptions,
): Promise<readonly (readonly FolderEntry[])[]> {
  const lists: (readonly FolderEntry[])[] = [];
  await eachLimited(
    [...places.entries()],
    async ([index, { folder }]) => {
      const entries = await files.list(folder);
      lists[index] = [...entries].sort((a, b) => compareValues(a.name, b.name));
    },
    { limit: LISTED_AT_ONCE, goesOn: () => !signal?.aborted },
  );
  return lists;
}

/** Built first: the files that are most likely to tell, where not all fit. */
function compareFound(a: FoundFile, b: FoundFile): number {
  return rankOf(a) - rankOf(b) || compareValues(a.path, b.path);
}

function rankOf({ path, project, kind }: FoundFile): number {
  const inside = pathInProject(project, path);
  const { out, broadcast } = project.layout;
  if (kind === 'facts' && [...out, ...broadcast].some((folder) => isWithin(inside, folder))) return 0;
  return kind === 'facts' ? 2 : 1;
}

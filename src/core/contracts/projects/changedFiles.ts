import { baseOf } from '../layout/paths.ts';
import { isSetting, type Project, projectOf } from './project.ts';
import type { ProjectFiles } from './projectFiles.ts';
import { type FoundFile, foundFile, isPassedOverFile, type Walked, type WalkPlace } from './walkProjects.ts';

interface ChangedOptions {
  readonly files: ProjectFiles;
  /** Paths of the files that are known. */
  readonly known: ReadonlySet<string>;
  /** The files that are read along with the one at a path. */
  readonly readWith: (path: string) => readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
  readonly walk: (places: readonly WalkPlace[]) => Promise<Walked>;
}

export interface ChangedFiles {
  readonly files: readonly FoundFile[];
  readonly gone: readonly string[];
  readonly projects: ReadonlyMap<string, Project>;
}

/** More changes than this are quicker looked at all together. */
const MOST_CHANGES = 500;

/** Which files are to be looked at after changes at `paths`; all where they say how a project is laid out. */
export async function changedFiles(
  paths: readonly string[],
  options: ChangedOptions,
): Promise<ChangedFiles | 'all'> {
  const { files, known, readWith, projects, walk } = options;
  if (paths.length > MOST_CHANGES || paths.some((path) => isSetting(baseOf(path)))) return 'all';
  const found = new Map<string, FoundFile>();
  const gone = new Set<string>();
  const below = new Map<string, Project>();
  for (const path of paths) {
    const project = projectOf(path, projects);
    if (!project || projects.has(path)) return 'all';
    const stat = await files.stat(path);
    if (!stat) gone.add(path);
    else if (stat.kind === 'folder' && !isPassedOverFile(`${path}/`, project)) {
      const walked = await walk([{ folder: path, project }]);
      for (const file of walked.files) found.set(file.path, file);
      for (const [folder, one] of walked.projects) below.set(folder, one);
    }
    const read = [...readWith(path), ...(stat?.kind === 'folder' ? [] : [path])];
    for (const one of read) {
      const file = asFound(one, project, known.has(one));
      if (file) found.set(one, file);
    }
  }
  return {
    files: [...found.values()],
    gone: gone.size === 0 ? [] : [...known].filter(isIn(gone)),
    projects: below,
  };
}

/** A file to look at; one that is known and tells nothing by itself is there because others import it. */
function asFound(path: string, project: Project, isKnown: boolean): FoundFile | undefined {
  const file = isPassedOverFile(path, project) ? undefined : foundFile(path, project);
  return file ?? (isKnown ? { path, project, kind: 'imported', beside: undefined } : undefined);
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

import { isSetting, type Project, projectOf } from './project.ts';
import type { ProjectFiles } from './projectFiles.ts';
import { type FoundFile, foundFile, isPassedOverFile, type Walked, type WalkPlace } from './walkProjects.ts';

interface ChangedOptions {
  readonly files: ProjectFiles;
  /** Paths of the files that are known. */
  readonly known: ReadonlySet<string>;
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
  const { files, known, projects, walk } = options;
  if (paths.length > MOST_CHANGES || paths.some((path) => isSetting(nameOf(path)))) return 'all';
  const found = new Map<string, FoundFile>();
  const gone: string[] = [];
  const below = new Map<string, Project>();
  for (const path of paths) {
    const project = projectOf(path, projects);
    if (!project || projects.has(path)) return 'all';
    const stat = await files.stat(path);
    if (!stat) gone.push(...[...known].filter((one) => one === path || one.startsWith(`${path}/`)));
    else if (stat.kind === 'folder' && !isPassedOverFile(`${path}/`, project)) {
      const walked = await walk([{ folder: path, project }]);
      for (const file of walked.files) found.set(file.path, file);
      for (const [folder, one] of walked.projects) below.set(folder, one);
    } else if (stat.kind === 'file' && !isPassedOverFile(path, project)) {
      const file = foundFile(path, project);
      if (file) found.set(path, file);
    }
    for (const file of readAlong(path, known, project)) found.set(file.path, file);
  }
  return { files: [...found.values()], gone, projects: below };
}

/** Files that are known and read along with the one at `path`; one that others import, itself. */
function readAlong(path: string, known: ReadonlySet<string>, project: Project): readonly FoundFile[] {
  if (known.has(path)) {
    const file = foundFile(path, project);
    return file ? [file] : [{ path, project, kind: 'source', beside: undefined }];
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const beside = [...known].filter((one) => one.startsWith(folder)).map((one) => foundFile(one, project));
  return beside.filter((file) => file !== undefined && file.beside === path) as readonly FoundFile[];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

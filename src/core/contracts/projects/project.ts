import { joinPath } from '../layout/paths.ts';
import { type ProjectLayout, readLayout } from '../layout/projectLayout.ts';
import type { FolderEntry, ProjectFiles } from './projectFiles.ts';

/** A project in the workspace: the folder of a tool's configuration, or a root of the workspace. */
export interface Project {
  /** From the root of the workspace; empty for the root itself. */
  readonly folder: string;
  readonly layout: ProjectLayout;
}

const TOOLS = /^(?:foundry\.toml|hardhat\.config\.[cm]?[jt]s|truffle(?:-config)?\.c?js|ape-config\.ya?ml)$/;
const OF_HARDHAT = /^hardhat\.config\./;
const OF_TRUFFLE = /^truffle/;
/** Bytes: what is larger is not what somebody wrote. */
const LARGEST_SETTING = 256 * 1024;

/** Whether a folder in which this is has a project of its own. */
export function isProject(entries: readonly FolderEntry[]): boolean {
  return entries.some(({ name, kind }) => kind === 'file' && TOOLS.test(name));
}

/** Whether a file of this name says how its project is laid out. */
export function isSetting(name: string): boolean {
  return TOOLS.test(name) || name === 'remappings.txt';
}

/** The project whose folder has `entries`. */
export async function readProject(
  files: ProjectFiles,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<Project> {
  const has = (name: string | RegExp) =>
    entries.some(
      (entry) =>
        entry.kind === 'file' && (typeof name === 'string' ? entry.name === name : name.test(entry.name)),
    );
  const text = async (name: string) => {
    if (!has(name)) return undefined;
    const bytes = await files.read(joinPath(folder, name), LARGEST_SETTING);
    return bytes && new TextDecoder().decode(bytes);
  };
  const [foundryToml, remappingsTxt] = [await text('foundry.toml'), await text('remappings.txt')];
  const layout = readLayout({
    foundryToml,
    remappingsTxt,
    hardhat: has(OF_HARDHAT),
    truffle: has(OF_TRUFFLE),
  });
  return { folder, layout };
}

/** `path`, which is in the project, from the folder of the project on. */
export function pathInProject({ folder }: Project, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** The innermost of the projects that `path` is in. */
export function projectOf(path: string, projects: ReadonlyMap<string, Project>): Project | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const project = projects.get(path.slice(0, end));
    if (project) return project;
  }
  return projects.get('');
}

import { joinPath } from '../index/indexed.ts';
import { createImportResolver } from '../sources/link/importResolver.ts';
import { type Project, pathInProject, projectOf } from './project.ts';

/** Where a file may be that is named by another one, the best place first. Paths are from the root of the workspace. */
export type ImportPlaces = (from: string, named: string) => readonly string[];

/** Goes by the layout of the project that a file is in. */
export function createImportPlaces(projects: ReadonlyMap<string, Project>): ImportPlaces {
  const resolvers = new Map<string, ReturnType<typeof createImportResolver>>();
  return (from, named) => {
    const project = projectOf(from, projects);
    if (!project) return [];
    const { folder } = project;
    const resolve = resolvers.get(folder) ?? createImportResolver(rulesOf(project));
    resolvers.set(folder, resolve);
    const inside = resolve(pathInProject(project, from), named).map((path) => joinPath(folder, path));
    return [...inside, ...foldersAbove(folder).flatMap((above) => installedIn(above, named))];
  };
}

function rulesOf({ layout: { remappings, libs } }: Project) {
  return { remappings, libs };
}

/** In a repository of several packages, what one of them uses is often installed in a folder above it. */
function installedIn(folder: string, named: string): readonly string[] {
  const isName = /^[@\w]/.test(named) && !named.split('/').includes('..');
  return isName ? [joinPath(folder, `node_modules/${named}`)] : [];
}

function foldersAbove(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; at !== ''; ) {
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    folders.push(at);
  }
  return folders;
}

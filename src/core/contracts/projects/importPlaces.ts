import { createImportResolver } from '../sources/link/importResolver.ts';
import { type Project, projectOf } from './project.ts';

/** Where a file may be that is named by another one, the best place first. Paths are from the root of the workspace. */
export type ImportPlaces = (from: string, named: string) => readonly string[];

/** Goes by the layout of the project that a file is in. */
export function createImportPlaces(projects: ReadonlyMap<string, Project>): ImportPlaces {
  const resolvers = new Map<string, ImportPlaces>();
  return (from, named) => {
    const project = projectOf(from, projects);
    if (!project) return [];
    const { folder, layout } = project;
    const { remappings, libs } = layout;
    const resolve = resolvers.get(folder) ?? createImportResolver({ remappings, libs, folder });
    resolvers.set(folder, resolve);
    return resolve(from, named);
  };
}

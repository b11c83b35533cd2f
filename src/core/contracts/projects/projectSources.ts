import type { Abortable } from '../../base/abortable.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { ContractFacts } from '../facts.ts';
import { joinPath } from '../index/indexed.ts';
import { createImportResolver } from '../sources/importResolver.ts';
import { linkSource } from '../sources/linkSource.ts';
import type { SourceFacts } from '../sources/sourceFacts.ts';
import { MOST_IMPORTED } from './bounds.ts';
import type { FolderNames } from './folderNames.ts';
import { type Project, pathInProject, projectOf } from './project.ts';

interface LinkOptions extends Abortable {
  readonly slices: TimeSlices;
  readonly names: FolderNames;
  /** Reads a source that is imported, as it does not belong to the projects. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  /** Told of each source of the projects whose contracts may be others than before. */
  readonly linked: (path: string, contracts: readonly ContractFacts[]) => void;
}

/** The sources of all projects, with those that they import. */
export interface ProjectSources {
  /** A source of a project as it is now; undefined for one that is gone. */
  put(path: string, facts: SourceFacts | undefined): void;
  /** Whether it is held because others import it. */
  isImported(path: string): boolean;
  /** Another layout leads imports elsewhere: all are resolved again. */
  useProjects(projects: ReadonlyMap<string, Project>): void;
  /** Where a file may be that is named by a file at `from`, the best place first. */
  placesOf(from: string, named: string): readonly string[];
  /** Reads what is imported and resolves the types of what has changed, and of what imports it. */
  link(options: LinkOptions): Promise<void>;
  /** Whether a bound kept imported sources out. */
  readonly isCut: boolean;
}

export function createProjectSources(): ProjectSources {
  const own = new Map<string, SourceFacts>();
  const imported = new Map<string, SourceFacts>();
  /** Sources by what they import. */
  const importers = new Map<string, Set<string>>();
  /** Sources of which an import was not found: a file that is new may be it. */
  const lacking = new Set<string>();
  let resolvers = new Map<string, ReturnType<typeof createImportResolver>>();
  let projects: ReadonlyMap<string, Project> = new Map();
  let changed = new Set<string>();
  let isCut = false;

  const get = (path: string) => own.get(path) ?? imported.get(path);

  function placesOf(from: string, named: string): readonly string[] {
    const project = projectOf(from, projects);
    if (!project) return [];
    const resolve = resolvers.get(project.folder) ?? createImportResolver(rulesOf(project));
    resolvers.set(project.folder, resolve);
    const inside = resolve(pathInProject(project, from), named).map((path) => joinPath(project.folder, path));
    return [...inside, ...foldersAbove(project.folder).flatMap((folder) => installedIn(folder, named))];
  }

  async function readImports(
    paths: Iterable<string>,
    { names, read, slices, signal }: LinkOptions,
  ): Promise<void> {
    const waiting = [...paths];
    for (const path of waiting) {
      const facts = get(path);
      lacking.delete(path);
      for (const { path: written } of facts?.imports ?? []) {
        const target = await findImport(placesOf(path, written), names);
        if (target === undefined) {
          lacking.add(path);
          continue;
        }
        const users = importers.get(target) ?? new Set();
        importers.set(target, users.add(path));
        if (get(target)) continue;
        isCut ||= imported.size >= MOST_IMPORTED;
        const there = isCut ? undefined : await read(target);
        if (!there) continue;
        imported.set(target, there);
        waiting.push(target);
      }
      if (slices.isOver()) await slices.rest({ signal });
    }
  }

  async function findImport(places: readonly string[], names: FolderNames): Promise<string | undefined> {
    for (const place of places) if (get(place)) return place;
    for (const place of places) if (await names.has(place)) return place;
    return undefined;
  }

  return {
    put(path, facts) {
      if (imported.has(path)) {
        imported.delete(path);
        if (facts) imported.set(path, facts);
      } else if (facts) own.set(path, facts);
      else own.delete(path);
      changed.add(path);
    },
    isImported: (path) => imported.has(path),
    useProjects(now) {
      projects = now;
      resolvers = new Map();
      imported.clear();
      importers.clear();
      changed = new Set(own.keys());
    },
    placesOf,
    async link(options) {
      const { linked, slices, signal } = options;
      if (changed.size === 0) return;
      await readImports(new Set([...changed, ...lacking]), options);
      const again = closure(changed, importers);
      const files = { get, resolve: placesOf };
      for (const path of [...again].sort()) {
        if (!own.has(path)) continue;
        linked(path, linkSource(path, files));
        if (slices.isOver()) await slices.rest({ signal });
      }
      changed = new Set();
    },
    get isCut() {
      return isCut;
    },
  };
}

function rulesOf({ layout }: Project) {
  const remappings = layout.remappings.map(
    ({ context, prefix, target }) => `${context === undefined ? '' : `${context}:`}${prefix}=${target}/`,
  );
  return { remappings, libs: layout.libs };
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

/** `paths`, and all that import them. */
function closure(
  paths: Iterable<string>,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of all) for (const importer of importers.get(path) ?? []) all.add(importer);
  return all;
}

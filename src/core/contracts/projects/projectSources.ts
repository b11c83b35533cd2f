import type { Abortable } from '../../base/abortable.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { ContractFacts } from '../facts.ts';
import { linkSource } from '../sources/link/linkSource.ts';
import { MOST_IMPORTED } from './bounds.ts';
import type { FolderNames } from './folderNames.ts';
import type { KnownSource } from './kept/knownFile.ts';
import { createParsedSources } from './parsedSources.ts';

interface LinkOptions extends Abortable {
  readonly slices: TimeSlices;
  readonly names: FolderNames;
  /** Where a file may be that another one imports, the best place first. */
  readonly placesOf: (from: string, imported: string) => readonly string[];
  /** Reads a source that is imported and lies in none of the projects. */
  readonly read: (path: string) => Promise<KnownSource | undefined>;
  /** Told of each source of which it is known now what it imports. */
  readonly resolved: (path: string, source: KnownSource) => void;
  /** Told of each source of the projects whose contracts may be others than before. */
  readonly linked: (path: string, contracts: readonly ContractFacts[]) => void;
}

/** The sources of all projects, with those that they import. */
export interface ProjectSources {
  /** A source as it is now; one whose imports are not known yet is new. */
  put(path: string, source: KnownSource, how: { readonly isImported: boolean }): void;
  remove(path: string): void;
  /** Whether it is held because others import it. */
  isImported(path: string): boolean;
  /** Reads what is imported, and resolves the types of what has changed and of what imports that. */
  link(options: LinkOptions): Promise<void>;
  /** Whether a bound kept imported sources out. */
  readonly isCut: boolean;
}

interface Held {
  readonly source: KnownSource;
  readonly isImported: boolean;
}

export function createProjectSources(): ProjectSources {
  const held = new Map<string, Held>();
  const parsed = createParsedSources();
  let importedCount = 0;
  let changed = new Set<string>();
  let isCut = false;

  function get(path: string) {
    const source = held.get(path)?.source;
    return source && parsed.of(source);
  }

  function remove(path: string): void {
    if (held.get(path)?.isImported) importedCount--;
    held.delete(path);
    changed.add(path);
  }

  function put(path: string, source: KnownSource, { isImported }: { readonly isImported: boolean }): void {
    const before = held.get(path);
    importedCount += Number(isImported) - Number(before?.isImported ?? false);
    held.set(path, { source, isImported });
    if (source.imports === undefined) changed.add(path);
  }

  async function resolveImports(path: string, options: LinkOptions): Promise<readonly string[]> {
    const { placesOf, names, read, resolved } = options;
    const one = held.get(path);
    if (!one) return [];
    const imports = new Set<string>();
    const found: string[] = [];
    let isLacking = false;
    for (const { path: written } of get(path)?.imports ?? []) {
      const target = await findImport(placesOf(path, written), names);
      isLacking ||= target === undefined;
      if (target === undefined) continue;
      imports.add(target);
      if (held.has(target)) continue;
      isCut ||= importedCount >= MOST_IMPORTED;
      const there = isCut ? undefined : await read(target);
      if (!there) continue;
      put(target, there, { isImported: true });
      found.push(target);
    }
    const source = { ...one.source, imports: [...imports], isLacking };
    held.set(path, { ...one, source });
    resolved(path, source);
    return found;
  }

  async function findImport(places: readonly string[], names: FolderNames): Promise<string | undefined> {
    for (const place of places) if (held.has(place)) return place;
    for (const place of places) if (await names.has(place)) return place;
    return undefined;
  }

  return {
    put,
    remove,
    isImported: (path) => held.get(path)?.isImported ?? false,
    async link(options) {
      const { linked, placesOf, slices, signal } = options;
      if (changed.size === 0) return;
      const lacking = [...held].filter(([, { source }]) => source.isLacking).map(([path]) => path);
      const waiting = [...new Set([...changed, ...lacking])];
      for (const path of waiting) {
        waiting.push(...(await resolveImports(path, options)));
        if (slices.isOver()) await slices.rest({ signal });
      }
      const again = [...withImporters(new Set([...changed, ...lacking]), held)].sort();
      const files = { get, resolve: oncePerImport(placesOf, (place) => held.has(place)) };
      for (const path of again) {
        if (held.get(path)?.isImported !== false) continue;
        linked(path, linkSource(path, files));
        if (slices.isOver()) await slices.rest({ signal });
      }
      changed = new Set();
      parsed.clear();
    },
    get isCut() {
      return isCut;
    },
  };
}

/** The first place that is there, each import looked for once: many files may import many. */
function oncePerImport(
  placesOf: LinkOptions['placesOf'],
  isThere: (place: string) => boolean,
): LinkOptions['placesOf'] {
  const known = new Map<string, Map<string, readonly string[]>>();
  return (from, imported) => {
    const ofFile = known.get(from) ?? new Map<string, readonly string[]>();
    known.set(from, ofFile);
    const places = ofFile.get(imported) ?? placesOf(from, imported).filter(isThere).slice(0, 1);
    ofFile.set(imported, places);
    return places;
  };
}

/** `paths`, and all that import them, directly or not. */
function withImporters(paths: Set<string>, held: ReadonlyMap<string, Held>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [path, { source }] of held) {
    for (const target of source.imports ?? []) {
      const known = importers.get(target);
      if (known) known.push(path);
      else importers.set(target, [path]);
    }
  }
  for (const path of paths) for (const importer of importers.get(path) ?? []) paths.add(importer);
  return paths;
}

import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type FolderNames, findProject, MAX_IMPORTED_SOURCES, type Project } from './projectFiles.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';
import type { SourceFacts } from './source/declarations.ts';
import { createImportResolver } from './source/importResolver.ts';
import { linkSource } from './source/linkSource.ts';

export interface IndexedFile {
  readonly path: string;
  /** Size and time of the file and its companion: as long as they are equal, it is not read again. */
  readonly signature: string;
  /** Hash of the content: as long as it is equal, it is not parsed again. */
  readonly hash: number;
  /** Hash of its project: the layout decides how a file is read. */
  readonly context: number;
  readonly facts: FileFacts | undefined;
  readonly source: IndexedSource | undefined;
  /** Why it, or a part of it, could not be read. */
  readonly error: string | undefined;
}

/** What a source declares. Few are used at a time, and as text they take a tenth of the memory. */
export interface IndexedSource {
  /** `SourceFacts` as JSON. */
  readonly json: string;
  /** The paths that it imports; undefined until they are resolved. */
  readonly imports: readonly string[] | undefined;
  /** Whether an import was not found; a new file may be it. */
  readonly isIncomplete: boolean;
}

/** The sources of all projects and the sources that they import. */
export interface ProjectSources {
  /** Adds or replaces a source. One without resolved imports counts as changed. */
  put(path: string, source: IndexedSource, how: { readonly isImported: boolean }): void;
  remove(path: string): void;
  /** Whether it was read only because others import it. */
  isImported(path: string): boolean;
  /** Reads imported sources, and resolves the types of what changed and of what imports it. */
  link(options: LinkOptions): Promise<void>;
  /** Whether imported sources were skipped because there are too many. */
  readonly isLimitReached: boolean;
}

/** Interfaces that the Vyper compiler has itself. */
const BUILT_IN = /^(?:vyper\.interfaces|ethereum\.ercs)(?:\.|$)/;

interface SourceEntry {
  readonly source: IndexedSource;
  readonly isImported: boolean;
}

interface LinkOptions extends Abortable {
  /** Whether all files were checked: an import that was not found may be there now. */
  readonly isFull: boolean;
  readonly slices: TimeSlices;
  readonly names: FolderNames;
  /** The paths at which an imported file may be, the best first. */
  readonly listCandidates: (from: string, imported: string) => readonly string[];
  /** Reads an imported source that is in none of the walked folders. */
  readonly read: (path: string) => Promise<IndexedSource | undefined>;
  /** `missing` are the imports that were not found, as written. */
  readonly onImportsResolved: (path: string, source: IndexedSource, missing: readonly string[]) => void;
  /** Receives each source of the projects whose contracts may have changed. */
  readonly onLinked: (path: string, contracts: readonly ContractFacts[]) => void;
}

export function createProjectSources(): ProjectSources {
  const entries = new Map<string, SourceEntry>();
  const parsed = createParsedSources();
  let importedCount = 0;
  let changed = new Set<string>();
  let isLimitReached = false;

  function get(path: string) {
    const source = entries.get(path)?.source;
    return source && parsed.get(source);
  }

  function remove(path: string): void {
    if (entries.get(path)?.isImported) importedCount--;
    entries.delete(path);
    changed.add(path);
  }

  function put(path: string, source: IndexedSource, { isImported }: { readonly isImported: boolean }): void {
    const previous = entries.get(path);
    importedCount += Number(isImported) - Number(previous?.isImported ?? false);
    entries.set(path, { source, isImported });
    if (source.imports === undefined) changed.add(path);
  }

  async function resolveImports(path: string, options: LinkOptions): Promise<readonly string[]> {
    const { listCandidates, names, read, onImportsResolved } = options;
    const entry = entries.get(path);
    if (!entry) return [];
    const imports = new Set<string>();
    const found: string[] = [];
    const missing: string[] = [];
    for (const { path: written } of get(path)?.imports ?? []) {
      const target = await findImport(listCandidates(path, written), names);
      if (target === undefined) {
        missing.push(written);
        continue;
      }
      imports.add(target);
      if (entries.has(target)) continue;
      isLimitReached ||= importedCount >= MAX_IMPORTED_SOURCES;
      const imported = isLimitReached ? undefined : await read(target);
      if (!imported) continue;
      put(target, imported, { isImported: true });
      found.push(target);
    }
    const source = { ...entry.source, imports: [...imports], isIncomplete: missing.length > 0 };
    entries.set(path, { ...entry, source });
    onImportsResolved(
      path,
      source,
      entry.isImported ? [] : missing.filter((written) => !BUILT_IN.test(written)),
    );
    return found;
  }

  async function findImport(places: readonly string[], names: FolderNames): Promise<string | undefined> {
    for (const place of places) if (entries.has(place)) return place;
    for (const place of places) if (await names.has(place)) return place;
    return undefined;
  }

  return {
    put,
    remove,
    isImported: (path) => entries.get(path)?.isImported ?? false,
    async link(options) {
      const { onLinked, listCandidates, slices, signal } = options;
      const incomplete = [...entries].filter(([, { source }]) => source.isIncomplete).map(([path]) => path);
      if (changed.size === 0 && (incomplete.length === 0 || !options.isFull)) return;
      const queue = [...new Set([...changed, ...incomplete])];
      for (const path of queue) {
        queue.push(...(await resolveImports(path, options)));
        if (slices.isOver()) await slices.rest({ signal });
      }
      const affected = [...withImporters(new Set([...changed, ...incomplete]), entries)].sort();
      const files = { get, resolve: cacheCandidates(listCandidates, (place) => entries.has(place)) };
      for (const path of affected) {
        if (entries.get(path)?.isImported !== false) continue;
        onLinked(path, linkSource(path, files));
        if (slices.isOver()) await slices.rest({ signal });
      }
      changed = new Set();
      parsed.clear();
    },
    get isLimitReached() {
      return isLimitReached;
    },
  };
}

/** The first candidate that exists. Caches each import: many files may import many. */
function cacheCandidates(
  listCandidates: LinkOptions['listCandidates'],
  exists: (place: string) => boolean,
): LinkOptions['listCandidates'] {
  const cache = new Map<string, Map<string, readonly string[]>>();
  return (from, imported) => {
    const ofFile = cache.get(from) ?? new Map<string, readonly string[]>();
    cache.set(from, ofFile);
    const places = ofFile.get(imported) ?? listCandidates(from, imported).filter(exists).slice(0, 1);
    ofFile.set(imported, places);
    return places;
  };
}

/** `paths` and all files that import them, directly or not. */
function withImporters(paths: Set<string>, entries: ReadonlyMap<string, SourceEntry>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [path, { source }] of entries) {
    for (const target of source.imports ?? []) {
      const existing = importers.get(target);
      if (existing) existing.push(path);
      else importers.set(target, [path]);
    }
  }
  for (const path of paths) for (const importer of importers.get(path) ?? []) paths.add(importer);
  return paths;
}

/**
 * Characters of the sources that are in memory as objects while types are resolved: those of a thousand files with all
 * their imports. As objects they take about five times as many bytes.
 */
const MAX_PARSED_CHARS = 8 * 1024 * 1024;

/** Lists the paths at which an imported file may be, the best first. Paths are relative to the workspace root. */
export type ImportCandidates = (from: string, imported: string) => readonly string[];

/** Resolves imports with the layout of the importing file's project. */
export function createImportCandidates(projects: ReadonlyMap<string, Project>): ImportCandidates {
  const resolvers = new Map<string, ImportCandidates>();
  return (from, imported) => {
    const project = findProject(from, projects);
    if (!project) return [];
    const { folder, layout } = project;
    const { remappings, libs } = layout;
    const resolve = resolvers.get(folder) ?? createImportResolver({ remappings, libs, folder });
    resolvers.set(folder, resolve);
    return resolve(from, imported);
  };
}

interface ParsedSources {
  /** Undefined for text that {@link serializeSource} did not write, as a store may contain. */
  get(source: IndexedSource): SourceFacts | undefined;
  clear(): void;
}

/** Parses sources on demand, and caches the latest. */
function createParsedSources(): ParsedSources {
  const parsed = new Map<IndexedSource['json'], SourceFacts | undefined>();
  let characters = 0;

  function dropOldest(): void {
    for (const [json] of parsed) {
      if (characters <= MAX_PARSED_CHARS) return;
      parsed.delete(json);
      characters -= json.length;
    }
  }

  return {
    get({ json }) {
      const cached = parsed.get(json);
      if (parsed.delete(json)) characters -= json.length;
      const facts = cached ?? parse(json);
      parsed.set(json, facts);
      characters += json.length;
      dropOldest();
      return facts;
    },
    clear() {
      parsed.clear();
      characters = 0;
    },
  };
}

function parse(json: string): SourceFacts | undefined {
  try {
    const facts = storedSourceSchema.safeParse(JSON.parse(json));
    return facts.success ? facts.data : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes what a source declares. Repeated uses of an event or error in a contract or function are written once. */
export function serializeSource(facts: SourceFacts): string {
  const uses = new Map(
    facts.uses.map((use) => [`${use.contract} ${use.function ?? ''} ${use.kind} ${use.name}`, use]),
  );
  return JSON.stringify({ ...facts, uses: [...uses.values()] });
}

const isTrue = z.exactOptional(z.literal(true));
const parameter = z.object({
  name: z.string(),
  type: z.string(),
  indexed: isTrue,
  isStorage: isTrue,
  unit: z.exactOptional(z.string()),
});
const place = { line: z.number(), offset: z.number() };
const type = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('struct'), name: z.string(), members: z.array(parameter) }),
  z.object({ kind: z.literal('enum'), name: z.string(), members: z.array(z.string()) }),
  z.object({ kind: z.literal('alias'), name: z.string(), type: z.string() }),
  z.object({ kind: z.literal('constant'), name: z.string(), value: z.string() }),
]);
const item = z.object({
  ...place,
  kind: z.enum(['event', 'error', 'function']),
  name: z.string(),
  inputs: z.array(parameter),
  outputs: z.exactOptional(z.array(parameter)),
  isView: isTrue,
  isGetter: isTrue,
  anonymous: isTrue,
});
const using = z.object({
  names: z.array(z.string()),
  operators: z.exactOptional(z.array(z.tuple([z.string(), z.string()]))),
  isGlobal: isTrue,
});
const scope = {
  types: z.array(type),
  items: z.array(item),
  functions: z.exactOptional(z.array(z.object({ name: z.string(), calls: z.array(z.string()) }))),
  usings: z.exactOptional(z.array(using)),
};

const storedSourceSchema: z.ZodMiniType<SourceFacts> = z.object({
  ...scope,
  language: z.enum(['solidity', 'vyper']),
  decimal: z.exactOptional(z.enum(['fixed168x10', 'int168'])),
  imports: z.array(
    z.object({
      path: z.string(),
      as: z.exactOptional(z.string()),
      names: z.exactOptional(z.array(z.tuple([z.string(), z.string()]))),
    }),
  ),
  contracts: z.array(
    z.object({
      ...scope,
      ...place,
      kind: z.enum(['contract', 'abstract', 'interface', 'library']),
      name: z.string(),
      bases: z.array(z.string()),
      exports: z.exactOptional(z.array(z.string())),
    }),
  ),
  uses: z.array(
    z.object({
      ...place,
      kind: z.enum(['event', 'error']),
      name: z.string(),
      end: z.number(),
      contract: z.optional(z.number()),
      function: z.exactOptional(z.string()),
    }),
  ),
  cut: z.boolean(),
});

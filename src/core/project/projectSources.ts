import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type FolderNames, findProject, MAX_IMPORTED_SOURCES, type Project } from './projectFiles.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';
import type { SourceFacts } from './source/declarations.ts';
import { createImportResolver } from './source/importResolver.ts';
import { linkSource } from './source/linkSource.ts';

interface LinkOptions extends Abortable {
  readonly slices: TimeSlices;
  readonly names: FolderNames;
  /** Where a file may be that another one imports, the best place first. */
  readonly placesOf: (from: string, imported: string) => readonly string[];
  /** Reads a source that is imported and lies in none of the projects. */
  readonly read: (path: string) => Promise<IndexedSource | undefined>;
  /** Told of each source of which it is known now what it imports. */
  readonly resolved: (path: string, source: IndexedSource) => void;
  /** Told of each source of the projects whose contracts may be others than before. */
  readonly linked: (path: string, contracts: readonly ContractFacts[]) => void;
}

/** The sources of all projects, with those that they import. */
export interface ProjectSources {
  /** A source as it is now; one whose imports are not known yet is new. */
  put(path: string, source: IndexedSource, how: { readonly isImported: boolean }): void;
  remove(path: string): void;
  /** Whether it is held because others import it. */
  isImported(path: string): boolean;
  /** Reads what is imported, and resolves the types of what has changed and of what imports that. */
  link(options: LinkOptions): Promise<void>;
  /** Whether a bound kept imported sources out. */
  readonly isCut: boolean;
}

interface SourceEntry {
  readonly source: IndexedSource;
  readonly isImported: boolean;
}

export function createProjectSources(): ProjectSources {
  const held = new Map<string, SourceEntry>();
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

  function put(path: string, source: IndexedSource, { isImported }: { readonly isImported: boolean }): void {
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
    let isIncomplete = false;
    for (const { path: written } of get(path)?.imports ?? []) {
      const target = await findImport(placesOf(path, written), names);
      isIncomplete ||= target === undefined;
      if (target === undefined) continue;
      imports.add(target);
      if (held.has(target)) continue;
      isCut ||= importedCount >= MAX_IMPORTED_SOURCES;
      const there = isCut ? undefined : await read(target);
      if (!there) continue;
      put(target, there, { isImported: true });
      found.push(target);
    }
    const source = { ...one.source, imports: [...imports], isIncomplete };
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
      const lacking = [...held].filter(([, { source }]) => source.isIncomplete).map(([path]) => path);
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
function withImporters(paths: Set<string>, held: ReadonlyMap<string, SourceEntry>): ReadonlySet<string> {
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

/**
 * Characters of the sources that are held parsed, while sources are linked: those of a thousand files with all that they
 * import. Parsed they take about five times as many bytes.
 */
const MAX_PARSED_CHARS = 8 * 1024 * 1024;

/** What a source declares, as text; an `emit` of one event counts once in a contract, wherever it stands. */
export function serializeSource(facts: SourceFacts): string {
  const uses = new Map(facts.uses.map((use) => [`${use.contract} ${use.kind} ${use.name}`, use]));
  return JSON.stringify({ ...facts, uses: [...uses.values()] });
}

export interface ParsedSources {
  /** Undefined for text that is none of {@link serializeSource}, as what was kept may be. */
  of(source: IndexedSource): SourceFacts | undefined;
  clear(): void;
}

/** Parses sources when they are needed, and holds the last ones. */
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
    of({ json }) {
      const known = parsed.get(json);
      if (parsed.delete(json)) characters -= json.length;
      const facts = known ?? parse(json);
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

/** Where a file may be that is named by another one, the best place first. Paths are from the root of the workspace. */
export type ImportCandidates = (from: string, named: string) => readonly string[];

/** Goes by the layout of the project that a file is in. */
export function createImportCandidates(projects: ReadonlyMap<string, Project>): ImportCandidates {
  const resolvers = new Map<string, ImportCandidates>();
  return (from, named) => {
    const project = findProject(from, projects);
    if (!project) return [];
    const { folder, layout } = project;
    const { remappings, libs } = layout;
    const resolve = resolvers.get(folder) ?? createImportResolver({ remappings, libs, folder });
    resolvers.set(folder, resolve);
    return resolve(from, named);
  };
}

const isTrue = z.exactOptional(z.literal(true));
const parameter = z.object({ name: z.string(), type: z.string(), indexed: isTrue });
const place = { line: z.number(), offset: z.number() };
const type = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('struct'), name: z.string(), members: z.array(parameter) }),
  z.object({ kind: z.literal('enum'), name: z.string() }),
  z.object({ kind: z.literal('alias'), name: z.string(), type: z.string() }),
  z.object({ kind: z.literal('constant'), name: z.string(), value: z.string() }),
]);
const item = z.object({
  ...place,
  kind: z.enum(['event', 'error', 'function']),
  name: z.string(),
  inputs: z.array(parameter),
  outputs: z.exactOptional(z.array(parameter)),
  anonymous: isTrue,
});
const scope = { types: z.array(type), items: z.array(item) };

/** What a source declares, as it is kept between sessions. */
const storedSourceSchema: z.ZodMiniType<SourceFacts> = z.object({
  ...scope,
  language: z.enum(['solidity', 'vyper']),
  imports: z.array(
    z.object({
      path: z.string(),
      as: z.exactOptional(z.string()),
      names: z.exactOptional(z.array(z.tuple([z.string(), z.string()]))),
    }),
  ),
  contracts: z.array(
    z.object({
      ...{ ...scope, ...place },
      kind: z.enum(['contract', 'abstract', 'interface', 'library']),
      name: z.string(),
      bases: z.array(z.string()),
    }),
  ),
  uses: z.array(
    z.object({
      ...place,
      kind: z.enum(['event', 'error']),
      name: z.string(),
      end: z.number(),
      contract: z.union([z.number(), z.undefined()]),
    }),
  ),
  cut: z.boolean(),
});

/** What is known of a file that was read. */
export interface IndexedFile {
  readonly path: string;
  /** Size and time of it and of the file beside it: as long as they are the same, it is not read again. */
  readonly signature: string;
  /** Of its content: as long as it is the same, it is not parsed again. */
  readonly hash: number;
  /** Of the project that it was read in: another layout reads the same file otherwise. */
  readonly context: number;
  readonly facts: FileFacts | undefined;
  readonly source: IndexedSource | undefined;
  /** Why it, or a part of it, could not be read. */
  readonly problem: string | undefined;
}

/** What a source declares. Few are needed at once, and as text they take a tenth of the memory. */
export interface IndexedSource {
  /** `SourceFacts` as JSON. */
  readonly json: string;
  /** The files that it imports; undefined as long as nobody has looked where they are. */
  readonly imports: readonly string[] | undefined;
  /** Whether an import was not found: a file that is new may be it. */
  readonly isIncomplete: boolean;
}

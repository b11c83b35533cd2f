import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import { createBudget, type TimeSlices } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { ImportFinder } from './importFinder.ts';
import { MAX_IMPORTED_SOURCES } from './projectFiles.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';
import { MAX_LINKED_FILES, type SourceFacts } from './source/declarations.ts';
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
  /** The imports that were found, as written, with their paths; undefined until they are resolved. */
  readonly imports: readonly (readonly [written: string, path: string])[] | undefined;
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
  /** Whether some imports of the last update were not followed, as too much is imported. */
  readonly isCut: boolean;
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
  readonly finder: ImportFinder;
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
  let isCut = false;

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
    const { finder, slices, signal, read, onImportsResolved } = options;
    const entry = entries.get(path);
    if (!entry) return [];
    const imports: (readonly [string, string])[] = [];
    const found: string[] = [];
    const missing: string[] = [];
    for (const written of new Set(get(path)?.imports.map((each) => each.path))) {
      if (slices.isOver()) await slices.rest({ signal });
      const target = await finder.find(path, written, (place) => entries.has(place));
      if (target === undefined) {
        missing.push(written);
        continue;
      }
      imports.push([written, target]);
      if (entries.has(target)) continue;
      isLimitReached ||= importedCount >= MAX_IMPORTED_SOURCES;
      const imported = isLimitReached ? undefined : await read(target);
      if (!imported) continue;
      put(target, imported, { isImported: true });
      found.push(target);
    }
    const source = { ...entry.source, imports, isIncomplete: missing.length > 0 };
    entries.set(path, { ...entry, source });
    // What was not looked for may be there.
    const isReported = !entry.isImported && !finder.isCut;
    onImportsResolved(path, source, isReported ? missing.filter((written) => !BUILT_IN.test(written)) : []);
    return found;
  }

  /**
   * Parses a source and what it imports, the closest first, as far as fits into memory: then linking it parses nothing.
   * Returns their paths.
   */
  async function readClosure(start: string, { slices, signal }: LinkOptions): Promise<ReadonlySet<string>> {
    const closure = new Set<string>();
    const seen = new Set([start]);
    const chars = createBudget(MAX_PARSED_CHARS);
    const edges = createBudget(MAX_CLOSURE_IMPORTS);
    for (const path of seen) {
      const source = entries.get(path)?.source;
      if (!source) continue;
      if (!chars.pay(source.json.length)) {
        isCut = true;
        continue;
      }
      get(path);
      closure.add(path);
      const imports = source.imports ?? [];
      if (closure.size >= MAX_LINKED_FILES || !edges.pay(imports.length)) isCut ||= imports.length > 0;
      else for (const [, target] of imports) seen.add(target);
      if (slices.isOver()) await slices.rest({ signal });
    }
    return closure;
  }

  /** Whether an import was not found, or its file is gone: it may be elsewhere now. */
  function isIncomplete(source: IndexedSource): boolean {
    return source.isIncomplete || source.imports?.some(([, target]) => !entries.has(target)) === true;
  }

  return {
    put,
    remove,
    isImported: (path) => entries.get(path)?.isImported ?? false,
    async link(options) {
      const { onLinked, slices, signal } = options;
      const incomplete = [...entries].filter(([, { source }]) => isIncomplete(source)).map(([path]) => path);
      if (changed.size === 0 && (incomplete.length === 0 || !options.isFull)) return;
      const queue = [...new Set([...changed, ...incomplete])];
      for (const path of queue) {
        pushAll(queue, await resolveImports(path, options));
        if (slices.isOver()) await slices.rest({ signal });
      }
      const affected = [...withImporters(new Set([...changed, ...incomplete]), entries)].sort();
      isCut = false;
      const budget = createBudget(MAX_SEARCHES);
      const resolve = createImportLookup((path) => entries.get(path)?.source);
      for (const path of affected) {
        if (entries.get(path)?.isImported !== false) continue;
        const closure = await readClosure(path, options);
        const contracts = linkSource(path, {
          get: (other) => (closure.has(other) ? get(other) : undefined),
          resolve,
          budget,
        });
        if (slices.isOver()) await slices.rest({ signal });
        onLinked(path, contracts);
        if (slices.isOver()) await slices.rest({ signal });
      }
      isCut ||= budget.left < MIN_SEARCHES_LEFT;
      changed = new Set();
      parsed.clear();
    },
    get isLimitReached() {
      return isLimitReached;
    },
    get isCut() {
      return isCut;
    },
  };
}

const NOWHERE: readonly string[] = [];

/** Looks up what was found for an import. */
function createImportLookup(
  getSource: (path: string) => IndexedSource | undefined,
): (from: string, imported: string) => readonly string[] {
  const places = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return (from, imported) => {
    const known = places.get(from);
    const ofFile = known ?? new Map(getSource(from)?.imports?.map(([written, path]) => [written, [path]]));
    if (!known) places.set(from, ofFile);
    return ofFile.get(imported) ?? NOWHERE;
  };
}

/** `paths` and all files that import them, directly or not. */
function withImporters(paths: Set<string>, entries: ReadonlyMap<string, SourceEntry>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [path, { source }] of entries) {
    for (const [, target] of source.imports ?? []) {
      const existing = importers.get(target);
      if (existing) existing.push(path);
      else importers.set(target, [path]);
    }
  }
  for (const path of paths) for (const importer of importers.get(path) ?? []) paths.add(importer);
  return paths;
}

/** Names that are looked up in files while the sources of an update are linked, counted with the imports of the files. */
const MAX_SEARCHES = 50_000_000;
/** Imports that are followed to link a source. Real ones lead to some hundred files with up to thirty. */
const MAX_CLOSURE_IMPORTS = 20_000;
/** With less, some names were not looked up: as many as a file may cost. */
const MIN_SEARCHES_LEFT = 5_000;

/**
 * Characters of one generation of parsed sources: a thousand files with all their imports. Their objects take about five
 * times as many bytes.
 */
const MAX_PARSED_CHARS = 8 * 1024 * 1024;

interface ParsedSources {
  /** Undefined for text that {@link serializeSource} did not write, as a store may contain. */
  get(source: IndexedSource): SourceFacts | undefined;
  clear(): void;
}

/**
 * Parses sources on demand, and caches two generations of them. A hit moves nothing: a map that deletes and adds an entry
 * for each hit copies its table again and again.
 */
function createParsedSources(): ParsedSources {
  type Generation = Map<IndexedSource['json'], SourceFacts | undefined>;
  let latest: Generation = new Map();
  let earlier: Generation = new Map();
  const valid = new Set<IndexedSource['json']>();
  let characters = 0;

  return {
    get({ json }) {
      const cached = latest.get(json) ?? earlier.get(json);
      if (cached) return cached;
      const facts = valid.has(json) ? JSON.parse(json) : parse(json);
      if (facts) valid.add(json);
      if (characters + json.length > MAX_PARSED_CHARS) {
        earlier = latest;
        latest = new Map();
        characters = 0;
      }
      latest.set(json, facts);
      characters += json.length;
      return facts;
    },
    clear() {
      latest.clear();
      earlier.clear();
      valid.clear();
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

import type { EnumPlace, EnumsByItem } from '../abi/enums.ts';
import { sanitizeText } from '../base/text.ts';
import type { ImportFinder } from './importFinder.ts';
import type { ContractIndex } from './index/contractIndex.ts';
import { joinPath } from './layout.ts';
import {
  MAX_CONTRACTS,
  MAX_DEPLOYMENTS,
  MAX_TEXT_CHARS,
  type Project,
  type SkippedFiles,
} from './projectFiles.ts';
import type { IndexedFile, IndexedSource, ProjectSources } from './projectSources.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';
import type { FoundFile } from './walkProjects.ts';

/** The files that were read so far. Puts their facts into the index and their sources into `sources`. */
interface IndexedFiles {
  readonly paths: ReadonlySet<string>;
  /** A file of this session or restored from the previous one. */
  get(path: string): IndexedFile | undefined;
  has(path: string): boolean;
  /** The files that are read together with the one at a path: their companion. */
  listDependents(path: string): readonly string[];
  add(file: IndexedFile, context: FileContext): Promise<void>;
  /** `missing` are imports that were not found. */
  setImports(path: string, source: IndexedSource, missing: readonly string[]): void;
  /** Replaces the contracts of a source whose types are resolved. */
  setLinkedContracts(path: string, contracts: FileFacts['contracts'], project: Project | undefined): void;
  remove(path: string): void;
  /** Uses the files of the previous session until all files have been checked. */
  restore(files: ReadonlyMap<string, IndexedFile>): void;
  readonly restoredSources: readonly string[];
  /** Drops restored files that no longer exist. */
  dropRestored(): void;
  /** All files to store, or undefined if nothing changed since the last call. */
  takeChanges(): readonly IndexedFile[] | undefined;
}

interface IndexedFilesOptions {
  readonly index: ContractIndex;
  readonly sources: ProjectSources;
  readonly skipped: SkippedFiles;
}

interface FileContext {
  readonly file: FoundFile;
  readonly finder: ImportFinder;
}

export function createIndexedFiles({ index, sources, skipped }: IndexedFilesOptions): IndexedFiles {
  const files = new Map<string, IndexedFile>();
  const paths = new Set<string>();
  /** The files that have a companion, by the path of the companion. */
  const byCompanion = new Map<string, Set<string>>();
  const internedFacts = createInternedFacts();
  let restored: ReadonlyMap<string, IndexedFile> = new Map();
  let hasChanges = false;

  /** Why the facts of a file do not fit; undefined if they do. */
  function checkLimits(facts: FileFacts | undefined): string | undefined {
    if (!facts) return undefined;
    const { contracts, deployments } = index.counts;
    if (internedFacts.isFull) return 'The index is full: its text has reached the size limit.';
    if (facts.contracts.length > 0 && contracts >= MAX_CONTRACTS) {
      return `The index is full: it has ${MAX_CONTRACTS} contracts.`;
    }
    if (facts.deployments.length > 0 && deployments >= MAX_DEPLOYMENTS) {
      return `The index is full: it has ${MAX_DEPLOYMENTS} deployments.`;
    }
    return undefined;
  }

  function get(path: string): IndexedFile | undefined {
    return files.get(path) ?? restored.get(path);
  }

  function set(file: IndexedFile): void {
    hasChanges ||= get(file.path) !== file;
    files.set(file.path, file);
    paths.add(file.path);
  }

  async function putFacts(path: string, facts: FileFacts, context: FileContext): Promise<void> {
    const places = new Map<string, string | undefined>();
    for (const { source } of facts.contracts) {
      if (source !== undefined && !places.has(source)) places.set(source, await findSource(source, context));
    }
    const { folder, layout } = context.file.project;
    index.put(path, facts, {
      project: folder,
      libs: layout.libs,
      resolveSource: (source) => places.get(source),
    });
  }

  async function findSource(source: string, { file, finder }: FileContext): Promise<string | undefined> {
    const { folder } = file.project;
    const inProject = joinPath(folder, source);
    if (files.has(inProject)) return inProject;
    return finder.find(joinPath(folder, 'any'), source, () => false);
  }

  function putLinked(path: string, facts: FileFacts, project: Project | undefined): void {
    const place = { project: project?.folder ?? '', libs: project?.layout.libs ?? [] };
    index.put(path, facts, { ...place, resolveSource: (source) => source });
  }

  return {
    paths,
    restore(previous) {
      restored = previous;
    },
    get restoredSources() {
      return [...restored.values()].filter(({ source }) => source).map(({ path }) => path);
    },
    dropRestored() {
      for (const path of restored.keys()) hasChanges ||= !files.has(path);
      restored = new Map();
    },
    get,
    has: (path) => files.has(path),
    listDependents: (path) => [...(byCompanion.get(path) ?? [])].filter((dependent) => files.has(dependent)),
    async add(file, context) {
      const { path, error, source, facts } = file;
      for (const companion of context.file.companions)
        byCompanion.set(companion, (byCompanion.get(companion) ?? new Set()).add(path));
      const limit = checkLimits(facts);
      const reason = error ?? limit;
      if (reason === undefined) skipped.remove(path);
      else skipped.add(path, reason);
      const interned = facts && limit === undefined ? internedFacts.intern(facts) : undefined;
      // What does not fit now may fit later: without a signature it is read again at the next full update.
      set(limit === undefined ? file : { ...file, signature: '', hash: -1 });
      files.set(path, { ...file, ...(limit !== undefined && { signature: '', hash: -1 }), facts: interned });
      if (source) sources.put(path, source, { isImported: context.file.kind === 'imported' });
      if (source && interned) putLinked(path, interned, context.file.project);
      else if (interned) await putFacts(path, interned, context);
      else if (!source) index.put(path, undefined);
    },
    setImports(path, source, missing) {
      const file = files.get(path);
      if (!file) return;
      const wasMissing = file.error?.startsWith(MISSING_IMPORT) === true;
      const error = formatMissingImports(missing) ?? (wasMissing ? undefined : file.error);
      set({ ...file, source, error });
      if (error !== undefined) skipped.add(path, error);
      else if (wasMissing) skipped.remove(path);
    },
    setLinkedContracts(path, contracts, project) {
      const facts = internedFacts.intern({ contracts, deployments: [], labels: [] });
      const file = files.get(path);
      if (file) set({ ...file, facts });
      putLinked(path, facts, project);
    },
    remove(path) {
      if (get(path)?.source) sources.remove(path);
      hasChanges = files.delete(path) || hasChanges;
      paths.delete(path);
      skipped.remove(path);
      index.put(path, undefined);
    },
    takeChanges() {
      if (!hasChanges) return undefined;
      hasChanges = false;
      return [...files.values()];
    },
  };
}

const MISSING_IMPORT = 'Import not found: ';
const MAX_LISTED_IMPORTS = 3;

function formatMissingImports(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const listed = missing.slice(0, MAX_LISTED_IMPORTS).map((written) => sanitizeText(written, 80));
  const more = missing.length > listed.length ? ` and ${missing.length - listed.length} more` : '';
  return `${MISSING_IMPORT}${listed.join(', ')}${more}. Inherited members are missing. Install the package or add a remapping.`;
}

interface InternedFacts {
  /** Equal facts with shared strings, copied so that they do not keep the text of the file in memory. */
  intern(facts: FileFacts): FileFacts;
  readonly isFull: boolean;
}

/** Stores each text once: most contracts share most of their items. */
function createInternedFacts(): InternedFacts {
  const texts = new Map<string, string>();
  let characters = 0;

  function internText(value: string): string {
    const existing = texts.get(value);
    if (existing !== undefined) return existing;
    // A substring keeps its whole text in memory; this copy does not.
    const copy: string = JSON.parse(JSON.stringify(value));
    texts.set(copy, copy);
    characters += copy.length;
    return copy;
  }
  const internOptional = <Text extends string>(value: Text | undefined) =>
    value === undefined ? undefined : (internText(value) as Text);

  function internContract({
    name,
    source,
    line,
    abi,
    itemLines,
    enums,
    isOfProxy,
    isLibrary,
  }: ContractFacts): ContractFacts {
    return {
      name: internText(name),
      source: internOptional(source),
      line,
      abi: abi.map(internText),
      itemLines,
      ...(enums && { enums: internEnums(enums) }),
      ...(isOfProxy && { isOfProxy }),
      ...(isLibrary && { isLibrary }),
    };
  }

  function internEnums(enums: EnumsByItem): EnumsByItem {
    const entries = Object.entries(enums).map(([text, places]) => [
      internText(text),
      places.map(internPlace),
    ]);
    return Object.fromEntries(entries);
  }

  function internPlace({ path, name, members, unit, ...place }: EnumPlace): EnumPlace {
    const interned = { path: internText(path), name: internText(name) };
    return {
      ...{ ...place, ...interned },
      ...(members && { members: members.map(internText) }),
      ...(unit !== undefined && { unit: internText(unit) }),
    };
  }

  return {
    intern: ({ contracts, deployments, labels, units }) => ({
      contracts: contracts.map(internContract),
      deployments: deployments.map((one) => ({
        ...one,
        chainId: internText(one.chainId),
        address: internOptional(one.address) ?? one.address,
        contract: internOptional(one.contract),
        ...(one.contractType !== undefined && { contractType: internText(one.contractType) }),
        ...(one.chosen !== undefined && { chosen: internText(one.chosen) }),
        transaction: internOptional(one.transaction),
        commit: internOptional(one.commit),
      })),
      labels: labels.map((one) => ({
        address: internOptional(one.address) ?? one.address,
        name: internText(one.name),
        chainId: internOptional(one.chainId),
      })),
      ...(units && {
        units: units.map(({ field, unit }) => ({ field: internText(field), unit: internText(unit) })),
      }),
    }),
    get isFull() {
      return characters > MAX_TEXT_CHARS;
    },
  };
}

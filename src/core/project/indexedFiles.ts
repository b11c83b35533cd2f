import type { ContractIndex } from './index/contractIndex.ts';
import { joinPath } from './layout.ts';
import {
  type FolderNames,
  MAX_CONTRACTS,
  MAX_DEPLOYMENTS,
  MAX_TEXT_CHARS,
  type Project,
  type SkippedFiles,
} from './projectFiles.ts';
import type { ImportCandidates, IndexedFile, IndexedSource, ProjectSources } from './projectSources.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';
import type { FoundFile } from './walkProjects.ts';

interface KnownFilesOptions {
  readonly index: ContractIndex;
  readonly sources: ProjectSources;
  readonly skipped: SkippedFiles;
}

/** Where a file that is taken belongs. */
interface TakenPlace {
  readonly file: FoundFile;
  readonly names: FolderNames;
  readonly placesOf: ImportCandidates;
}

/** The files that were read; what they tell goes into the index. */
export interface IndexedFiles {
  readonly paths: ReadonlySet<string>;
  /** What is known of a file, of this session or of one before. */
  get(path: string): IndexedFile | undefined;
  has(path: string): boolean;
  /** The files that were read along with the one at a path. */
  readWith(path: string): readonly string[];
  /** Takes what a file tells in place of what it told before. */
  take(known: IndexedFile, place: TakenPlace): Promise<void>;
  /** Takes what a source imports. */
  takeImports(path: string, source: IndexedSource): void;
  /** Takes the contracts of a source whose types are resolved. */
  takeLinked(path: string, contracts: FileFacts['contracts'], project: Project | undefined): void;
  forget(path: string): void;
  /** Goes by what a session before knew, until all files have been looked at. */
  remember(files: ReadonlyMap<string, IndexedFile>): void;
  /** Sources that the session before had read because others import them, or were there then. */
  readonly rememberedSources: readonly string[];
  /** Drops what was remembered of files that are not there any more. */
  dropRemembered(): void;
  /** What is to be kept, if there is any news since it was last asked for. */
  takeNews(): readonly IndexedFile[] | undefined;
}

export function createIndexedFiles({ index, sources, skipped }: KnownFilesOptions): IndexedFiles {
  const known = new Map<string, IndexedFile>();
  const paths = new Set<string>();
  /** By the file beside them. */
  const besides = new Map<string, Set<string>>();
  const interned = createInternedFacts();
  let remembered: ReadonlyMap<string, IndexedFile> = new Map();
  let hasNews = false;

  /** Why the facts of a file find no room. */
  function lackOfRoom(facts: FileFacts | undefined): string | undefined {
    if (!facts) return undefined;
    const { contracts, deployments } = index.counts;
    if (interned.isFull) return 'The index is full: it holds as much text as it may.';
    if (facts.contracts.length > 0 && contracts >= MAX_CONTRACTS) {
      return `The index is full: it holds ${MAX_CONTRACTS} contracts.`;
    }
    if (facts.deployments.length > 0 && deployments >= MAX_DEPLOYMENTS) {
      return `The index is full: it holds ${MAX_DEPLOYMENTS} deployments.`;
    }
    return undefined;
  }

  function get(path: string): IndexedFile | undefined {
    return known.get(path) ?? remembered.get(path);
  }

  function set(file: IndexedFile): void {
    hasNews ||= get(file.path) !== file;
    known.set(file.path, file);
    paths.add(file.path);
  }

  async function putFacts(path: string, facts: FileFacts, place: TakenPlace): Promise<void> {
    const places = new Map<string, string | undefined>();
    for (const { source } of facts.contracts) {
      if (source !== undefined) places.set(source, await placeOf(source, place));
    }
    const { folder, layout } = place.file.project;
    index.put(path, facts, { project: folder, libs: layout.libs, sourceAt: (source) => places.get(source) });
  }

  async function placeOf(source: string, { file, names, placesOf }: TakenPlace): Promise<string | undefined> {
    const { folder } = file.project;
    const inProject = joinPath(folder, source);
    if (known.has(inProject)) return inProject;
    const beside = joinPath(folder, 'any');
    for (const place of placesOf(beside, source)) if (await names.has(place)) return place;
    return undefined;
  }

  function putLinked(path: string, facts: FileFacts, project: Project | undefined): void {
    const place = { project: project?.folder ?? '', libs: project?.layout.libs ?? [] };
    index.put(path, facts, { ...place, sourceAt: (source) => source });
  }

  return {
    paths,
    remember(before) {
      remembered = before;
    },
    get rememberedSources() {
      return [...remembered.values()].filter(({ source }) => source).map(({ path }) => path);
    },
    dropRemembered() {
      for (const path of remembered.keys()) hasNews ||= !known.has(path);
      remembered = new Map();
    },
    get,
    has: (path) => known.has(path),
    readWith: (path) => [...(besides.get(path) ?? [])].filter((one) => known.has(one)),
    async take(read, place) {
      const { path, problem, source, facts } = read;
      const { companion } = place.file;
      if (companion !== undefined) besides.set(companion, (besides.get(companion) ?? new Set()).add(path));
      const lack = lackOfRoom(facts);
      const why = problem ?? lack;
      if (why === undefined) skipped.remove(path);
      else skipped.add(path, why);
      const own = facts && lack === undefined ? interned.facts(facts) : undefined;
      // What finds no room may find some later: without a signature it is read again when all is looked at.
      set(lack === undefined ? read : { ...read, signature: '', hash: -1 });
      known.set(path, { ...read, ...(lack !== undefined && { signature: '', hash: -1 }), facts: own });
      if (source) sources.put(path, source, { isImported: place.file.kind === 'imported' });
      if (source && own) putLinked(path, own, place.file.project);
      else if (own) await putFacts(path, own, place);
      else if (!source) index.put(path, undefined);
    },
    takeImports(path, source) {
      const file = known.get(path);
      if (file) set({ ...file, source });
    },
    takeLinked(path, contracts, project) {
      const facts = interned.facts({ contracts, deployments: [], labels: [] });
      const file = known.get(path);
      if (file) set({ ...file, facts });
      putLinked(path, facts, project);
    },
    forget(path) {
      if (get(path)?.source) sources.remove(path);
      hasNews = known.delete(path) || hasNews;
      paths.delete(path);
      skipped.remove(path);
      index.put(path, undefined);
    },
    takeNews() {
      if (!hasNews) return undefined;
      hasNews = false;
      return [...known.values()];
    },
  };
}

export interface InternedFacts {
  /** The same facts, with one string for all that are equal, cut off from the text that it was read in. */
  facts(facts: FileFacts): FileFacts;
  /** Whether more than the bound is held. */
  readonly isFull: boolean;
}

/** Texts of many files, of which each is held once: most contracts share most of their items. */
function createInternedFacts(): InternedFacts {
  const held = new Map<string, string>();
  let characters = 0;

  function text(value: string): string {
    const known = held.get(value);
    if (known !== undefined) return known;
    // A part of a text keeps the whole of it; this is a text of its own.
    const own: string = JSON.parse(JSON.stringify(value));
    held.set(own, own);
    characters += own.length;
    return own;
  }
  const optional = <Text extends string>(value: Text | undefined) =>
    value === undefined ? undefined : (text(value) as Text);

  function contract({ name, source, line, abi, itemLines }: ContractFacts): ContractFacts {
    return { name: text(name), source: optional(source), line, abi: abi.map(text), itemLines };
  }

  return {
    facts: ({ contracts, deployments, labels }) => ({
      contracts: contracts.map(contract),
      deployments: deployments.map((one) => ({
        ...one,
        chainId: text(one.chainId),
        address: optional(one.address) ?? one.address,
        contract: optional(one.contract),
        transaction: optional(one.transaction),
        commit: optional(one.commit),
      })),
      labels: labels.map((one) => ({
        address: optional(one.address) ?? one.address,
        name: text(one.name),
        chainId: optional(one.chainId),
      })),
    }),
    get isFull() {
      return characters > MAX_TEXT_CHARS;
    },
  };
}

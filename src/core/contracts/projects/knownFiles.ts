import type { FileFacts } from '../facts.ts';
import type { ContractIndex } from '../index/contractIndex.ts';
import { joinPath } from '../index/indexed.ts';
import { MOST_CONTRACTS, MOST_DEPLOYMENTS } from './bounds.ts';
import type { FolderNames } from './folderNames.ts';
import { createInterned } from './interned.ts';
import type { KnownFile } from './knownFile.ts';
import type { Project } from './project.ts';
import type { ProjectSources } from './projectSources.ts';
import type { SkippedFiles } from './skippedFiles.ts';

interface KnownFilesOptions {
  readonly index: ContractIndex;
  readonly sources: ProjectSources;
  readonly skipped: SkippedFiles;
}

/** Where a file that is taken belongs. */
interface TakenPlace {
  readonly project: Project;
  readonly names: FolderNames;
}

/** The files that were read; what they tell goes into the index. */
export interface KnownFiles {
  readonly paths: ReadonlySet<string>;
  /** What is known of a file, of this session or of one before. */
  get(path: string): KnownFile | undefined;
  has(path: string): boolean;
  /** Takes what a file tells in place of what it told before. */
  take(file: KnownFile, place: TakenPlace): Promise<void>;
  /** Takes a source that is read only because others import it. */
  takeImported(file: KnownFile): void;
  putContracts(path: string, contracts: FileFacts['contracts'], project: Project | undefined): void;
  forget(path: string): void;
  /** Goes by what a session before knew, until all files have been looked at. */
  remember(files: ReadonlyMap<string, KnownFile>): void;
  /** Drops what was remembered of files that are not there any more. */
  dropRemembered(): void;
  /** What is to be kept, if there is any news since it was last asked for. */
  takeNews(): readonly KnownFile[] | undefined;
}

export function createKnownFiles({ index, sources, skipped }: KnownFilesOptions): KnownFiles {
  const known = new Map<string, KnownFile>();
  const paths = new Set<string>();
  const interned = createInterned();
  let remembered: ReadonlyMap<string, KnownFile> = new Map();
  let hasNews = false;

  /** Why the facts of a file find no room. */
  function lackOfRoom(facts: FileFacts | undefined): string | undefined {
    if (!facts) return undefined;
    const { contracts, deployments } = index.counts;
    if (interned.isFull) return 'The index is full: it holds as much text as it may.';
    if (facts.contracts.length > 0 && contracts >= MOST_CONTRACTS) {
      return `The index is full: it holds ${MOST_CONTRACTS} contracts.`;
    }
    if (facts.deployments.length > 0 && deployments >= MOST_DEPLOYMENTS) {
      return `The index is full: it holds ${MOST_DEPLOYMENTS} deployments.`;
    }
    return undefined;
  }

  function get(path: string): KnownFile | undefined {
    return known.get(path) ?? remembered.get(path);
  }

  function set(file: KnownFile): void {
    hasNews ||= get(file.path) !== file;
    known.set(file.path, file);
    paths.add(file.path);
  }

  async function putFacts(path: string, facts: FileFacts, { project, names }: TakenPlace): Promise<void> {
    const places = new Map<string, string | undefined>();
    for (const { source } of facts.contracts) {
      if (source !== undefined) places.set(source, await placeOf(source, project, names));
    }
    const { folder, layout } = project;
    index.put(path, facts, { project: folder, libs: layout.libs, sourceAt: (source) => places.get(source) });
  }

  async function placeOf(
    source: string,
    { folder }: Project,
    names: FolderNames,
  ): Promise<string | undefined> {
    const inProject = joinPath(folder, source);
    if (known.has(inProject)) return inProject;
    for (const place of sources.placesOf(joinPath(folder, ''), source))
      if (await names.has(place)) return place;
    return undefined;
  }

  return {
    paths,
    remember(before) {
      remembered = before;
    },
    dropRemembered() {
      for (const path of remembered.keys()) hasNews ||= !known.has(path);
      remembered = new Map();
    },
    get,
    has: (path) => known.has(path),
    async take(file, place) {
      const { path, problem, source, facts } = file;
      const lack = lackOfRoom(facts);
      const why = problem ?? lack;
      if (why === undefined) skipped.remove(path);
      else skipped.add(path, why);
      // What finds no room may find some later: without a signature it is read again when all is looked at.
      set(lack === undefined ? file : { ...file, signature: '', hash: -1, facts: undefined });
      if (source) sources.put(path, source);
      else if (facts && lack === undefined) {
        const own = interned.facts(facts);
        known.set(path, { ...file, facts: own });
        await putFacts(path, own, place);
      } else index.put(path, undefined);
    },
    takeImported: set,
    putContracts(path, contracts, project) {
      const facts = interned.facts({ contracts, deployments: [], labels: [] });
      const place = { project: project?.folder ?? '', libs: project?.layout.libs ?? [] };
      index.put(path, facts, { ...place, sourceAt: (source) => source });
    },
    forget(path) {
      hasNews = known.delete(path) || hasNews;
      paths.delete(path);
      skipped.remove(path);
      index.put(path, undefined);
      sources.put(path, undefined);
    },
    takeNews() {
      if (!hasNews) return undefined;
      hasNews = false;
      return [...known.values()];
    },
  };
}

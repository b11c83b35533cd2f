import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { throwIfAborted } from '../base/errors.ts';
import type { TextStore } from '../base/expiringCache.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { type ContractIndex, createContractIndex } from './index/contractIndex.ts';
import { createIndexedFiles } from './indexedFiles.ts';
import { decodeIndex, encodeIndex } from './indexStore.ts';
import {
  createFolderNames,
  createSkippedFiles,
  type FolderNames,
  findProject,
  type Project,
  type ProjectFiles,
  type SkippedFile,
} from './projectFiles.ts';
import { createImportCandidates, createProjectSources } from './projectSources.ts';
import { checkFile, readAhead, readProjectFile } from './readProjectFile.ts';
import { type FoundFile, findChangedFiles, type WalkRoot, walkProjects } from './walkProjects.ts';

export interface ProjectIndexerOptions {
  readonly files: ProjectFiles;
  /** Folders of the workspace; the empty path is the workspace itself. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  /** Where facts are kept, and the version of the program: another one may read more out of the same files. */
  readonly store?: { readonly store: TextStore; readonly version: string };
  /** Told how many files have been looked at, of how many. */
  readonly onProgress?: (looked: number, found: number) => void;
}

/** Keeps an index of the projects in a workspace. One call at a time. */
export interface ProjectIndexer {
  readonly index: ContractIndex;
  /** What was left out, by path: the first thousand. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedCount: number;
  /**
   * Brings the index to what the files are now: all of them, or those that have changed, with all in them where they
   * are folders.
   *
   * @throws AppError `aborted`, or the signal's reason; the next update then looks at all files.
   */
  update(changed: 'all' | Iterable<string>, options?: Abortable): Promise<void>;
  /** Saves what was read since the last time. @throws what the store throws. */
  save(options?: Abortable): Promise<void>;
}

/** What one update needs. */
interface Round extends Abortable {
  readonly slices: TimeSlices;
  readonly names: FolderNames;
}

/**
 * An indexer of a workspace of which no file has been looked at yet.
 *
 * @example
 * const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
 * await indexer.update('all', { signal });
 */
export function createProjectIndexer(options: ProjectIndexerOptions): ProjectIndexer {
  const { files, roots, clock, store, onProgress } = options;
  const index = createContractIndex();
  const skipped = createSkippedFiles();
  const sources = createProjectSources();
  const known = createIndexedFiles({ index, sources, skipped });
  let projects = new Map<string, Project>();
  let placesOf = createImportCandidates(projects);
  let isWhole = false;
  let isLoaded = false;

  async function load({ slices, signal }: Round): Promise<void> {
    // What cannot be loaded is read again.
    const text = await store?.store.load().catch(() => undefined);
    if (text !== undefined && store) {
      known.remember(await decodeIndex(text, store.version, { slices, signal }));
    }
    isLoaded = true;
  }

  /** Reads what has been written; of `named` it is known, though size and time may be what they were. */
  async function readFiles(
    found: readonly FoundFile[],
    { slices, names, signal }: Round,
    named: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const look = (file: FoundFile) => {
      const before = known.get(file.path);
      return checkFile(file, before && named.has(file.path) ? { ...before, signature: '' } : before, files);
    };
    let looked = 0;
    for await (const [file, news] of readAhead(found, look)) {
      if (slices.isOver()) await slices.rest({ signal });
      throwIfAborted(signal);
      onProgress?.(++looked, found.length);
      const place = { file, names, placesOf };
      if (news.kind === 'gone') known.forget(file.path);
      else if (news.kind !== 'same') {
        const read = await readProjectFile(file, news, { slices, signal });
        if (slices.isOver()) await slices.rest({ signal });
        await known.take(read, place);
      } else if (!known.has(file.path)) await known.take(news.known, place);
    }
  }

  async function linkSources(round: Round): Promise<void> {
    await sources.link({
      ...{ ...round, placesOf, resolved: known.takeImports },
      async read(path) {
        await readFiles(asImported(path), round);
        return known.get(path)?.source;
      },
      linked: (path, contracts) => known.takeLinked(path, contracts, findProject(path, projects)),
    });
    if (sources.isCut) skipped.add('', 'Not all sources that others import are read: they are too many.');
  }

  /** A source that others import may lie in a folder that is not walked. */
  function asImported(path: string): readonly FoundFile[] {
    const project = findProject(path, projects);
    return project ? [{ path, project, kind: 'imported', companion: undefined }] : [];
  }

  async function updateAll(round: Round): Promise<void> {
    if (!isLoaded) await load(round);
    skipped.clearBounds();
    const walked = await walk(
      roots.map((folder) => ({ folder, project: undefined })),
      round,
    );
    projects = new Map(walked.projects);
    placesOf = createImportCandidates(projects);
    const there = new Set(walked.files.map(({ path }) => path));
    const others = [...known.paths, ...known.rememberedSources].filter((path) => !there.has(path));
    const imported = others.filter((path) => !known.has(path) || sources.isImported(path));
    for (const path of others) if (known.has(path) && !sources.isImported(path)) known.forget(path);
    await readFiles([...walked.files, ...imported.flatMap(asImported)], round);
    await linkSources(round);
    known.dropRemembered();
  }

  function walk(places: readonly WalkRoot[], { slices, signal }: Round) {
    return walkProjects(places, { files, slices, signal, skip: skipped.addBound });
  }

  async function updateSome(paths: readonly string[], round: Round): Promise<void> {
    const walkBelow = (places: readonly WalkRoot[]) => walk(places, round);
    const { readWith } = known;
    const changes = await findChangedFiles(paths, {
      files,
      known: known.paths,
      readWith,
      projects,
      walk: walkBelow,
    });
    if (changes === 'all') return updateAll(round);
    for (const [folder, project] of changes.projects) projects.set(folder, project);
    for (const path of changes.removed) known.forget(path);
    await readFiles(changes.files, round, new Set([...paths, ...paths.flatMap(readWith)]));
    await linkSources(round);
  }

  return {
    index,
    get skipped() {
      return skipped.reported;
    },
    get skippedCount() {
      return skipped.count;
    },
    async update(changed, { signal } = {}) {
      throwIfAborted(signal);
      const round = { slices: createTimeSlices(clock), names: createFolderNames(files), signal };
      const wasWhole = isWhole;
      isWhole = false;
      if (changed === 'all' || !wasWhole) await updateAll(round);
      else await updateSome([...changed], round);
      isWhole = true;
    },
    async save({ signal } = {}) {
      const news = store && isWhole ? known.takeNews() : undefined;
      if (!store || !news) return;
      const text = await encodeIndex(news, store.version, { slices: createTimeSlices(clock), signal });
      if (text !== undefined) await store.store.save(text);
    },
  };
}

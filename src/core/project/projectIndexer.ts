import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { throwIfAborted } from '../base/errors.ts';
import type { TextStore } from '../base/expiringCache.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { createImportFinder, type ImportFinder } from './importFinder.ts';
import { type ContractIndex, createContractIndex } from './index/contractIndex.ts';
import { createIndexedFiles } from './indexedFiles.ts';
import { decodeIndex, encodeIndex } from './indexStore.ts';
import {
  createSkippedFiles,
  findProject,
  type Project,
  type ProjectFiles,
  type SkippedFile,
} from './projectFiles.ts';
import { createProjectSources } from './projectSources.ts';
import { checkFile, readAhead, readProjectFile } from './readProjectFile.ts';
import { type FoundFile, findChangedFiles, type WalkRoot, walkProjects } from './walkProjects.ts';

/** Indexes the projects in a workspace. Await each call before the next one. */
export interface ProjectIndexer {
  readonly index: ContractIndex;
  /** What was skipped, by path: the first thousand. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedCount: number;
  /**
   * Updates the index to the current files: all of them, or the changed ones. A changed folder covers all files in it.
   *
   * @throws AppError `aborted`, or the signal's reason; the next update then checks all files.
   */
  update(changed: 'all' | Iterable<string>, options?: Abortable): Promise<void>;
  /** Saves the index if it changed. @throws what the store throws. */
  save(options?: Abortable): Promise<void>;
}

export interface ProjectIndexerOptions {
  readonly files: ProjectFiles;
  /** Folders of the workspace; the empty path is the workspace itself. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  /** Where facts are stored, and the version of the program: another version may read more from the same files. */
  readonly store?: { readonly store: TextStore; readonly version: string };
  /** Receives how many of the files have been checked. */
  readonly onProgress?: (checked: number, total: number) => void;
}

interface UpdateRun extends Abortable {
  readonly slices: TimeSlices;
}

const TOO_MUCH_IMPORTED =
  'Some sources import too much. Types and events of what they import may be missing. Import less in one file.';
const TOO_MANY_IMPORTS =
  'There are too many imports, or folders in which they may be. Some are not searched for. Name fewer folders in libs.';

interface ReadRun extends UpdateRun {
  readonly finder: ImportFinder;
}

/**
 * Creates an indexer that has read no file yet.
 *
 * @example
 * const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
 * await indexer.update('all', { signal });
 */
export function createProjectIndexer(options: ProjectIndexerOptions): ProjectIndexer {
  const { files, roots, clock, store, onProgress } = options;
  const skipped = createSkippedFiles();
  const index = createContractIndex(skipped);
  const sources = createProjectSources();
  const indexed = createIndexedFiles({ index, sources, skipped });
  let projects = new Map<string, Project>();
  let isComplete = false;
  let isLoaded = false;

  async function load({ slices, signal }: UpdateRun): Promise<void> {
    // What cannot be loaded is read again.
    const text = await store?.store.load().catch(() => undefined);
    if (text !== undefined && store) {
      indexed.restore(await decodeIndex(text, store.version, { slices, signal }));
    }
    isLoaded = true;
  }

  const createFinder = (run: UpdateRun) => createImportFinder({ ...run, files, roots, projects });

  /** Reads changed files. Those in `named` have changed even if their size and time have not. */
  async function readFiles(
    found: readonly FoundFile[],
    { slices, finder, signal }: ReadRun,
    named: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const check = (file: FoundFile) => {
      const previous = indexed.get(file.path);
      return checkFile(
        file,
        previous && named.has(file.path) ? { ...previous, signature: '' } : previous,
        files,
      );
    };
    let checked = 0;
    for await (const [file, change] of readAhead(found, check)) {
      if (slices.isOver()) await slices.rest({ signal });
      throwIfAborted(signal);
      onProgress?.(++checked, found.length);
      const context = { file, finder };
      if (change.kind === 'gone') indexed.remove(file.path);
      else if (change.kind !== 'same') {
        const indexedFile = await readProjectFile(file, change, { slices, signal });
        if (slices.isOver()) await slices.rest({ signal });
        await indexed.add(indexedFile, context);
      } else if (!indexed.has(file.path)) await indexed.add(change.previous, context);
    }
  }

  async function linkSources(run: ReadRun, { isFull }: { readonly isFull: boolean }): Promise<void> {
    await sources.link({
      ...run,
      isFull,
      onImportsResolved: indexed.setImports,
      async read(path) {
        await readFiles(toImportedFile(path), run);
        return indexed.get(path)?.source;
      },
      onLinked: (path, contracts) => indexed.setLinkedContracts(path, contracts, findProject(path, projects)),
    });
    if (sources.isLimitReached) skipped.add('', 'There are too many imported sources. Some are not read.');
    if (sources.isCut) skipped.addLimit('', TOO_MUCH_IMPORTED);
    if (run.finder.isCut) skipped.addLimit('', TOO_MANY_IMPORTS);
  }

  /** The file of an imported source, which may be in a folder that is not walked. */
  function toImportedFile(path: string): readonly FoundFile[] {
    const project = findProject(path, projects);
    return project ? [{ path, project, kind: 'imported', companions: [] }] : [];
  }

  async function updateAll(run: UpdateRun): Promise<void> {
    if (!isLoaded) await load(run);
    skipped.clearLimits();
    const walked = await walk(
      roots.map((folder) => ({ folder, project: undefined })),
      run,
    );
    projects = new Map(walked.projects);
    const walkedPaths = new Set(walked.files.map(({ path }) => path));
    const others = [...indexed.paths, ...indexed.restoredSources].filter((path) => !walkedPaths.has(path));
    const imported = others.filter((path) => !indexed.has(path) || sources.isImported(path));
    for (const path of others) if (indexed.has(path) && !sources.isImported(path)) indexed.remove(path);
    const readRun = { ...run, finder: createFinder(run) };
    await readFiles([...walked.files, ...imported.flatMap(toImportedFile)], readRun);
    await linkSources(readRun, { isFull: true });
    indexed.dropRestored();
  }

  function walk(folders: readonly WalkRoot[], { slices, signal }: UpdateRun) {
    return walkProjects(folders, { files, slices, signal, skip: skipped.addLimit });
  }

  async function updateSome(paths: readonly string[], run: UpdateRun): Promise<void> {
    const { listDependents } = indexed;
    const changes = await findChangedFiles(paths, {
      files,
      indexedPaths: indexed.paths,
      listDependents,
      projects,
      walk: (folders) => walk(folders, run),
    });
    if (changes === 'all') return updateAll(run);
    for (const [folder, project] of changes.projects) projects.set(folder, project);
    for (const path of changes.removed) indexed.remove(path);
    const readRun = { ...run, finder: createFinder(run) };
    await readFiles(changes.files, readRun, new Set([...paths, ...paths.flatMap(listDependents)]));
    await linkSources(readRun, { isFull: false });
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
      const run = { slices: createTimeSlices(clock), signal };
      const wasComplete = isComplete;
      isComplete = false;
      if (changed === 'all' || !wasComplete) await updateAll(run);
      else await updateSome([...changed], run);
      isComplete = true;
    },
    async save({ signal } = {}) {
      const changes = store && isComplete ? indexed.takeChanges() : undefined;
      if (!store || !changes) return;
      const text = await encodeIndex(changes, store.version, { slices: createTimeSlices(clock), signal });
      if (text !== undefined) await store.store.save(text);
    },
  };
}

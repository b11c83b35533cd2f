import type { Abortable } from '../../base/abortable.ts';
import type { Clock } from '../../base/clock.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { type ContractIndex, createContractIndex } from '../index/contractIndex.ts';
import { changedFiles } from './changedFiles.ts';
import { createFolderNames, type FolderNames } from './folderNames.ts';
import { decodeKept, encodeKept } from './keptFacts.ts';
import { createKnownFiles } from './knownFiles.ts';
import { type Project, projectOf } from './project.ts';
import type { KeptFacts, ProjectFiles } from './projectFiles.ts';
import { createProjectSources } from './projectSources.ts';
import { readAhead } from './readAhead.ts';
import { contextOf, lookAt, readKnown } from './readKnown.ts';
import { createSkippedFiles, type SkippedFile } from './skippedFiles.ts';
import { type FoundFile, type WalkPlace, walkProjects } from './walkProjects.ts';

export interface ProjectIndexerOptions {
  readonly files: ProjectFiles;
  /** Folders of the workspace; the empty path is the workspace itself. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  /** Where facts are kept, and the release of the program: another one may read more out of the same files. */
  readonly kept?: { readonly store: KeptFacts; readonly release: string };
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
  keep(options?: Abortable): Promise<void>;
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
  const { files, roots, clock, kept, onProgress } = options;
  const index = createContractIndex();
  const skipped = createSkippedFiles();
  const sources = createProjectSources();
  const known = createKnownFiles({ index, sources, skipped });
  let projects = new Map<string, Project>();
  let isWhole = false;
  let isLoaded = false;

  async function load({ slices, signal }: Round): Promise<void> {
    const text = await kept?.store.load();
    if (text !== undefined && kept) {
      known.remember(await decodeKept(text, kept.release, { slices, signal }));
    }
    isLoaded = true;
  }

  async function readFiles(
    found: readonly FoundFile[],
    moved: ReadonlySet<string>,
    round: Round,
  ): Promise<void> {
    const { slices, signal } = round;
    let looked = 0;
    for await (const [file, news] of readAhead(found, (one) => lookAt(one, known.get(one.path), files))) {
      if (slices.isOver()) await slices.rest({ signal });
      throwIfAborted(signal);
      onProgress?.(++looked, found.length);
      const place = { project: file.project, names: round.names };
      if (news.kind === 'gone') known.forget(file.path);
      else if (news.kind !== 'same') await known.take(await readKnown(file, news, { slices, signal }), place);
      else if (moved.has(file.project.folder) || !known.has(file.path)) await known.take(news.known, place);
    }
  }

  async function linkSources({ slices, names, signal }: Round): Promise<void> {
    await sources.link({
      ...{ slices, names, signal },
      async read(path) {
        const [file] = asSource(path);
        if (!file) return undefined;
        const news = await lookAt(file, known.get(path), files);
        if (news.kind === 'gone') return undefined;
        const now = news.kind === 'same' ? news.known : await readKnown(file, news, { slices, signal });
        known.takeImported(now);
        return now.source;
      },
      linked: (path, contracts) => known.putContracts(path, contracts, projectOf(path, projects)),
    });
    if (sources.isCut) skipped.add('', 'Not all sources that others import are read: they are too many.');
  }

  /** A source that others import may lie in a folder that is not walked. */
  function asSource(path: string): readonly FoundFile[] {
    const project = projectOf(path, projects);
    return project ? [{ path, project, kind: 'source', beside: undefined }] : [];
  }

  async function updateAll(round: Round): Promise<void> {
    if (!isLoaded) await load(round);
    skipped.clearBounds();
    const walked = await walk(
      roots.map((folder) => ({ folder, project: undefined })),
      round,
    );
    const moved = movedProjects(projects, walked.projects);
    projects = new Map(walked.projects);
    if (moved.size > 0) sources.useProjects(projects);
    const there = new Set(walked.files.map(({ path }) => path));
    const others = [...known.paths].filter((path) => !there.has(path));
    for (const path of others) if (!sources.isImported(path)) known.forget(path);
    await readFiles([...walked.files, ...others.filter(sources.isImported).flatMap(asSource)], moved, round);
    await linkSources(round);
    known.dropRemembered();
  }

  function walk(places: readonly WalkPlace[], { slices, signal }: Round) {
    return walkProjects(places, { files, slices, signal, skip: skipped.addBound });
  }

  async function updateSome(paths: readonly string[], round: Round): Promise<void> {
    const walkBelow = (places: readonly WalkPlace[]) => walk(places, round);
    const changes = await changedFiles(paths, { files, known: known.paths, projects, walk: walkBelow });
    if (changes === 'all') return updateAll(round);
    for (const [folder, project] of changes.projects) projects.set(folder, project);
    for (const path of changes.gone) known.forget(path);
    await readFiles(changes.files, new Set(), round);
    await linkSources(round);
  }

  return {
    index,
    get skipped() {
      return skipped.told;
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
    async keep({ signal } = {}) {
      const news = kept && isWhole ? known.takeNews() : undefined;
      if (!kept || !news) return;
      const text = await encodeKept(news, kept.release, { slices: createTimeSlices(clock), signal });
      if (text !== undefined) await kept.store.save(text);
    },
  };
}

/** Folders of projects that are new, or laid out otherwise than before. */
function movedProjects(
  before: ReadonlyMap<string, Project>,
  now: ReadonlyMap<string, Project>,
): ReadonlySet<string> {
  const moved = [...now.values()].filter((project) => {
    const old = before.get(project.folder);
    return !old || contextOf(old) !== contextOf(project);
  });
  return new Set(moved.map(({ folder }) => folder));
}

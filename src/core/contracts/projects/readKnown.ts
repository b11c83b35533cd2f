import type { Abortable } from '../../base/abortable.ts';
import { isAppError } from '../../base/errors.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { readFacts } from '../readers/readFacts.ts';
import { readSourceInSlices } from '../sources/readSource.ts';
import { LARGEST_FILE } from './bounds.ts';
import { contentHash } from './contentHash.ts';
import type { KnownFile } from './kept/knownFile.ts';
import { sourceText } from './parsedSources.ts';
import { type Project, pathInProject } from './project.ts';
import type { FileStat, ProjectFiles } from './projectFiles.ts';
import type { FoundFile } from './walkProjects.ts';

const MIB = 1024 * 1024;

/** What has become of a file since it was read. */
export type FileNews =
  | { readonly kind: 'gone' }
  | { readonly kind: 'same'; readonly known: KnownFile }
  | { readonly kind: 'tooLarge'; readonly signature: string }
  | Written;

interface Written {
  readonly kind: 'written';
  readonly signature: string;
  readonly bytes: Uint8Array;
  readonly beside: Uint8Array | undefined;
  /** What was known of it before. */
  readonly known: KnownFile | undefined;
}

/** Looks whether a file has been written since it was read, and reads it if so. */
export async function lookAt(
  { path, project, beside }: FoundFile,
  known: KnownFile | undefined,
  files: ProjectFiles,
): Promise<FileNews> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return { kind: 'gone' };
  const besideStat = beside === undefined ? undefined : await files.stat(beside);
  const signature = [stat, besideStat].map(signatureOf).join(' ').trim();
  const isRead = known?.signature === signature && known.context === contextOf(project);
  if (isRead) return { kind: 'same', known };
  const bytes = stat.size > LARGEST_FILE ? undefined : await files.read(path, LARGEST_FILE);
  if (!bytes) return { kind: 'tooLarge', signature };
  const more = beside !== undefined && besideStat ? await files.read(beside, LARGEST_FILE) : undefined;
  return { kind: 'written', signature, bytes, beside: more, known };
}

function signatureOf(stat: FileStat | undefined): string {
  return stat ? `${stat.size} ${stat.modified}` : '';
}

const contexts = new WeakMap<Project, number>();

/** A project, where it is and how it is laid out, as a number. */
export function contextOf(project: Project): number {
  const context = contexts.get(project) ?? contentHash(new TextEncoder().encode(JSON.stringify(project)));
  contexts.set(project, context);
  return context;
}

interface ReadOptions extends Abortable {
  readonly slices: TimeSlices;
}

/** What a file tells, out of its content; what is wrong in it is told in `problem`. */
export async function readKnown(
  { path, project, kind }: FoundFile,
  news: Extract<FileNews, { readonly signature: string }>,
  { slices, signal }: ReadOptions,
): Promise<KnownFile> {
  const { signature } = news;
  const context = contextOf(project);
  const nothing = {
    ...{ path, signature, hash: 0, context },
    ...{ facts: undefined, source: undefined, problem: undefined },
  };
  if (news.kind === 'tooLarge') {
    return { ...nothing, problem: `It is larger than ${LARGEST_FILE / MIB} MiB.` };
  }
  // A third of a whole number is none: a file does not pass for one with another beside it.
  const hash = contentHash(news.bytes) + (news.beside ? contentHash(news.beside) / 3 : 0);
  const { known } = news;
  if (known?.hash === hash && known.context === context) return { ...known, signature };
  const text = new TextDecoder().decode(news.bytes);
  // A large file is a slice of its own.
  if (slices.isOver()) await slices.rest({ signal });
  const inside = pathInProject(project, path);
  if (kind !== 'facts') {
    const facts = await readSourceInSlices({ path: inside, text }, slices, { signal });
    const source = { json: sourceText(facts), imports: undefined, isLacking: false };
    return {
      ...nothing,
      hash,
      source,
      problem: facts.cut ? 'It is too large: not all of it is read.' : undefined,
    };
  }
  try {
    const beside = news.beside && new TextDecoder().decode(news.beside);
    const { leftOut, ...facts } = readFacts({ path: inside, text, beside }, project.layout);
    return { ...nothing, hash, facts, problem: leftOut };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ...nothing, hash, problem: error.message };
  }
}

import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import {
  type FileStat,
  getPathInProject,
  MAX_FILE_BYTES,
  type Project,
  type ProjectFiles,
} from './projectFiles.ts';
import { type IndexedFile, serializeSource } from './projectSources.ts';
import { readFacts } from './readers/readFacts.ts';
import { parseSourceInSlices } from './source/readSource.ts';
import type { FoundFile } from './walkProjects.ts';

const MIB = 1024 * 1024;

/** What has become of a file since it was read. */
export type FileChange =
  | { readonly kind: 'gone' }
  | { readonly kind: 'same'; readonly known: IndexedFile }
  | { readonly kind: 'tooLarge'; readonly signature: string }
  | FileContent;

interface FileContent {
  readonly kind: 'written';
  readonly signature: string;
  readonly bytes: Uint8Array;
  readonly companion: Uint8Array | undefined;
  /** What was known of it before. */
  readonly known: IndexedFile | undefined;
}

/** Looks whether a file has been written since it was read, and reads it if so. */
export async function checkFile(
  { path, project, companion }: FoundFile,
  known: IndexedFile | undefined,
  files: ProjectFiles,
): Promise<FileChange> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return { kind: 'gone' };
  const besideStat = companion === undefined ? undefined : await files.stat(companion);
  const signature = [stat, besideStat].map(signatureOf).join(' ').trim();
  const isRead = known?.signature === signature && known.context === hashProject(project);
  if (isRead) return { kind: 'same', known };
  const bytes = stat.size > MAX_FILE_BYTES ? undefined : await files.read(path, MAX_FILE_BYTES);
  if (!bytes) return { kind: 'tooLarge', signature };
  const more =
    companion !== undefined && besideStat ? await files.read(companion, MAX_FILE_BYTES) : undefined;
  return { kind: 'written', signature, bytes, companion: more, known };
}

function signatureOf(stat: FileStat | undefined): string {
  return stat ? `${stat.size} ${stat.modified}` : '';
}

const contexts = new WeakMap<Project, number>();

/** A project, where it is and how it is laid out, as a number. */
export function hashProject(project: Project): number {
  const context = contexts.get(project) ?? hashContent(new TextEncoder().encode(JSON.stringify(project)));
  contexts.set(project, context);
  return context;
}

interface ReadOptions extends Abortable {
  readonly slices: TimeSlices;
}

/** What a file tells, out of its content; what is wrong in it is told in `problem`. */
export async function readProjectFile(
  { path, project, kind }: FoundFile,
  news: Extract<FileChange, { readonly signature: string }>,
  { slices, signal }: ReadOptions,
): Promise<IndexedFile> {
  const { signature } = news;
  const context = hashProject(project);
  const nothing = {
    ...{ path, signature, hash: 0, context },
    ...{ facts: undefined, source: undefined, problem: undefined },
  };
  if (news.kind === 'tooLarge') {
    return { ...nothing, problem: `It is larger than ${MAX_FILE_BYTES / MIB} MiB.` };
  }
  // A third of a whole number is none: a file does not pass for one with another beside it.
  const hash = hashContent(news.bytes) + (news.companion ? hashContent(news.companion) / 3 : 0);
  const { known } = news;
  if (known?.hash === hash && known.context === context) return { ...known, signature };
  const text = new TextDecoder().decode(news.bytes);
  // A large file is a slice of its own.
  if (slices.isOver()) await slices.rest({ signal });
  const inside = getPathInProject(project, path);
  if (kind !== 'facts') {
    const facts = await parseSourceInSlices({ path: inside, text }, slices, { signal });
    const source = { json: serializeSource(facts), imports: undefined, isIncomplete: false };
    return {
      ...nothing,
      hash,
      source,
      problem: facts.cut ? 'It is too large: not all of it is read.' : undefined,
    };
  }
  try {
    const beside = news.companion && new TextDecoder().decode(news.companion);
    const { leftOut, ...facts } = readFacts({ path: inside, text, companion: beside }, project.layout);
    return { ...nothing, hash, facts, problem: leftOut };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ...nothing, hash, problem: error.message };
  }
}

const FIRST_PRIME = 0x85eb_ca77;
const SECOND_PRIME = 0xc2b2_ae3d;

/**
 * A hash of 53 bits that tells contents of one file apart, not one that an attacker cannot meet: who can write the file
 * gains nothing by it. Four bytes at a step, about 2 GB a second.
 */
export function hashContent(bytes: Uint8Array): number {
  let high = 0xdead_beef ^ bytes.length;
  let low = 0x41c6_ce57 ^ bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.length & ~3;
  for (let at = 0; at < words; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul(high ^ word, FIRST_PRIME);
    low = Math.imul(low ^ word, SECOND_PRIME);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  for (let at = words; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    high = Math.imul(high ^ byte, FIRST_PRIME);
    low = Math.imul(low ^ byte, SECOND_PRIME);
  }
  high = Math.imul(high ^ (high >>> 16), FIRST_PRIME) ^ Math.imul(low ^ (low >>> 13), SECOND_PRIME);
  low = Math.imul(low ^ (low >>> 16), SECOND_PRIME) ^ Math.imul(high ^ (high >>> 13), FIRST_PRIME);
  return 0x1_0000_0000 * (high & 0x1f_ffff) + (low >>> 0);
}

/** Reads that are under way before their turn. */
const AHEAD = 8;

/**
 * What `read` gives for each of `values`, in order, some of them read ahead: one after the other is worked on, while the
 * next come from the disk.
 */
export async function* readAhead<Value, Read>(
  values: readonly Value[],
  read: (value: Value) => Promise<Read>,
): AsyncGenerator<readonly [Value, Read], void> {
  const reads: Promise<Read>[] = [];
  const begin = (value: Value | undefined) => {
    if (value === undefined) return;
    const reading = read(value);
    // One that fails is told in its turn.
    reading.catch(() => undefined);
    reads.push(reading);
  };
  for (const value of values.slice(0, AHEAD)) begin(value);
  for (const [at, value] of values.entries()) {
    const reading = reads.shift();
    if (!reading) return;
    const result = await reading;
    begin(values[at + AHEAD]);
    yield [value, result];
  }
}

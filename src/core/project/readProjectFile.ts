import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { runInSlices, type TimeSlices } from '../base/timeSlices.ts';
import {
  decodeFileText,
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

type FileChange =
  | { readonly kind: 'gone' }
  | { readonly kind: 'same'; readonly previous: IndexedFile }
  | { readonly kind: 'tooLarge' | 'unreadable'; readonly signature: string }
  | FileContent;

interface FileContent {
  readonly kind: 'written';
  readonly signature: string;
  readonly bytes: Uint8Array;
  readonly companion: Uint8Array | undefined;
  /** The facts of its previous content. */
  readonly previous: IndexedFile | undefined;
}

/** Reads a file if its size, time or project changed since it was read. */
export async function checkFile(
  { path, project, companions }: FoundFile,
  previous: IndexedFile | undefined,
  files: ProjectFiles,
): Promise<FileChange> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return { kind: 'gone' };
  const { companion, companionStat } = await findCompanion(companions, files);
  const signature = [stat, companionStat].map(formatStat).join(' ').trim();
  const isRead = previous?.signature === signature && previous.context === hashProject(project);
  if (isRead) return { kind: 'same', previous };
  if (stat.size > MAX_FILE_BYTES) return { kind: 'tooLarge', signature };
  const bytes = await files.read(path, MAX_FILE_BYTES);
  if (!bytes) return { kind: 'unreadable', signature: '' };
  const companionBytes = companion === undefined ? undefined : await files.read(companion, MAX_FILE_BYTES);
  return { kind: 'written', signature, bytes, companion: companionBytes, previous };
}

async function findCompanion(companions: readonly string[], files: ProjectFiles) {
  for (const companion of companions) {
    const companionStat = await files.stat(companion);
    if (companionStat?.kind === 'file') return { companion, companionStat };
  }
  return { companion: undefined, companionStat: undefined };
}

function formatStat(stat: FileStat | undefined): string {
  return stat ? `${stat.size} ${stat.modified}` : '';
}

/** Reads the facts or the source in a file's content. `error` says what could not be read. */
export async function readProjectFile(
  { path, project, kind }: FoundFile,
  change: Extract<FileChange, { readonly signature: string }>,
  { slices, signal }: ReadOptions,
): Promise<IndexedFile> {
  const { signature } = change;
  const context = hashProject(project);
  const empty = {
    path,
    signature,
    hash: 0,
    context,
    facts: undefined,
    source: undefined,
    error: undefined,
  };
  if (change.kind !== 'written') {
    const isTooLarge = change.kind === 'tooLarge';
    const error = isTooLarge
      ? `It is larger than ${MAX_FILE_BYTES / MIB} MiB.`
      : 'It cannot be opened. Check its permissions.';
    return { ...empty, error };
  }
  // A fraction keeps a file without a companion distinct from one with a companion.
  const hash = hashContent(change.bytes) + (change.companion ? hashContent(change.companion) / 3 : 0);
  const { previous } = change;
  if (previous?.hash === hash && previous.context === context) return { ...previous, signature };
  const text = decodeFileText(change.bytes);
  if (text.includes('\0')) return { ...empty, hash, error: 'It is not text in UTF-8 or UTF-16.' };
  // Decoding a large file may use up a time slice.
  if (slices.isOver()) await slices.rest({ signal });
  const pathInProject = getPathInProject(project, path);
  if (kind !== 'facts') {
    const facts = await parseSourceInSlices({ path: pathInProject, text }, slices, { signal });
    const source = { json: serializeSource(facts), imports: undefined, isIncomplete: false };
    return {
      ...empty,
      hash,
      source,
      error: facts.cut ? 'It is too large. Some of it is not read.' : undefined,
    };
  }
  try {
    const companion = change.companion && decodeFileText(change.companion);
    const steps = readFacts({ path: pathInProject, text, companion }, project.layout);
    const { truncation, ...facts } = await runInSlices(steps, { slices, signal });
    return { ...empty, hash, facts, error: truncation };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ...empty, hash, error: error.message };
  }
}

const contexts = new WeakMap<Project, number>();

/** A number that changes with the folder or the layout of a project. */
function hashProject(project: Project): number {
  const context = contexts.get(project) ?? hashContent(new TextEncoder().encode(JSON.stringify(project)));
  contexts.set(project, context);
  return context;
}

interface ReadOptions extends Abortable {
  readonly slices: TimeSlices;
}

const FIRST_PRIME = 0x85eb_ca77;
const SECOND_PRIME = 0xc2b2_ae3d;

/**
 * A 53-bit hash that detects changes of a file. It does not resist attackers: who can write the file gains nothing by a
 * collision. Processes four bytes a step, about 2 GB a second.
 */
export function hashContent(bytes: Uint8Array): number {
  let high = 0xdead_beef ^ bytes.length;
  let low = 0x41c6_ce57 ^ bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wholeWords = bytes.length & ~3;
  for (let at = 0; at < wholeWords; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul(high ^ word, FIRST_PRIME);
    low = Math.imul(low ^ word, SECOND_PRIME);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  for (let at = wholeWords; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    high = Math.imul(high ^ byte, FIRST_PRIME);
    low = Math.imul(low ^ byte, SECOND_PRIME);
  }
  high = Math.imul(high ^ (high >>> 16), FIRST_PRIME) ^ Math.imul(low ^ (low >>> 13), SECOND_PRIME);
  low = Math.imul(low ^ (low >>> 16), SECOND_PRIME) ^ Math.imul(high ^ (high >>> 13), FIRST_PRIME);
  return 0x1_0000_0000 * (high & 0x1f_ffff) + (low >>> 0);
}

/** Reads that start before their turn. */
const READ_AHEAD = 8;

/**
 * Yields the result of `read` for each value, in order. The next values are read from disk while the caller works on one.
 */
export async function* readAhead<Value, Read>(
  values: readonly Value[],
  read: (value: Value) => Promise<Read>,
): AsyncGenerator<readonly [Value, Read], void> {
  const reads: Promise<Read>[] = [];
  const start = (value: Value | undefined) => {
    if (value === undefined) return;
    const pending = read(value);
    // A rejection is reported when its turn comes.
    pending.catch(() => undefined);
    reads.push(pending);
  };
  for (const value of values.slice(0, READ_AHEAD)) start(value);
  for (const [at, value] of values.entries()) {
    const pending = reads.shift();
    if (!pending) return;
    const result = await pending;
    start(values[at + READ_AHEAD]);
    yield [value, result];
  }
}

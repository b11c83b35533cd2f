import { isPanic } from '../abi/explainData.ts';
import type { HexMeaning } from '../abi/hexMeaning.ts';
import type { Abortable } from '../base/concurrency.ts';
import {
  createBudget,
  runInSlices,
  runToEnd,
  type SliceOptions,
  type TimeSlices,
} from '../base/timeSlices.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { findPlainFailureLines, type PlainCause } from '../project/source/failureLines.ts';
import { type FailureNames, readFailureNames } from '../project/source/failureNames.ts';
import { findRevertLines, type RevertCause } from '../project/source/readSource.ts';
import { tokenizeSolidity } from '../project/source/tokens.ts';
import { findRevertCause } from '../transactions/revertPlaces.ts';
import { type CallFrame, isCreation } from './callFrame.ts';
import type { FoundBuild } from './findBuilds.ts';
import { findHalt, isRevertError } from './halts.ts';
import type { Location, MappedSteps, SourcePlace } from './locate.ts';
import { type CallStart, findReach, type ReachSource } from './reach.ts';
import { findCalled } from './refusals.ts';
import { isVyperSource } from './vyperBuilds.ts';

/** A call that may have failed by itself. */
interface PossibleFailure {
  readonly frame: CallFrame;
  readonly found: FoundBuild | undefined;
  readonly mapped: MappedSteps | undefined;
  /** The place of the next call of the path among the calls of this one; undefined for the last. */
  readonly place: number | undefined;
}

interface CandidateOptions extends Abortable {
  /** Whether calls are missing: then one of them may have failed. */
  readonly isCut: boolean;
  readonly explainRevert: (frame: CallFrame) => readonly HexMeaning[];
  /** All contracts of the project, whose sources are searched if the build of the failed call is unknown. */
  readonly contracts: readonly IndexedContract[];
  /** Undefined if the file cannot be read. */
  readonly readSource: (path: string) => Promise<string | undefined>;
  readonly slices: TimeSlices;
}

const MAX_CANDIDATES = 200;

/**
 * The lines on which calls may have failed: those of the sources that can fail so and that the call can run, the nearest
 * to the lines of the maps first; then the lines of the maps, though they may be others'.
 *
 * @param possible the calls that may have failed by themselves, the likelier first.
 * @param origin.isPassed whether the failure came from a call of the first that is of no build.
 * @throws the reason of `signal` when it aborts.
 * @example const lines = await listCandidates([failure], { isPassed: false }, options);
 */
export async function listCandidates(
  possible: readonly PossibleFailure[],
  { isPassed }: { readonly isPassed: boolean },
  options: CandidateOptions,
): Promise<readonly SourcePlace[]> {
  const ends: { readonly end: Location; readonly cause: Cause | undefined }[] = [];
  const searches: Search[] = [];
  const recent: SourcePlace[] = [];
  for (const { frame, found, mapped, place } of possible) {
    const cause = findCause(frame, options.explainRevert(frame));
    const call = place === undefined ? undefined : mapped?.callAt(place);
    for (const end of isPassed ? [call, mapped?.end] : [mapped?.end, call])
      if (end) ends.push({ end, cause });
    // Too many lines of Vyper may fail without data.
    if (!cause || isVyperSource(found?.build.contract.source))
      for (const each of mapped?.recent ?? []) recent.push(each);
    if (cause) searches.push(await openSearch({ frame, found, cause }, options));
  }
  const { places, later } = await searchLines(searches, options);
  // The line of a whole contract says little.
  const isContract = ({ kind, stack }: Location) => kind === 'declaration' && stack.length === 0;
  const isFound = ({ file, line }: SourcePlace) =>
    places.some((each) => each.file === file && each.line === line);
  const rest = ends.filter(({ end }) => !isContract(end) && !isFound(end));
  // Of two as near, the one of the likelier location is first.
  const distance = ({ file, line }: SourcePlace) =>
    Math.min(
      ...ends.map(({ end }, rank) =>
        end.file === file ? Math.abs(end.line - line) + rank / ends.length : Number.POSITIVE_INFINITY,
      ),
    );
  const sort = (lines: SourcePlace[]) => {
    if (!ends.some(({ end }) => isContract(end)))
      lines.sort((one, other) => compareDistance(distance(one), distance(other)));
    return lines;
  };
  // A statement that spans lines begins at one that is not found.
  const near = rest.filter(({ end, cause }) => cause && places.length > 0 && spans(end, places));
  const remaining = rest.filter((each) => !near.includes(each) && (places.length === 0 || !isOther(each)));
  const all = [
    ...(places.length === 0 ? remaining.map(({ end }) => end) : []),
    ...sort(places),
    ...sort(later),
    ...remaining.map(({ end }) => end),
    ...recent,
    ...ends.map(({ end }) => end).filter(isContract),
  ];
  const unique = new Map(all.map(({ file, line }) => [`${file}:${line}`, { file, line }]));
  return [...unique.values()].slice(0, MAX_CANDIDATES);
}

/** Those of other files come last, in their order. */
function compareDistance(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Whether a later line of the statement is among the lines that can fail so. */
function spans({ file, line, text }: Location, places: readonly SourcePlace[]): boolean {
  const last = line + text.split('\n', MAX_LINES).length - 1;
  return places.some((each) => each.file === file && each.line > line && each.line <= last);
}

/** Whether a statement of the maps fails, but not so: the optimizer put the code of another one there. */
function isOther({
  end: { text },
  cause,
}: {
  readonly end: Location;
  readonly cause: Cause | undefined;
}): boolean {
  if (!cause || !/^(?:require|revert|assert)\b/.test(text)) return false;
  // Of assembly, or with the data of a call.
  if (/^(?:revert|require)\b.*\b(?:mload|returndatasize|abi)\b/s.test(text)) return false;
  if ('error' in cause) return !text.includes(cause.error);
  if ('message' in cause) {
    const literals = [...tokenizeSolidity(text)].filter(({ kind }) => kind === 'string');
    const [literal] = literals;
    return literal !== undefined && literals.length === 1 && !literal.text.includes('\\')
      ? literal.text.slice(1, -1) !== cause.message
      : /^(?:assert|revert\s*[A-Z]\w*\()/.test(text);
  }
  return runToEnd(findPlainFailureLines(`{${text} }`, cause)).length === 0;
}

type Cause = RevertCause | PlainCause;

/** The sources of a call that may have failed, with what narrows their lines. */
interface Search {
  readonly cause: Cause;
  readonly sources: readonly ReachSource[];
  /** The file of the contract. */
  readonly own: string | undefined;
  readonly canRun: Awaited<ReturnType<typeof findReach>>;
  readonly names: FailureNames | undefined;
}

async function openSearch(
  { frame, found, cause }: Pick<PossibleFailure, 'found' | 'frame'> & { readonly cause: Cause },
  options: CandidateOptions,
): Promise<Search> {
  const { readSource, slices, signal } = options;
  const sources: ReachSource[] = [];
  const chars = createBudget(MAX_SEARCHED_CHARS);
  let isCut = false;
  for (const file of listSources(found, options)) {
    const text = await readSource(file);
    isCut ||= text !== undefined && !chars.pay(text.length);
    if (isCut) break;
    if (text !== undefined) sources.push({ file, text });
    if (slices.isOver()) await slices.rest({ signal });
  }
  const start = found && !isCut && isKnown(found, options) ? findStart(frame, found) : undefined;
  const isSolidity = sources.every(({ file }) => file.endsWith('.sol'));
  const canRun = start && isSolidity ? await findReach(sources, start, options) : undefined;
  const isPlain = !('error' in cause || 'message' in cause);
  const hasNoTexts = /"revertStrings":\s?"strip"/.test(found?.build.metadata ?? '');
  const texts = sources.map(({ text }) => text);
  const names =
    isPlain && isSolidity && !isCut ? { ...(await readFailureNames(texts, options)), hasNoTexts } : undefined;
  return { cause, sources, own: found?.build.contract.source, canRun, names };
}

/** The lines that can fail so, and those that are less likely to; of all sources where a name was not understood. */
async function searchLines(
  searches: readonly Search[],
  { slices, signal }: SliceOptions,
): Promise<{ readonly places: SourcePlace[]; readonly later: SourcePlace[] }> {
  for (const [isExact, isNarrow] of [
    [true, true],
    [false, true],
    [false, false],
  ] as const) {
    const places: SourcePlace[] = [];
    const later: SourcePlace[] = [];
    for (const { cause, sources, own, canRun, names } of searches) {
      for (const { file, text } of sources) {
        if (slices.isOver()) await slices.rest({ signal });
        const canFail = (line: number) => !isNarrow || !canRun || canRun(file, line);
        const searched = { file, text, names: isExact ? names : undefined };
        const lines = (await findLines(searched, cause, { slices, signal })).filter(canFail);
        const written = isExact && names ? text.split('\n') : [];
        for (const line of lines)
          (DECLARES.test(written[line - 1]?.slice(0, MAX_LINE_CHARS) ?? '') ? later : places).push({
            file,
            line,
          });
        const given = 'message' in cause && file === own ? findGivenTexts(text) : [];
        for (const line of given) if (canFail(line)) later.push({ file, line });
      }
    }
    if (places.length + later.length > 0) return { places, later };
  }
  return { places: [], later: [] };
}

/** A function without a statement on its first line: only its arguments can be refused there. */
const DECLARES = /^\s{0,80}(?:function|constructor)\b[^;]*$/;

/** The called function, by the selector; undefined if that is not known. */
function findStart(frame: CallFrame, { build }: FoundBuild): CallStart | undefined {
  const { name: contract } = build.contract;
  if (isCreation(frame)) return { contract, called: 'creation' };
  const called = findCalled(frame, build);
  return called && { contract, called: called === 'other' ? called : { function: called.name } };
}

/** Whether all sources of the code that ran are known. */
function isKnown({ isOnly, build }: FoundBuild, { isCut }: Pick<CandidateOptions, 'isCut'>): boolean {
  return isOnly && build.sources.length > 0 && !isCut;
}

/**
 * The contract's own first, then those that were compiled with it; of one that may be another, or that may have called
 * another, all of the project.
 */
function listSources(
  found: FoundBuild | undefined,
  { contracts, isCut }: Pick<CandidateOptions, 'contracts' | 'isCut'>,
): readonly string[] {
  const own = contracts.filter(({ isOwn }) => isOwn);
  const others = contracts.filter(({ isOwn }) => !isOwn);
  const all = [...own, ...others].map(({ source }) => source);
  const { contract, sources = [] } = found?.build ?? {};
  const files = [contract?.source, ...sources, ...(found && isKnown(found, { isCut }) ? [] : all)];
  return [...new Set(files.filter((file) => file !== undefined))].slice(0, MAX_SOURCES);
}

const MAX_SOURCES = 1_000;
/** Characters of all sources together. If there are more, names exclude no line. */
export const MAX_SEARCHED_CHARS = 32 * 1024 * 1024;

async function findLines(
  { file, text, names }: ReachSource & { readonly names: FailureNames | undefined },
  cause: Cause,
  options: SliceOptions,
): Promise<readonly number[]> {
  if ('error' in cause || 'message' in cause)
    return findRevertLines({ path: file, text }, cause, { ...options, maxLines: MAX_CANDIDATES });
  const isVyper = isVyperSource(file);
  if (!isVyper && !file.endsWith('.sol')) return [];
  const search = findPlainFailureLines(text, cause, isVyper ? { language: 'vyper' } : { names });
  return runInSlices(search, options);
}

/** Lines of a Solidity source that revert with a text in a variable. */
function findGivenTexts(text: string): readonly number[] {
  const lines = text.split('\n', MAX_LINES);
  return lines.flatMap((line, index) => (GIVEN_TEXT.test(line.slice(0, MAX_LINE_CHARS)) ? [index + 1] : []));
}

export const MAX_LINES = 10_000;
export const MAX_LINE_CHARS = 400;
const GIVEN_TEXT =
  /\brevert\s{0,40}\(\s{0,40}[A-Za-z_]|\brequire\s{0,40}\([^"']{0,400},\s{0,40}[A-Za-z_]\w{0,99}\s{0,40}\)\s{0,40};/;

/** Undefined if no text tells: any line can run out of gas. */
function findCause(frame: CallFrame, revert: readonly HexMeaning[]): Cause | undefined {
  if (frame.error !== undefined && !isRevertError(frame.error)) {
    const halt = findLineHalt(frame.error);
    return halt && { halt };
  }
  if (frame.output === '0x') return { plain: true };
  const [meaning] = revert;
  const code = meaning && 'values' in meaning ? meaning.values[0] : undefined;
  if (meaning && 'item' in meaning && isPanic(meaning.item) && typeof code === 'bigint')
    return { panic: code };
  // Data that no error explains may come from assembly, or from a called contract.
  return findRevertCause(revert, undefined) ?? { plain: true };
}

/**
 * The halts that a line of a source can show.
 *
 * @example findLineHalt('invalid opcode: INVALID') // 'invalid'
 */
export function findLineHalt(error: string): 'invalid' | 'write' | undefined {
  const kind = findHalt(error)?.kind;
  return kind === 'invalid' || kind === 'write' ? kind : undefined;
}

import { isPanic } from '../abi/explainData.ts';
import type { HexMeaning } from '../abi/hexMeaning.ts';
import type { Abortable } from '../base/concurrency.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { createBudget, runToEnd, type TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import { findKnownAddress } from '../identity/knownAddresses.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { findPlainFailureLines } from '../project/source/failureLines.ts';
import { readFailureNames } from '../project/source/failureNames.ts';
import { tokenizeSolidity } from '../project/source/tokens.ts';
import { type CallFrame, findFailedPath, isCreation, isOutOfGas } from './callFrame.ts';
import { findLineHalt, listCandidates, MAX_LINE_CHARS, MAX_LINES, MAX_SEARCHED_CHARS } from './candidates.ts';
import type { FoundBuild } from './findBuilds.ts';
import { findHalt, isRevertError } from './halts.ts';
import {
  type Location,
  type MappedSteps,
  mapSteps,
  openMaps,
  type SourcePlace,
  type StackEntry,
} from './locate.ts';
import { type ArgumentChecks, describeRefusal, findRefusal, type Refusal } from './refusals.ts';
import type { FrameSteps } from './steps.ts';
import { isVyperSource } from './vyperBuilds.ts';

/**
 * Where a transaction failed. Certain: the line, and the functions that called it, the innermost first, through all
 * calls between contracts. Otherwise lines that may be it, the likelier first.
 */
export type FailedAt =
  | ({ readonly certain: true; readonly stack: readonly StackEntry[] } & SourcePlace & UnknownPart)
  | ({ readonly certain: false; readonly candidates: readonly SourcePlace[] } & UnknownPart);

interface UnknownPart {
  /**
   * Why the innermost call failed, if no revert data says so: it ran out of gas, or its code refused the call before a
   * line of its source ran. The line is then in the caller.
   */
  readonly why?: Message;
  /** Contracts on the way to the failure whose code is of no build, so that their lines are unknown. */
  readonly unknownCode?: readonly UnknownCode[];
}

export interface UnknownCode {
  /** Undefined for a contract that was not created. */
  readonly address: Address | undefined;
  /** The contract of the project that is deployed there, but with other code. */
  readonly contract: string | undefined;
}

interface FailedAtOptions extends Abortable {
  /** Whether calls are missing: then one of them may have failed. */
  readonly isCut: boolean;
  /** The steps of the root; undefined if the endpoint tells none. */
  readonly steps: FrameSteps | undefined;
  /** The build of the code of a frame; undefined if it is not of the project. */
  readonly findBuild: (frame: CallFrame) => Promise<FoundBuild | undefined>;
  /** The contract of the project that is said to be deployed where the code of a frame ran. */
  readonly getContractName: (frame: CallFrame) => string | undefined;
  /** The called function by name. */
  readonly getFunctionName: (frame: CallFrame) => string | undefined;
  readonly explainRevert: (frame: CallFrame) => readonly HexMeaning[];
  /** All contracts of the project, whose sources are searched if the build of the failed call is unknown. */
  readonly contracts: readonly IndexedContract[];
  /** Undefined if the file cannot be read. */
  readonly readSource: (path: string) => Promise<string | undefined>;
  readonly slices: TimeSlices;
}

/** A failed call of the path, and what its code says. */
interface PlacedFailure {
  readonly frame: CallFrame;
  readonly found: FoundBuild | undefined;
  readonly mapped: MappedSteps | undefined;
  readonly hasSteps: boolean;
  /** The place of the next call of the path among the calls of this one; undefined for the last. */
  readonly place: number | undefined;
  /** Whether only empty data says that the next call made this one fail. */
  readonly isNextLikely: boolean;
}

/**
 * Finds the line at which a transaction failed: that of the innermost call whose failure came through to the
 * transaction, and whose source is in the project. The steps tell where its code ended, and the map of the build which
 * line that is. Undefined if the transaction did not fail.
 *
 * @throws the reason of `signal` when it aborts.
 * @example const failedAt = await findFailedAt(root, options);
 */
export async function findFailedAt(root: CallFrame, options: FailedAtOptions): Promise<FailedAt | undefined> {
  if (root.error === undefined) return undefined;
  const path = await placeFailures(root, options);
  const origin = findOrigin(path, options);
  const last = path[origin.index];
  if (!last) return undefined;
  const unknownCode = listUnknownCode(path, options);
  const isSure = (origin.isCertain || path.length === 1) && !origin.isPassed;
  const refused = isSure ? last : path.at(-1);
  const found = await readRefusal(refused, options);
  const refusal = isSure ? found : undefined;
  const unknown = {
    ...(unknownCode.length > 0 && { unknownCode }),
    ...(refusal && { why: describeRefusal(refusal) }),
  };
  if (refusal) {
    const outer = path.slice(0, origin.index).toReversed();
    const stack = outer.flatMap((failure) => findCertainCall(failure)?.stack ?? []);
    // A proxy whose own lines are not certain is not the caller, but what called it.
    const first = outer.findIndex(
      (failure, index) =>
        findCertainCall(failure) !== undefined ||
        !isForwarded(failure.frame, path[origin.index - index]?.frame),
    );
    const caller = outer[first] && findCertainCall(outer[first]);
    if (caller) return { certain: true, file: caller.file, line: caller.line, stack, ...unknown };
    const { mapped, place } = path[origin.index - 1] ?? {};
    const likely = (place === undefined ? undefined : mapped?.callAt(place)) ?? mapped?.end;
    const places = likely ? [{ file: likely.file, line: likely.line }] : [];
    const declared = await listDeclarations(last, refusal, options);
    return { certain: false, candidates: [...places, ...declared], ...unknown };
  }
  const call = origin.isPassed ? findCertainCall(last) : undefined;
  const end = origin.isPassed ? call : last.mapped?.end;
  if (end && last.found?.isOnly && origin.isCertain && (call || isCertainEnd(last, end, options))) {
    const outer = path.slice(0, origin.index).toReversed();
    // A call in between whose own place is not certain is left out.
    const stacks = outer.map((failure) => findCertainCall(failure)?.stack ?? []);
    const stack = [...end.stack, ...stacks.flat()];
    const halt = origin.index > 0 && !origin.isPassed ? findHalt(last.frame.error ?? '') : undefined;
    return {
      certain: true,
      file: end.file,
      line: end.line,
      stack,
      ...(halt && { why: halt.text }),
      ...unknown,
    };
  }
  // If it is uncertain which call failed by itself, it may be any of them.
  const possible = origin.isCertain ? path.slice(origin.index, origin.index + 1) : path.toReversed();
  // No line of the call that was refused ran.
  const ran = found ? possible.filter((failure) => failure !== refused) : possible;
  const candidates = await listCandidates(ran, origin, options);
  const declared = found && refused ? await listDeclarations(refused, found, options) : [];
  return { certain: false, candidates: [...candidates, ...declared], ...unknown };
}

async function readRefusal(
  failure: PlacedFailure | undefined,
  options: FailedAtOptions,
): Promise<Refusal | undefined> {
  const { frame, found } = failure ?? {};
  if (!frame || !found?.isOnly) return undefined;
  return findRefusal(frame, found.build, {
    knownName: options.getFunctionName(frame),
    getChecks: await readArgumentChecks(found, options),
  });
}

/**
 * What the compiler of a build checks of arguments: solc does so since 0.8.0, if the source does not refuse that, and Vyper
 * always, but without offsets.
 */
async function readArgumentChecks(
  { build: { metadata, contract, sources } }: FoundBuild,
  { readSource, slices, signal }: Pick<FailedAtOptions, 'readSource' | 'signal' | 'slices'>,
): Promise<((name: string) => ArgumentChecks) | undefined> {
  if (isVyperSource(contract.source)) return () => ({ checksOffsets: false, checksMembers: true });
  const start = metadata?.slice(0, MAX_COMPILER_CHARS) ?? '';
  const isRecent = /"compiler":\s?\{"version":\s?"0\.(?:8|9|\d\d+)\./.test(start);
  const text = contract.source === undefined ? undefined : await readSource(contract.source);
  if (!isRecent || text === undefined || /\babicoder\s{1,20}v1\b/.test(text)) return undefined;
  const chars = createBudget(MAX_SEARCHED_CHARS);
  let isAll = sources.length > 0 && sources.length <= MAX_ENUM_SOURCES;
  async function* readTexts() {
    for (const file of sources.slice(0, MAX_ENUM_SOURCES)) {
      const text = (await readSource(file)) ?? '';
      if (chars.pay(text.length)) yield text;
      else isAll = false;
    }
  }
  const { enums, functionsWithCalldata } = await readFailureNames(readTexts(), { slices, signal });
  return (name) => ({ enumSizes: enums, checksMembers: isAll && !functionsWithCalldata.has(name) });
}

const MAX_COMPILER_CHARS = 200;
const MAX_ENUM_SOURCES = 200;

/** The lines that declare the function that refused a call, in the source of its contract. */
async function listDeclarations(
  { found }: PlacedFailure,
  { called, kind }: Refusal,
  { readSource }: FailedAtOptions,
): Promise<readonly SourcePlace[]> {
  const { source: file, name } = found?.build.contract ?? {};
  if (file === undefined || kind === 'noFunction' || kind === 'noReceive') return [];
  const lines = ((await readSource(file)) ?? '').split('\n', MAX_LINES);
  const wanted = kind.startsWith('constructor') ? 'constructor' : called;
  let contract: string | undefined;
  const declared = lines.flatMap((text, index) => {
    const start = text.slice(0, MAX_LINE_CHARS);
    contract = /^\s{0,20}(?:abstract\s+)?contract\s+(\w+)/.exec(start)?.[1] ?? contract;
    const isDeclared = start.split(/\b(?:function\s+|(?=constructor\b))/).some((part) => {
      return /^\w+(?=\s{0,20}\()/.exec(part)?.[0] === wanted;
    });
    return isDeclared ? [{ file, line: index + 1, contract }] : [];
  });
  const own = declared.filter((each) => each.contract === name);
  return (own.length > 0 ? own : declared).map(({ line }) => ({ file, line }));
}

/** The line that made the call whose failure came through, not the one that passed the failure on. */
function findCertainCall({ mapped, place }: PlacedFailure): Location | undefined {
  if (!mapped || place === undefined) return undefined;
  const { end } = mapped;
  const call = mapped.callAt(place);
  if (call?.isCertain) return call;
  return end?.isCertain && mapped.passesOn(place) ? end : undefined;
}

/** Whether a proxy or clone passed its call on. Some add arguments behind it. */
function isForwarded({ input }: CallFrame, next: CallFrame | undefined): boolean {
  return next?.type === 'DELEGATECALL' && next.input.startsWith(input);
}

/** Precompiled contracts have no code. */
function listUnknownCode(
  path: readonly PlacedFailure[],
  { getContractName }: Pick<FailedAtOptions, 'getContractName'>,
): readonly UnknownCode[] {
  const unknown = path.filter(
    ({ frame, found }, index) =>
      !found &&
      !(frame.to && findKnownAddress(frame.to)) &&
      // A proxy or clone that is not of the project only passes the call on.
      (getContractName(frame) !== undefined || !isForwarded(frame, path[index + 1]?.frame)),
  );
  const byAddress = new Map(
    unknown.map(({ frame }) => [frame.to, { address: frame.to, contract: getContractName(frame) }]),
  );
  return [...byAddress.values()];
}

/**
 * Says that the lines of a contract are unknown.
 *
 * @param name of a contract that the project does not have.
 * @example describeUnknownCode({ address, contract: 'Inner' }, '0x5FbD…0aa3')
 */
export function describeUnknownCode({ address, contract }: UnknownCode, name: string): Message {
  if (contract !== undefined)
    return createMessage(
      'The code of {0} differs from your build, so its lines are unknown.',
      foreign(contract),
    );
  return address === undefined
    ? createMessage('The code that was to be created is not of your build, so its lines are unknown.')
    : createMessage('The code of {0} is not of your build, so its lines are unknown.', foreign(name));
}

async function placeFailures(
  root: CallFrame,
  { steps: rootSteps, findBuild, getFunctionName, slices, signal }: FailedAtOptions,
): Promise<readonly PlacedFailure[]> {
  const failed = findFailedPath(root);
  const placed: PlacedFailure[] = [];
  const maps = openMaps();
  let steps = rootSteps;
  for (const [index, { frame }] of failed.entries()) {
    const next = failed[index + 1];
    const found = await findBuild(frame);
    const place = next && countCalls(frame, next.place);
    const hasSteps = steps !== undefined && steps.counters.length > 0;
    const mapped =
      steps && hasSteps && found
        ? await mapSteps(steps, {
            build: found.build,
            kind: isCreation(frame) ? 'creation' : 'runtime',
            functionName: getOwnFunctionName(found.build.contract, getFunctionName(frame)),
            ...{ maps, slices, signal },
          })
        : undefined;
    placed.push({ frame, found, mapped, hasSteps, place, isNextLikely: next?.isLikely === true });
    steps = place === undefined ? undefined : steps?.calls[place]?.steps;
  }
  return placed;
}

/** Undefined if the contract lacks the function: then its fallback function runs. */
function getOwnFunctionName({ abi }: IndexedContract, name: string | undefined): string | undefined {
  const start = `function ${name}(`;
  return abi.some((text) => text.startsWith(start)) ? name : undefined;
}

/** Steps have no entry for the end of a contract. */
function countCalls({ calls }: CallFrame, place: number): number {
  return calls.slice(0, place).filter(({ type }) => type !== 'SELFDESTRUCT').length;
}

/**
 * The call of the path that failed by itself: the code of each one before it ended where it made the next call, or
 * passed its data on. Of code that is not of the project, the data decides. Of calls without a build at the end, the one
 * before them counts: its line is the call.
 */
function findOrigin(
  path: readonly PlacedFailure[],
  { isCut }: Pick<FailedAtOptions, 'isCut'>,
): { readonly index: number; readonly isCertain: boolean; readonly isPassed: boolean } {
  let isCertain = !isCut;
  let index = 0;
  for (const [depth, { frame, mapped, hasSteps, place, isNextLikely }] of path.entries()) {
    index = depth;
    // Without steps the next call never began: the caller lacked the balance.
    const isNextStarted = !hasSteps || path[depth + 1]?.hasSteps === true;
    if (place === undefined || (isNextLikely && !isNextStarted)) break;
    const end = mapped?.end;
    // Without a line of its own that failed, a proxy passes on what the code behind it returned.
    if (!end?.isCertain && isForwarded(frame, path[depth + 1]?.frame)) continue;
    if (!end) {
      if (mapped || isNextLikely || !hasSteps) isCertain = false;
    } else if (!mapped.passesOn(place)) {
      if (!end.isCertain) isCertain = false;
      if (isNextLikely ? !passesData(end) : !mayPassOn(end, frame)) break;
    }
  }
  const known = path.slice(0, index + 1).findLastIndex(({ found }) => found !== undefined);
  return { index: known < 0 ? index : known, isCertain, isPassed: known >= 0 && known < index };
}

/** Whether a statement of assembly reverts with as much as it was given: `revert(0, returndatasize())`. */
function passesData({ text }: Location): boolean {
  return /^revert\b/.test(text) && /,\s{0,20}[A-Za-z_]\w{0,80}(?:\([^()]{0,200}\))?\s{0,20}\)$/.test(text);
}

/** In assembly, or with a text that is no literal, a statement may pass on what a call returned. */
function mayPassOn({ text }: Location, { output }: CallFrame): boolean {
  if (/^revert\s*\(\s*[^"')\s]/.test(text)) return true;
  return output.startsWith(ERROR_SELECTOR) && /^require\b[^"',]*,[^"']*$/.test(text);
}

/** Of `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0';

function isCertainEnd(
  { frame, found, mapped, place }: PlacedFailure,
  end: Location,
  { explainRevert }: FailedAtOptions,
): boolean {
  if (!found?.isOnly || !end.isCertain || end.kind !== 'statement') return false;
  return (place !== undefined && mapped?.passesOn(place)) || fitsFailure(frame, end, explainRevert(frame));
}

/** Whether a text can fail so: another check that the position is right, and the only one before merged code. */
function fitsFailure(
  frame: CallFrame,
  { text, isBeforeMerged }: Location,
  [meaning]: readonly HexMeaning[],
): boolean {
  if (/^(?:if|for|while|do|return|try|emit)\b/.test(text)) return false;
  if (isOutOfGas(frame)) return !isBeforeMerged;
  const isStatement = /^(?:require|revert)\b/.test(text);
  if (frame.error !== undefined && !isRevertError(frame.error)) {
    const halt = findLineHalt(frame.error);
    if (isBeforeMerged) return halt === 'invalid' && /\b(?:assert|invalid)\b/.test(text);
    return halt !== undefined && runToEnd(findPlainFailureLines(`{${text} }`, { halt })).length > 0;
  }
  if (frame.output === '0x') return isBeforeMerged ? isStatement : /[({[]/.test(text);
  if (!meaning || !('item' in meaning)) return isStatement && !isBeforeMerged;
  if (isPanic(meaning.item)) {
    const code = 'values' in meaning ? meaning.values[0] : undefined;
    return (
      typeof code === 'bigint' && runToEnd(findPlainFailureLines(`{${text} }`, { panic: code })).length > 0
    );
  }
  if (meaning.item.signature !== 'Error(string)') return text.includes(`${meaning.item.name}(`);
  const message = 'values' in meaning ? meaning.values[0] : undefined;
  const literals = [...tokenizeSolidity(text)].filter(({ kind }) => kind === 'string');
  const [literal] = literals;
  const isComposed = literals.length !== 1 || literal?.text.includes('\\');
  return isStatement && (isComposed ? !isBeforeMerged : literal?.text.slice(1, -1) === message);
}

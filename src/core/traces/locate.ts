import { type Budget, createBudget, type SliceOptions } from '../base/timeSlices.ts';
import { tokenizeSolidity } from '../project/source/tokens.ts';
import { type BuiltCode, type CodeMap, createCodeMap, type MapEntry } from './builtCode.ts';
import type { ContractBuild } from './readBuilds.ts';
import { type Callable, MAX_TEXT_BYTES, openSource, type SourceText } from './sourceText.ts';
import type { FrameSteps } from './steps.ts';
import { isVyperSource } from './vyperBuilds.ts';

/** A line of a source. */
export interface SourcePlace {
  /** From the workspace root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface StackEntry extends SourcePlace {
  /** `Vault.withdraw`. */
  readonly function: string;
}

/** Where the code of one call ended. */
export interface Location extends SourcePlace {
  /** The statement or expression. */
  readonly text: string;
  /** The functions of this call, the innermost first. */
  readonly stack: readonly StackEntry[];
  /** Whether the file is the one that was compiled, and nothing in the code may have moved. */
  readonly isCertain: boolean;
  /** Whether merged code follows: the text must then be that of a statement that fails. */
  readonly isBeforeMerged: boolean;
  /** `declaration`: the code that the compiler puts before a function failed, such as the check for coins. */
  readonly kind: 'statement' | 'declaration';
}

/** The steps of one call, with the map of the code that ran. */
export interface MappedSteps {
  /** Where the call ended; undefined if no step has a place in a source. */
  readonly end: Location | undefined;
  /** Lines of what ran last, the last first; of a loop all of its lines. */
  readonly recent: readonly SourcePlace[];
  /** Whether the code ended by passing on the failure of a call, as the compiler does without a `catch` for it. */
  passesOn(place: number): boolean;
  /** Where the code made a call; undefined if its step has no place in a source. */
  callAt(place: number): Location | undefined;
}

/** A function of the source that runs inside of a call. */
interface Activation {
  readonly caller: Activation | undefined;
  /** The step that jumped here; -1 for the first. */
  readonly callStep: number;
  readonly firstStep: number;
}

const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;
const RETURNDATASIZE = 0x3d;
const RETURNDATACOPY = 0x3e;
const MSTORE = 0x52;
const REVERT = 0xfd;
/** Calls and creations. */
const CALLS: ReadonlySet<number> = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]);
/** Sources of one contract. */
const MAX_SOURCES = 500;

/**
 * Maps the last step of a call to its source. From there it goes back over code that the compiler made, and out of the
 * functions that it made: those have no place in a source, or only that of a whole function.
 *
 * The optimizer merges equal code of different places, and the merged code has the position of only one of them. So
 * nothing counts after a place to which several instructions jump, other than the start of a function whose name is that
 * of the call: the statement is then the last one before.
 *
 * The work grows with the steps and with the sources, not with their product: the text of each range is read once.
 *
 * @param options.functionName the called function by the ABI; undefined for a fallback function.
 * @throws the reason of the signal when it aborts.
 * @example const { end } = await mapSteps(steps, { build, kind: 'runtime', functionName: 'pay', maps: openMaps(), slices });
 */
export async function mapSteps(
  steps: FrameSteps,
  { build, kind, functionName, maps, slices, signal }: MapOptions,
): Promise<MappedSteps> {
  const code = await openCodeMap(kind === 'creation' ? build.creation : build.runtime, maps, {
    ...{ slices, signal },
  });
  const { counters } = steps;
  const entries = counters.map((counter) => code.entryAt(counter));
  const { sources, unknown } = await readSources(entries, build, { maps, slices, signal });
  const { activations, isTooDeep } = followJumps(counters, { code, entries });
  const statements = await findStatements(entries, sources, { maps, slices, signal });
  const { calledNames } = maps;
  const walk: Walk = {
    ...{ code, counters, entries, sources, activations, isOptimized: build.isOptimized },
    ...{ statements, calledNames },
  };
  const recent = listRecent(walk);
  await slices.rest({ signal });
  const toLocation = ({ chain, isVague, isBeforeMerged }: FoundEnd, last: number): Location | undefined => {
    const [place] = chain;
    // Code of an unknown source must not pass for that of the compiler.
    const hasUnknown = entries.slice(place?.step, last + 1).some((entry) => entry && unknown.has(entry.file));
    const isSound =
      !steps.isCut &&
      !isTooDeep &&
      !hasUnknown &&
      !build.isViaIr &&
      (!build.isOptimized ||
        isExpectedFunction(walk, { chain, functionName, isCreation: kind === 'creation' }));
    const stack = chain.flatMap(({ step, activation }) => toStackEntries(walk, step, activation));
    const [top] = stack;
    const entry = entries[place?.step ?? -1];
    const source = entry && sources.get(entry.file);
    if (!entry || !source || !top) return undefined;
    const isCurrent = chain.every(({ step }) => sources.get(entries[step]?.file ?? -1)?.source.isCurrent);
    return {
      ...{ file: top.file, line: top.line, stack },
      text: source.slice(entry.start, entry.length) ?? '',
      isCertain: isSound && isCurrent && !isVague,
      isBeforeMerged,
      kind: 'statement',
    };
  };
  const callAt = (place: number) => {
    const callStep = steps.calls[place]?.at;
    const found = callStep === undefined ? undefined : findEnd(walk, callStep);
    if (!found || callStep === undefined || found.chain[0]?.step !== callStep) return undefined;
    // Merged code may have made the call for another place.
    return toLocation({ ...found, isVague: found.isVague || found.isBeforeMerged }, callStep);
  };
  const lastStep = counters.length - 1;
  const found = findEnd(walk, lastStep);
  const end = found ? toLocation(found, lastStep) : findDeclaration(walk);
  const entry = entries[found?.chain[0]?.step ?? -1];
  const passesOn = (place: number) => {
    const callStep = steps.calls[place]?.at;
    if (callStep === undefined) return false;
    // The places of code by way of Yul are not exact.
    if (build.isViaIr) return forwardsData(walk, callStep);
    return (
      found !== undefined &&
      end !== undefined &&
      entry !== undefined &&
      isPassedOn(walk, { callStep, end: entry })
    );
  };
  return { end, recent, passesOn, callAt };
}

interface MapOptions extends SliceOptions {
  readonly build: ContractBuild;
  readonly kind: 'runtime' | 'creation';
  readonly functionName: string | undefined;
  readonly maps: OpenMaps;
}

/** What was read of builds for the calls of one trace: many of them may run one code. */
export interface OpenMaps {
  readonly codes: Map<BuiltCode, CodeMap>;
  readonly sources: Map<ContractBuild, Map<number, SourceText | 'generated' | undefined>>;
  /** Whether the range of an entry is no whole declaration. */
  readonly statements: Map<MapEntry, boolean>;
  /** What the texts of entries call. */
  readonly calledNames: Map<MapEntry, ReadonlySet<string>>;
  /** In characters. */
  readonly left: Budget;
}

/** @example await mapSteps(steps, { build, kind: 'runtime', functionName: 'pay', maps: openMaps(), slices }); */
export function openMaps(): OpenMaps {
  return {
    ...{ codes: new Map(), sources: new Map(), statements: new Map(), calledNames: new Map() },
    left: createBudget(MAX_ALL_SOURCE_CHARS),
  };
}

async function openCodeMap(code: BuiltCode, { codes }: OpenMaps, options: SliceOptions): Promise<CodeMap> {
  const map = codes.get(code) ?? (await createCodeMap(code, options));
  codes.set(code, map);
  return map;
}

interface Walk {
  readonly code: CodeMap;
  readonly counters: readonly number[];
  readonly entries: readonly (MapEntry | undefined)[];
  readonly sources: ReadonlyMap<number, SourceText>;
  /** Of each step. */
  readonly activations: readonly Activation[];
  readonly isOptimized: boolean;
  /** Entries whose range is no whole declaration. */
  readonly statements: ReadonlySet<MapEntry>;
  readonly calledNames: OpenMaps['calledNames'];
}

/** A source of a map, and all of them for one trace, in characters: longer ones have no lines. */
const MAX_SOURCE_CHARS = 1024 * 1024;
const MAX_ALL_SOURCE_CHARS = 16 * 1024 * 1024;

async function readSources(
  entries: readonly (MapEntry | undefined)[],
  build: ContractBuild,
  { maps, ...options }: Pick<MapOptions, 'maps' | 'signal' | 'slices'>,
): Promise<{ readonly sources: ReadonlyMap<number, SourceText>; readonly unknown: ReadonlySet<number> }> {
  const ids = new Set(entries.map((entry) => entry?.file ?? -1));
  const sources = new Map<number, SourceText>();
  const unknown = new Set<number>();
  const known = maps.sources.get(build) ?? new Map<number, SourceText | 'generated' | undefined>();
  maps.sources.set(build, known);
  for (const id of ids) {
    if (id < 0) continue;
    if (!known.has(id) && known.size < MAX_SOURCES)
      known.set(id, await readMapSource(id, build, { maps, ...options }));
    const source = known.get(id);
    if (source === undefined) unknown.add(id);
    else if (source !== 'generated') sources.set(id, source);
  }
  return { sources, unknown };
}

async function readMapSource(
  id: number,
  build: ContractBuild,
  { maps: { left }, ...options }: Pick<MapOptions, 'maps' | 'signal' | 'slices'>,
): Promise<SourceText | 'generated' | undefined> {
  const source = left.left > 0 ? await build.readSource(id) : undefined;
  if (source === undefined || source === 'generated') return source;
  const { length } = source.text;
  return length <= MAX_SOURCE_CHARS && left.pay(length) ? openSource(source, options) : undefined;
}

async function findStatements(
  entries: readonly (MapEntry | undefined)[],
  sources: Walk['sources'],
  { maps: { statements }, slices, signal }: Pick<MapOptions, 'maps' | 'signal' | 'slices'>,
): Promise<ReadonlySet<MapEntry>> {
  const found = new Set<MapEntry>();
  for (const entry of new Set(entries)) {
    if (!entry) continue;
    const is = statements.get(entry) ?? isStatement(entry, sources);
    statements.set(entry, is);
    if (is) found.add(entry);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return found;
}

/** The stack of the EVM has as many words, and each function of a call needs one for its caller. */
const MAX_FUNCTION_DEPTH = 1_024;

function followJumps(
  counters: readonly number[],
  { code, entries }: Pick<Walk, 'code' | 'entries'>,
): { readonly activations: readonly Activation[]; readonly isTooDeep: boolean } {
  let inner: Activation = { caller: undefined, callStep: -1, firstStep: 0 };
  let depth = 1;
  let isTooDeep = false;
  const activations = counters.map((counter, step) => {
    const activation = inner;
    const opcode = code.opcodeAt(counter);
    const jump = opcode === JUMP || opcode === JUMPI ? entries[step]?.jump : undefined;
    if (jump === 'i' && depth === MAX_FUNCTION_DEPTH) isTooDeep = true;
    else if (jump === 'i') {
      inner = { caller: inner, callStep: step, firstStep: step + 1 };
      depth++;
    } else if (jump === 'o' && inner.caller) {
      inner = inner.caller;
      depth--;
    }
    return activation;
  });
  return { activations, isTooDeep };
}

interface ChainLink {
  readonly step: number;
  readonly activation: Activation;
}

interface FoundEnd {
  readonly chain: readonly ChainLink[];
  /** Whether a function of the source failed before its first statement, or a call in merged code led to it. */
  readonly isVague: boolean;
  readonly isBeforeMerged: boolean;
}

/** A step, then those that called its function, and so on; only steps with a precise place. */
function findEnd(walk: Walk, last: number): FoundEnd | undefined {
  const chain: ChainLink[] = [];
  let step = last;
  let isVague = false;
  let isBeforeMerged = false;
  for (let activation = walk.activations[step]; activation; activation = activation.caller) {
    const merged = findMerged(walk, step, activation);
    const from = merged === undefined || chain.length > 0 ? step : merged - 1;
    if (merged !== undefined && chain.length > 0) isVague = true;
    const found = findPrecise(walk, from, activation);
    if (merged !== undefined && chain.length === 0) {
      isBeforeMerged = true;
      // A condition that was met leads to merged code as well, and so does a statement before the failed one.
      if (isConditionMet(walk, merged, activation) || !isTail(walk, merged, activation)) isVague = true;
    }
    if (found !== undefined && walk.isOptimized && !isWithinFunction(walk, found, activation)) isVague = true;
    if (found !== undefined) chain.push({ step: found, activation });
    else if (chain.length === 0 && (merged !== undefined || isUserFunction(walk, activation))) isVague = true;
    step = activation.callStep;
  }
  return chain.length > 0 ? { chain, isVague, isBeforeMerged } : undefined;
}

/** The first step in code that the optimizer may have merged with that of another place. */
function findMerged(walk: Walk, last: number, activation: Activation): number | undefined {
  const { code, counters, activations, isOptimized } = walk;
  if (!isOptimized) return undefined;
  for (let step = activation.firstStep; step <= last; step++) {
    const counter = counters[step] ?? 0;
    if (activations[step] !== activation || code.opcodeAt(counter) !== JUMPDEST) continue;
    if (code.countPushes(counter) < 2 || isGenerated(walk, activation)) continue;
    if (step !== activation.firstStep || !isNamedAtCall(walk, activation)) return step;
  }
  return undefined;
}

/** Whether the function is of the compiler: many places share it, and none is in a source. */
function isGenerated({ entries, sources }: Walk, { firstStep }: Activation): boolean {
  const entry = entries[firstStep];
  return firstStep > 0 && (entry === undefined || !hasText(entry, sources));
}

/** Whether the step before is a conditional jump: then the code before it did not fail. */
function isConditionMet(
  { code, counters, activations }: Walk,
  merged: number,
  activation: Activation,
): boolean {
  let step = merged - 1;
  while (step >= activation.firstStep && activations[step] !== activation) step--;
  return step >= activation.firstStep && code.opcodeAt(counters[step] ?? 0) === JUMPI;
}

/** Whether a step is in the text of the function that was entered: the optimizer may drop the jump out of another. */
function isWithinFunction({ entries, sources }: Walk, step: number, { firstStep }: Activation): boolean {
  if (firstStep === 0) return true;
  const callableAt = (entry: MapEntry | undefined) =>
    entry && sources.get(entry.file)?.callableAt(entry.start);
  const callable = callableAt(entries[step]);
  const entered = callableAt(entries[firstStep]);
  if (!callable || !entered) return false;
  return callable.kind === 'modifier' || formatCallable(callable) === formatCallable(entered);
}

/** Whether the call ends with these steps: no branch, and no function that fails. */
function isTail({ code, counters, activations }: Walk, merged: number, activation: Activation): boolean {
  for (let step = merged; step < counters.length; step++) {
    if (activations[step] !== activation || code.opcodeAt(counters[step] ?? 0) === JUMPI) return false;
  }
  return true;
}

function findPrecise({ entries, statements, activations }: Walk, last: number, activation: Activation) {
  for (let step = last; step >= activation.firstStep; step--) {
    const entry = entries[step];
    if (activations[step] === activation && entry && statements.has(entry)) return step;
  }
  return undefined;
}

/** Steps that are looked at for {@link MappedSteps.recent}: a few rounds of a loop. */
const MAX_RECENT_STEPS = 1_000;
const MAX_RECENT = 40;

function listRecent({ entries, sources, statements }: Walk): readonly SourcePlace[] {
  const found = new Map<string, SourcePlace>();
  let previous: MapEntry | undefined;
  for (const entry of entries.slice(-MAX_RECENT_STEPS).reverse()) {
    const source = entry && entry !== previous && sources.get(entry.file);
    previous = entry;
    const text = entry && statements.has(entry) ? getText(entry, sources) : undefined;
    if (!entry || !source || text === undefined) continue;
    const { path: file } = source.source;
    const first = source.lineAt(entry.start);
    for (let line = first; line < first + text.split('\n', MAX_RECENT).length; line++)
      found.set(`${file}:${line}`, { file, line });
    if (found.size >= MAX_RECENT) break;
  }
  return [...found.values()];
}

/**
 * Whether the code ended by passing on the failure of a call. The compiler does so right after the call, without a jump
 * to another place; for a `try` without a fitting `catch` later, with the data that came back.
 */
function isPassedOn(
  { code, counters, entries, sources, statements }: Walk,
  { callStep, end }: { readonly callStep: number; readonly end: MapEntry },
): boolean {
  const call = entries[callStep];
  const text = call && getText(call, sources);
  if (!call || text === undefined || isLowLevelCall(text)) return false;
  const opcodes = counters.slice(callStep + 1).map((counter) => code.opcodeAt(counter));
  if (isSameRange(call, end)) return !opcodes.includes(JUMPDEST);
  const isTry = /^try\b/.test(getText(end, sources) ?? '') && isInside(call, end);
  if (!isTry || opcodes.lastIndexOf(RETURNDATACOPY) < opcodes.lastIndexOf(JUMPI)) return false;
  return entries
    .slice(callStep)
    .every(
      (entry) => !entry || isSameRange(entry, call) || isSameRange(entry, end) || !statements.has(entry),
    );
}

/** Whether the code ended by copying what a call returned, and by reverting with it: nothing was written in between. */
function forwardsData({ code, counters }: Walk, callStep: number): boolean {
  const opcodes = counters.slice(callStep + 1).map((counter) => code.opcodeAt(counter));
  const copied = opcodes.lastIndexOf(RETURNDATACOPY);
  const rest = opcodes.slice(copied + 1);
  return (
    copied >= 0 &&
    rest.at(-1) === REVERT &&
    rest.includes(RETURNDATASIZE) &&
    !rest.some((opcode) => opcode === JUMPI || opcode === MSTORE) &&
    !opcodes.some((opcode) => CALLS.has(opcode))
  );
}

function isSameRange(one: MapEntry, other: MapEntry): boolean {
  return one.file === other.file && one.start === other.start && one.length === other.length;
}

function isInside(inner: MapEntry, { file, start, length }: MapEntry): boolean {
  return inner.file === file && inner.start >= start && inner.start + inner.length <= start + length;
}

const LOW_LEVEL: ReadonlySet<string> = new Set(['call', 'callcode', 'delegatecall', 'send', 'staticcall']);

/** Whether a call returns its failure as a value: `to.call{value: 1}(data)`, before 0.6 also `to.call.value(1)(data)`. */
function isLowLevelCall(text: string): boolean {
  let depth = 0;
  let name = '';
  let previous = '';
  for (const { text: token } of tokenizeSolidity(text)) {
    const isMember = depth === 0 && previous === '.';
    if (isMember && token !== 'value' && token !== 'gas') name = token;
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    previous = token;
  }
  return LOW_LEVEL.has(name);
}

function isUserFunction({ entries, sources }: Walk, { firstStep }: Activation): boolean {
  const entry = entries[firstStep];
  return firstStep > 0 && entry !== undefined && hasText(entry, sources);
}

function getText(entry: MapEntry, sources: Walk['sources']): string | undefined {
  return entry.length === 0 ? undefined : sources.get(entry.file)?.slice(entry.start, entry.length);
}

function hasText({ file, start, length }: MapEntry, sources: Walk['sources']): boolean {
  return length > 0 && sources.get(file)?.has(start, length) === true;
}

/** Whether a range is no whole declaration. */
function isStatement(entry: MapEntry, sources: Walk['sources']): boolean {
  const text = getText(entry, sources);
  if (text === undefined) return false;
  if (!isVyperSource(sources.get(entry.file)?.source.path)) return !isDeclaration(text);
  // No statement is as long as that.
  return entry.length <= MAX_TEXT_BYTES && !VYPER_DECLARATION.test(text);
}

/** A function, or the whole source. */
const VYPER_DECLARATION = /^def\b|\n(?:def\b|@)/;
const DECLARATION =
  /^(?:(?:abstract\s+)?contract|library|interface|function\s+\w+|constructor|modifier|receive|fallback)\b[^;]{0,4096}?[{;]/;

/** Whether a range is that of a whole contract or function: the compiler's own code has no better one. */
function isDeclaration(text: string): boolean {
  return DECLARATION.test(text);
}

/** The function before whose first statement the call ended, or the contract. */
function findDeclaration({ entries, sources }: Walk): Location | undefined {
  const entry = entries.at(-1);
  const source = entry && sources.get(entry.file);
  const text = entry && source?.slice(entry.start, entry.length);
  if (!entry || !source || !text || !isDeclaration(text)) return undefined;
  const line = source.lineAt(entry.start);
  const { path: file } = source.source;
  const callable = source.callableAt(entry.start);
  const stack = callable ? [{ file, line, function: formatCallable(callable) }] : [];
  return {
    file,
    line,
    text,
    stack,
    isCertain: false,
    isBeforeMerged: false,
    kind: 'declaration',
  };
}

/** The place of a step. In a modifier also the function that has it, as both are one function in the code. */
function toStackEntries(
  { entries, sources }: Walk,
  step: number,
  activation: Activation,
): readonly StackEntry[] {
  const entry = entries[step];
  const source = entry && sources.get(entry.file);
  if (!entry || !source) return [];
  const callable = source.callableAt(entry.start);
  const place = {
    file: source.source.path,
    line: source.lineAt(entry.start),
    function: callable ? formatCallable(callable) : '',
  };
  const owner = callable?.kind === 'modifier' ? findOwner({ entries, sources }, activation) : undefined;
  return owner ? [place, owner] : [place];
}

function findOwner(
  { entries, sources }: Pick<Walk, 'entries' | 'sources'>,
  { firstStep }: Activation,
): StackEntry | undefined {
  const entry = entries[firstStep];
  const source = entry && sources.get(entry.file);
  const callable = entry && source?.callableAt(entry.start);
  if (!source || !callable || callable.kind === 'modifier') return undefined;
  return { file: source.source.path, line: callable.line, function: formatCallable(callable) };
}

function formatCallable({ contract, name }: Callable): string {
  return contract === undefined ? name : `${contract}.${name}`;
}

/** Whether the outermost place is in the function that was called: two with equal code are merged. */
function isExpectedFunction(
  walk: Walk,
  {
    chain,
    functionName,
    isCreation,
  }: {
    readonly chain: readonly ChainLink[];
    readonly functionName: string | undefined;
    readonly isCreation: boolean;
  },
): boolean {
  const outermost = chain.at(-1);
  if (!outermost) return false;
  const name = getFunctionName(walk, outermost);
  if (isCreation) return true;
  return functionName === undefined ? name === 'fallback' || name === 'receive' : name === functionName;
}

/** Whether the text of the call has the name of the function that it reached. */
function isNamedAtCall(
  { entries, sources, calledNames }: Walk,
  { callStep, firstStep }: Activation,
): boolean {
  const call = entries[callStep];
  const entry = entries[firstStep];
  const name = entry && sources.get(entry.file)?.callableAt(entry.start)?.name;
  if (name === undefined || call === undefined) return false;
  const names = calledNames.get(call) ?? listCalledNames(getText(call, sources) ?? '');
  calledNames.set(call, names);
  return names.has(name);
}

function listCalledNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  let previous = '';
  for (const { text: token } of tokenizeSolidity(text)) {
    if (token === '(' || token === '{') names.add(previous);
    previous = token;
  }
  return names;
}

/** The function that runs in the outermost activation with a place; of code in a modifier, the function that has it. */
function getFunctionName({ entries, sources }: Walk, { step, activation }: ChainLink): string | undefined {
  const nameAt = (entry: MapEntry | undefined) => entry && sources.get(entry.file)?.callableAt(entry.start);
  const callable = nameAt(entries[step]);
  if (callable?.kind !== 'modifier') return callable?.name;
  const owner = nameAt(entries[activation.firstStep]);
  return owner?.kind === 'modifier' ? undefined : owner?.name;
}

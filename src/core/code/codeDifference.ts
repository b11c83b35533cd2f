import { parseAbiItem } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { SliceOptions, TimeSlices } from '../base/timeSlices.ts';
import { countUpTo } from '../base/values.ts';
import type { Hex } from '../eth/hex.ts';
import { createCodeMap, type MapEntry } from '../traces/builtCode.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import { openSource, type SourceText } from '../traces/sourceText.ts';
import { isVyperSource } from '../traces/vyperBuilds.ts';
import { alignCode, type CodeAlignment, type EntryPair, TooMuchToAlign } from './alignCode.ts';
import type { CodeDifference, DifferingFunction, SelectorName } from './codeComparison.ts';
import { type CodeSelectors, findSelectors, listInstructions, MAX_DIGITS } from './codeInstructions.ts';
import { FREE } from './codeSide.ts';
import type { DifferentFunctions } from './differentInstructions.ts';
import { findDifferent } from './differentParts.ts';

const MAX_FUNCTIONS = 50;
const MAX_SELECTORS = 200;
const MAX_SOURCES = 500;
/** Of the instructions, by functions of one build. */
const MIN_SHARE_ALIKE = 0.5;

/**
 * Says where deployed code differs from that of a build: which functions, by the source map, and which selectors only one
 * of them dispatches.
 *
 * @param offset the first byte that differs.
 * @param options.onCut called if the parts of the code could not be compared: then no functions are listed.
 * @example const { functions } = await explainDifference(build, { code, offset }, { slices });
 */
export async function explainDifference(
  build: ContractBuild,
  { code, offset }: { readonly code: Hex; readonly offset: number },
  options: DifferenceOptions,
): Promise<CodeDifference> {
  const deployed = code.slice(2);
  if (Math.max(deployed.length, build.runtime.digits.length) > MAX_DIGITS) {
    options.onCut?.();
    return { offset, functions: [], isPartial: true, onlyLocal: [], onlyDeployed: [] };
  }
  const local = findSelectors(build.runtime.digits);
  if (options.slices.isOver()) await options.slices.rest(options);
  const other = findSelectors(deployed);
  if (options.slices.isOver()) await options.slices.rest(options);
  const signatures = listSignatures(build);
  const onlyLocal = [...signatures.keys()].filter(
    (selector) => local.pushed.has(selector) && !other.pushed.has(selector),
  );
  const onlyDeployed = [...other.dispatched].filter((selector) => !local.pushed.has(selector));
  const toName = (selector: Hex): SelectorName => ({ selector, signature: signatures.get(selector) });
  return {
    offset,
    ...(await findFunctions(
      build,
      { deployed, entries: pairEntries(local.entries, other.entries) },
      options,
    )),
    onlyLocal: onlyLocal.slice(0, MAX_SELECTORS).map(toName),
    onlyDeployed: onlyDeployed.slice(0, MAX_SELECTORS).map(toName),
  };
}

interface DifferenceOptions extends SliceOptions {
  /** In steps. */
  readonly maxWork?: number;
  readonly onCut?: () => void;
}

/** The functions that both dispatch by one selector. */
function pairEntries(
  local: CodeSelectors['entries'],
  deployed: CodeSelectors['entries'],
): readonly EntryPair[] {
  return [...local].flatMap(([selector, from]): readonly EntryPair[] => {
    const to = deployed.get(selector);
    return to === undefined ? [] : [[from, to]];
  });
}

function listSignatures({ contract }: ContractBuild): ReadonlyMap<Hex, string> {
  const signatures = new Map<Hex, string>();
  for (const text of contract.abi) {
    const item = text.startsWith('function ') ? parseAbiItem(text) : undefined;
    if (item?.kind === 'function') signatures.set(item.selector, item.signature);
  }
  return signatures;
}

interface FoundFunctions {
  readonly functions: readonly DifferingFunction[];
  readonly isPartial: boolean;
}

/**
 * The functions whose instructions differ, by the source map. A part of the deployed code that the build lacks belongs to
 * the function around it.
 */
async function findFunctions(
  build: ContractBuild,
  { deployed, entries }: { readonly deployed: string; readonly entries: readonly EntryPair[] },
  options: DifferenceOptions,
): Promise<FoundFunctions> {
  const placed = await placeInstructions(build, options);
  const { digits, gaps } = build.runtime;
  const { slices, signal, onCut, maxWork } = options;
  const labels = placed.functions.map((each) => each && getKey(each));
  let alignment: CodeAlignment;
  let different: DifferentFunctions;
  try {
    const sides = { digits, gaps, end: placed.end };
    alignment = await alignCode(sides, deployed, {
      entries,
      slices,
      signal,
      ...(maxWork !== undefined && { maxWork }),
    });
    different = await findDifferent(
      alignment,
      { labels, ranges: placed.ranges },
      { isOptimized: build.isOptimized, isViaIr: build.isViaIr, slices, signal },
    );
  } catch (error) {
    if (!(error instanceof TooMuchToAlign)) throw error;
    onCut?.();
    return { functions: [], isPartial: true };
  }
  // Settings that are not the same change nearly all code.
  const alike = alignment.local.same.filter((each) => each !== FREE).length;
  const isOther = alike < MIN_SHARE_ALIKE * alignment.local.same.length;
  const { keys, isPartial } = different;
  const byKey = new Map(placed.functions.flatMap((each) => (each ? [[getKey(each), each] as const] : [])));
  const functions = [...byKey].flatMap(([key, each]) => (keys.has(key) ? [each] : []));
  return {
    functions: functions.slice(0, MAX_FUNCTIONS),
    isPartial:
      isPartial ||
      isOther ||
      isVyperSource(build.contract.source) ||
      alignment.isCut ||
      !alignment.hasEqualGaps ||
      placed.isPartial ||
      functions.length > MAX_FUNCTIONS,
  };
}

const getKey = ({ path, name }: DifferingFunction) => `${path} ${name}`;

interface PlacedInstructions {
  /** By the index of the instruction. */
  readonly functions: readonly (DifferingFunction | undefined)[];
  /** Their ranges in the sources. */
  readonly ranges: readonly string[];
  /** The end of the mapped instructions, in bytes. */
  readonly end: number;
  /** Whether the functions of some instructions are unknown. */
  readonly isPartial: boolean;
}

async function placeInstructions(
  build: ContractBuild,
  { slices, signal }: Abortable & { readonly slices: TimeSlices },
): Promise<PlacedInstructions> {
  const map = await createCodeMap(build.runtime, { slices, signal });
  const sources = new Map<number, SourceText | undefined>();
  /** Of Vyper. */
  const definitions = new Map<SourceText, readonly number[]>();
  const functions = new Map<string, DifferingFunction | undefined>();
  const placed: (DifferingFunction | undefined)[] = [];
  const ranges: string[] = [];
  let end = 0;
  let isPartial = false;
  for (const { from, to } of listInstructions(build.runtime.digits)) {
    const entry = map.entryAt(from / 2);
    if (entry) end = to / 2;
    if (!entry || entry.file < 0) {
      placed.push(undefined);
      ranges.push('');
      continue;
    }
    const { file, start, length } = entry;
    if (!sources.has(file) && sources.size < MAX_SOURCES) {
      const source = await build.readSource(file);
      const isKnown = source !== undefined && source !== 'generated';
      // Positions are those of the compiled text.
      const hasPlaces = isKnown && (source.isCurrent || isVyperSource(source.path));
      if (source !== 'generated' && !hasPlaces) isPartial = true;
      sources.set(file, hasPlaces ? await openSource(source, { slices, signal }) : undefined);
    }
    const key = `${file}:${start}:${length}`;
    const source = sources.get(file);
    if (!functions.has(key))
      functions.set(key, source && findFunction(source, { start, length }, definitions));
    placed.push(functions.get(key));
    ranges.push(key);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return { functions: placed, ranges, end, isPartial: isPartial || end === 0 };
}

function findFunction(
  source: SourceText,
  { start, length }: Pick<MapEntry, 'length' | 'start'>,
  definitions: Map<SourceText, readonly number[]>,
): DifferingFunction | undefined {
  const { path } = source.source;
  const text = source.slice(start, length);
  if (text === undefined) return undefined;
  if (isVyperSource(path)) {
    const all = definitions.get(source) ?? listDefinitions(source);
    definitions.set(source, all);
    const at = all[countUpTo(all, start, (each) => each) - 1];
    const [, name] =
      at === undefined ? [] : (/^def (\w+)/.exec(source.source.text.slice(at, at + 200)) ?? []);
    return at === undefined || name === undefined ? undefined : { name, path, line: source.lineAt(at) };
  }
  const callable = source.callableAt(start);
  if (callable) {
    const { contract, name, line } = callable;
    return { name: contract === undefined ? name : `${contract}.${name}`, path, line };
  }
  // A variable has its getter.
  const variable = publicVariable(text.slice(0, MAX_VARIABLE_CHARS));
  return variable === undefined ? undefined : { name: variable, path, line: source.lineAt(start) };
}

/** Where the functions of a source of Vyper begin; its text is ASCII. */
function listDefinitions({ source: { text } }: SourceText): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf('\ndef '); at >= 0; at = text.indexOf('\ndef ', at + 1)) found.push(at + 1);
  return found;
}

/** The variable that a declaration names, as in `mapping(address => uint256) public override balances = …`. */
function publicVariable(text: string): string | undefined {
  const at = text.indexOf(' public ');
  if (at < 0 || !VARIABLE_TYPE.test(text.slice(0, at))) return undefined;
  const [words = ''] = text.slice(at + ' public '.length).split('=', 1);
  return /^[\w\s]*$/.test(words) ? words.trim().split(/\s/).at(-1) || undefined : undefined;
}

const MAX_VARIABLE_CHARS = 400;
const VARIABLE_TYPE = /^(?!contract\b|library\b|abstract\b|interface\b)[\w.[\]()=> ,]*$/;

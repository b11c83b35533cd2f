import type { SliceOptions } from '../base/timeSlices.ts';
import type { CodeAlignment } from './alignCode.ts';
import { FREE } from './codeSide.ts';
import { findInBlocks, getOperation } from './differentBlocks.ts';
import {
  createInsertionSites,
  DISPATCHER,
  type DifferentFunctions,
  findOwner,
  type Insertion,
  type InstructionPlaces,
  type InstructionRange,
  isDifferent,
  listDifferentRuns,
  listInsertions,
  listLabels,
} from './differentInstructions.ts';
import { agreeOnConstants } from './equalConstants.ts';
import { findUnproved } from './provedFunctions.ts';
import { slideRuns } from './slideRuns.ts';

/**
 * Finds the functions with instructions that are not the same in the deployed code. Code that only the deployed side has
 * belongs to the function around it; between two functions, to the one that has it at all its places.
 *
 * The optimizer shares code of functions, puts small ones into others, and changes what a block computes twice. Then a
 * function is certain if a block differs by more than that, and only in instructions of this function.
 *
 * @example
 * findDifferent(alignment, { labels: ['a.sol f'], ranges: ['0:9:0'] }, { isOptimized: false, isViaIr: false }).keys
 */
export async function findDifferent(
  aligned: CodeAlignment,
  places: InstructionPlaces,
  {
    isOptimized,
    isViaIr,
    ...options
  }: SliceOptions & { readonly isOptimized: boolean; readonly isViaIr: boolean },
): Promise<DifferentFunctions> {
  const rest = async () => {
    if (options.slices.isOver()) await options.slices.rest(options);
  };
  await slideRuns(aligned, places, options);
  if (isOptimized) agreeOnConstants(aligned);
  const alignment = await compareValues(aligned, options);
  const unchanged = findUnchanged(alignment, places);
  await rest();
  const found =
    isOptimized || isViaIr
      ? await findInBlocks(alignment, places, { isViaIr, ...options })
      : await findByInstruction(alignment, places, options);
  await rest();
  const keys = new Set([...found.keys].filter((key) => !unchanged.has(key)));
  return { keys, isPartial: found.isPartial || !(await isProved(alignment, places, keys, options)) };
}

/** The alignment, which no longer changes, with what {@link CodeAlignment.hasSameValue} says of all that is aligned. */
async function compareValues(
  alignment: CodeAlignment,
  { slices, signal }: SliceOptions,
): Promise<CodeAlignment> {
  const { same } = alignment.local;
  const hasSame = new Uint8Array(same.length);
  for (const [i, j] of same.entries()) {
    if (j >= 0 && alignment.hasSameValue(i, j)) hasSame[i] = 1;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return {
    ...alignment,
    hasSameValue: (i, j) => (same[i] === j ? hasSame[i] === 1 : alignment.hasSameValue(i, j)),
  };
}

/**
 * The functions whose parts are each the same somewhere, with what is around them: the parts of a modifier are in each
 * function that uses it.
 */
function findUnchanged(alignment: CodeAlignment, { labels, ranges }: InstructionPlaces): ReadonlySet<string> {
  const { local, deployed } = alignment;
  const count = local.instructions.length;
  const same = (index: number) => local.same[index] as number;
  const isSamePart = ({ from, to }: InstructionRange): boolean => {
    const start = same(from);
    for (let index = from; index < to; index++)
      if (start < 0 || same(index) !== start + index - from || isDifferent(alignment, index)) return false;
    const goesOn = to < count && !local.isEnd(to - 1);
    return (
      (from === 0 || local.isEnd(from - 1) || same(from - 1) === start - 1) &&
      (goesOn ? same(to) === start + to - from : local.isEnd(to - 1) === deployed.isEnd(same(to - 1)))
    );
  };
  const parts = new Map<string, Map<string, boolean>>();
  for (let [from, to] = [0, 0]; from < count; from = to) {
    const label = labels[from];
    while (to < count && labels[to] === label) to++;
    if (label === undefined) continue;
    const own = parts.get(label) ?? new Map<string, boolean>();
    parts.set(label, own);
    const key = ranges.slice(from, to).join();
    own.set(key, own.get(key) === true || isSamePart({ from, to }));
  }
  return new Set([...parts].flatMap(([label, own]) => ([...own.values()].every(Boolean) ? [label] : [])));
}

/** Whether the code of all other functions is the same, and that which dispatches calls. */
async function isProved(
  alignment: CodeAlignment,
  { labels: [first = DISPATCHER, ...rest] }: InstructionPlaces,
  keys: ReadonlySet<string>,
  options: SliceOptions,
): Promise<boolean> {
  const labels = [first, ...rest];
  const unproved = await findUnproved(alignment, (index) => keys.has(labels[index] ?? ''), options);
  const isOther = (label: string) => !keys.has(label);
  return !(
    labels.some((label, index) => unproved[index] === 1 && label !== undefined && isOther(label)) ||
    (await listCallers(alignment, unproved, labels, options)).some(isOther)
  );
}

async function findByInstruction(
  alignment: CodeAlignment,
  places: InstructionPlaces,
  { slices, signal }: SliceOptions,
): Promise<DifferentFunctions> {
  const { labels } = places;
  const keys = new Set<string>();
  /** Functions that may differ. */
  const open = new Set<string>();
  let isPartial = false;
  for (const run of listDifferentRuns(alignment)) {
    const counts = new Map<string, number>();
    for (const label of labels.slice(run.from, run.to))
      if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
    const isOpen = isEdge(alignment, places, run);
    // The edge of a run is as if it were part of it where both sides go on the same way.
    const most = Math.max(...counts.values());
    for (const [label, count] of counts)
      if (isOpen) open.add(label);
      else if (count === most || count >= MIN_SHARED) keys.add(label);
  }
  const insertions = listInsertions(alignment, places);
  const sites = createInsertionSites(insertions, places);
  const between: Insertion[] = [];
  for (const insertion of insertions) {
    const around = listLabels(insertion, labels);
    const replaced = labels.slice(insertion.replaces.from, insertion.replaces.to);
    if (replaced.some((label) => label !== undefined)) {
      // A modifier has the same in each function that uses it; else the function may have changed beside it.
      if (!sites.isSameAtAll(insertion))
        for (const label of around) if (!replaced.includes(label)) open.add(label);
    } else if (around.length > 1) between.push(insertion);
    // A modifier without code in the build has it in several functions.
    else if (!sites.isElsewhere(insertion, around[0])) for (const label of around) keys.add(label);
  }
  for (const insertion of between) {
    alignment.pay(insertions.length + labels.length);
    if (slices.isOver()) await slices.rest({ signal });
    const owner = findOwner(insertion, { insertions, places, changed: keys });
    if (owner !== undefined && !sites.isElsewhere(insertion, owner)) keys.add(owner);
    else isPartial = true;
  }
  return { keys, isPartial: isPartial || [...open].some((label) => !keys.has(label)) };
}

/** Whether a run is a few instructions at the edge of a function that only order the stack: they may be of its neighbour. */
function isEdge(
  { local, deployed }: CodeAlignment,
  { labels }: InstructionPlaces,
  { from, to }: InstructionRange,
): boolean {
  const isInside = labels[from - 1] === labels[from] && labels[to] === labels[to - 1];
  if (to - from >= MIN_RUN || isInside) return false;
  for (let index = from; index < to; index++)
    if (local.same[index] !== FREE || getOperation(local, index) !== undefined) return false;
  const before = local.same[from - 1] as number;
  return before < 0 || deployed.same[before + 1 + to - from] !== to;
}

const MIN_RUN = 4;
/** More instructions than what two parts end with alike. */
const MIN_SHARED = 12;

/** The functions that jump to changed code outside of all functions, such as an ABI encoding. */
async function listCallers(
  { local, deployed, hasSameCode, pay }: CodeAlignment,
  different: Uint8Array,
  labels: InstructionPlaces['labels'],
  { slices, signal }: SliceOptions,
): Promise<readonly string[]> {
  const { instructions, targets, isEnd } = local;
  const count = instructions.length;
  const known = new Map<number, boolean>();
  /** Whether code of no function differs from a position on. */
  const isChanged = (start: number): boolean => {
    const seen = new Set<number>();
    const queue = [start];
    for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
      for (let index = from; index < count && labels[index] === undefined && !seen.has(index); index++) {
        seen.add(index);
        pay(1);
        if (different[index] === 1) return true;
        const target = targets[index] as number;
        if (target >= 0) queue.push(target);
        if (isEnd(index)) break;
      }
    }
    return false;
  };
  const found = new Set<string>();
  for (let index = 0; index < count; index++) {
    if (slices.isOver()) await slices.rest({ signal });
    const label = labels[index];
    if (label === undefined) continue;
    // Where it jumps to, and what it goes on with.
    for (const next of [targets[index] as number, ...(isEnd(index) ? [] : [index + 1])]) {
      if (next < 0 || labels[next] !== undefined) continue;
      const changes = known.get(next) ?? isChanged(next);
      known.set(next, changes);
      const other = deployed.targets[local.same[index] as number] ?? FREE;
      const isSame = next === targets[index] && other >= 0 && hasSameCode(next, other);
      if (changes && !isSame) found.add(label);
    }
  }
  return [...found];
}

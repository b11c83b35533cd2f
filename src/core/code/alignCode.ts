import { createBudget, type SliceOptions } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { CodeGap } from '../traces/builtCode.ts';
import { type Instruction, isPush, JUMP, JUMPDEST } from './codeInstructions.ts';
import {
  type AlignedCode,
  createSide,
  dropMetadata,
  FREE,
  findGaps,
  getTarget,
  getValue,
  isDataPush,
  JUMPED,
  type Side,
} from './codeSide.ts';
import { findRuns } from './shortestEdit.ts';

/** Instructions of two codes, and which are the same. */
export interface CodeAlignment {
  readonly local: AlignedCode;
  readonly deployed: AlignedCode;
  /** Whether a part was too long to be aligned. */
  readonly isCut: boolean;
  /** Whether the deployed code has one value at all places of each immutable variable and library. */
  readonly hasEqualGaps: boolean;
  /** Whether two instructions may be the same, if what they refer to is. */
  mayBeSame(local: number, deployed: number): boolean;
  /** Whether two such instructions refer to the same: to a constant, or to code that is aligned. */
  hasSameValue(local: number, deployed: number): boolean;
  /** Whether two such instructions do not refer to data behind the code, or to the same of it, and all of it is the same. */
  hasSameData(local: number, deployed: number): boolean;
  /** Whether the code at two positions is the same, with all that it refers to, whatever is aligned. */
  hasSameCode(local: number, deployed: number): boolean;
  /** Pays for so many steps. @throws TooMuchToAlign when the budget of the two codes is spent. */
  pay(steps: number): void;
}

/** Two codes need more steps than any two of a compiler: then nothing is known of their parts. */
export class TooMuchToAlign extends Error {}

/** Shorter runs of equal instructions are in any two functions. */
const MIN_RUN = 4;
/** To find the edits in all parts. */
const MAX_STEPS = 20_000_000;
const MAX_ROUNDS = 50;
/** Instructions that are compared to find out whether two positions have the same code. */
const MAX_COMPARED = 3_000;
/** Steps for two codes, to align them and to find what differs. Real code takes up to 8 for each of its bytes. */
const MAX_WORK = 5_000_000;

interface CodeScope {
  /** With all that it refers to. */
  readonly isDeep?: boolean;
  /** With what follows its calls. */
  readonly isWhole?: boolean;
  /** Whether aligned code counts as the same. */
  readonly trusts?: boolean;
}

interface AlignOptions extends SliceOptions {
  readonly entries: readonly EntryPair[];
  /** In steps. */
  readonly maxWork?: number;
}

/** Positions where both codes do the same, as pairs of bytes. */
export type EntryPair = readonly [local: number, deployed: number];

/**
 * Aligns the instructions of two codes, whatever the order of their functions. It starts where both dispatch the same
 * calls, and follows the pushed positions of equal instructions. Then it aligns the parts between equal instructions, and
 * moved parts by their content.
 *
 * Jump targets and positions of data are no difference by themselves: they are where they refer to other code.
 *
 * @param deployed hex digits without `0x`.
 * @param options.entries where the functions with one selector begin.
 * @throws TooMuchToAlign when the steps for both are spent; the signal's reason when it aborts.
 * @example (await alignCode({ digits: '6001', gaps: [], end: 2 }, '6001', { entries: [], slices })).local.same[0] // 0
 */
export async function alignCode(
  built: { readonly digits: string; readonly gaps: readonly CodeGap[]; readonly end: number },
  deployed: string,
  { entries, maxWork = MAX_WORK, ...options }: AlignOptions,
): Promise<CodeAlignment> {
  const { slices } = options;
  const budget = createBudget(maxWork);
  const pay = (count: number) => {
    if (!budget.pay(count)) throw new TooMuchToAlign();
  };
  const one = await createSide(built.digits, built.end, options);
  const other = await createSide(deployed, undefined, options);
  const gaps = findGaps(one, built.gaps);
  const n = one.instructions.length;
  const m = other.instructions.length;
  const [data, otherData] = [dropMetadata(one.digits), dropMetadata(other.digits)];
  const isSameData = otherData.endsWith(data.slice(2 * one.end));
  const hasSameData = (i: number, j: number) => {
    if (!isDataPush(one, i) && !isDataPush(other, j)) return true;
    const moved = getValue(other, j) - getValue(one, i);
    return isSameData && (moved === 0 || 2 * moved === otherData.length - data.length);
  };
  let steps = 0;
  let isCut = false;

  const isFree = (i: number, j: number) => one.same[i] === FREE && other.same[j] === FREE;
  const mayBeSame = (i: number, j: number): boolean => {
    if (one.texts[i] === other.texts[j]) return true;
    const [first, second] = [one.instructions[i]?.opcode ?? 0, other.instructions[j]?.opcode ?? 0];
    if (!isPush(first) || !isPush(second)) return false;
    if (gaps.has(i)) return first === second;
    if (getTarget(one, i) >= 0 && getTarget(other, j) >= 0) return true;
    return isDataPush(one, i) && isDataPush(other, j);
  };
  /** Over what one side does on the way to the same code. */
  const skipDetours = (i: number, j: number): readonly [number, number] =>
    mayBeSame(i, j) ? [i, j] : [skipJumps(one, i), skipJumps(other, j)];
  /** Whether the code at two positions is the same up to the next jump that always happens. */
  const isSameCode = (
    start: number,
    end: number,
    { isDeep, isWhole, trusts = true }: CodeScope = {},
  ): boolean => {
    const seen = new Set<number>();
    const queue: (readonly [number, number])[] = [[start, end]];
    let compared = 0;
    for (let next = queue.pop(); next; next = queue.pop()) {
      let [i, j] = next;
      if ((isDeep && trusts && one.same[i] === j) || seen.has(i * m + j)) continue;
      seen.add(i * m + j);
      const pushed = new Set<number>();
      for (;;) {
        pay(1);
        [i, j] = skipDetours(i, j);
        if (i >= n || j >= m || ++compared > MAX_COMPARED || !mayBeSame(i, j)) return false;
        if (isDeep && !hasSameData(i, j)) return false;
        const [to, from] = [getTarget(one, i), getTarget(other, j)];
        if (isDeep && to >= 0 && from >= 0) queue.push([to, from]);
        pushed.add(to);
        // Behind a call, control comes back.
        if (one.isEnd(i) && !(isWhole === true && pushed.has(i + 1))) break;
        i++;
        j++;
      }
    }
    return true;
  };

  type Pair = readonly [local: number, deployed: number];
  const references: Pair[] = [];
  /** Positions that aligned instructions refer to: of the same code, of other code, and of parts that differ later. */
  let [exact, inexact, weak]: [Pair[], Pair[], Pair[]] = [[], [], []];
  const sort = async (pairs: readonly Pair[]) => {
    for (const pair of pairs) {
      (isSameCode(...pair) ? exact : inexact).push(pair);
      if (slices.isOver()) await slices.rest(options);
    }
  };
  const bind = (i: number, j: number): readonly Pair[] => {
    if (one.same[i] === FREE) one.same[i] = j;
    if (other.same[j] === FREE) other.same[j] = i;
    const [to, from] = [getTarget(one, i), getTarget(other, j)];
    return to < 0 || from < 0 ? [] : [[to, from]];
  };
  /** Aligns what is the same from two positions on. Code that is aligned already is left out, unless `isShared`. */
  const follow = async (i: number, j: number, isShared = false) => {
    const found: Pair[] = [];
    let isSame = false;
    while (i < n && j < m && !isSame) {
      const isOne = one.instructions[i]?.opcode === JUMPDEST;
      const isOther = other.instructions[j]?.opcode === JUMPDEST;
      pay(1);
      if (slices.isOver()) await slices.rest(options);
      // The optimizer removes those that nothing jumps to.
      if (isOne !== isOther) {
        if (isOne) i++;
        else j++;
        continue;
      }
      isSame = isShared ? one.same[i] !== FREE && other.same[j] !== FREE : !isFree(i, j);
      if (isSame) break;
      if (!mayBeSame(i, j)) {
        const [a, b] = skipDetours(i, j);
        if (a === i && b === j) break;
        if (a !== i) one.same.fill(JUMPED, i, i + 2);
        if (b !== j) other.same.fill(JUMPED, j, j + 2);
        found.push([a, b]);
        isSame = true;
        break;
      }
      pushAll(found, bind(i, j));
      isSame = one.isEnd(i);
      i++;
      j++;
    }
    pushAll(references, found);
    if (isSame) await sort(found);
    else pushAll(weak, found);
  };
  const followAll = async () => {
    for (let next = exact.pop(); next; next = exact.pop()) await follow(...next);
  };

  /** Aligns the free parts behind or before an aligned pair. */
  const alignHole = async (from: number, to: number, start: number, end: number): Promise<boolean> => {
    if (from >= to || start >= end) return false;
    const isEqual = (i: number, j: number) => {
      pay(1);
      return mayBeSame(i, j);
    };
    const runs = await findRuns(
      isEqual,
      { from, to, start, end },
      { maxSteps: MAX_STEPS - steps, ...options },
    );
    steps += runs?.steps ?? 0;
    if (!runs) {
      isCut = true;
      return false;
    }
    let hasBound = false;
    for (const { i, j, length } of runs.found) {
      const isAtEdge = (i === from && j === start) || (i + length === to && j + length === end);
      if (length < MIN_RUN && !isAtEdge) continue;
      const found: Pair[] = [];
      for (let at = 0; at < length; at++) if (isFree(i + at, j + at)) pushAll(found, bind(i + at, j + at));
      pushAll(references, found);
      await sort(found);
      hasBound = true;
    }
    return hasBound;
  };

  await follow(0, 0);
  for (const [from, to] of entries) {
    const [i, j] = [one.indexAt.get(from), other.indexAt.get(to)];
    if (i !== undefined && j !== undefined) await sort([[i, j]]);
  }
  const isSameRun = (i: number, j: number) => isSameCode(i, j, { isWhole: true });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await followAll();
    if (await bindMoved(one, other, { isSameRun, follow, pay }, options)) continue;
    const pairs = inexact;
    inexact = [];
    let hasNew = false;
    for (const [i, j] of pairs) {
      if (!isFree(i, j)) continue;
      await follow(i, j);
      hasNew = true;
    }
    if (hasNew) continue;
    for (const hole of listHoles(one, other, pay)) {
      if (await alignHole(...hole)) hasNew = true;
    }
    if (hasNew) continue;
    if (weak.length === 0) break;
    await sort(weak);
    weak = [];
  }
  extendRuns(one, other, mayBeSame);
  // Equal blocks of one side may be one of the other.
  for (let index = 0; index < references.length && index < MAX_REFERENCES; index++) {
    const [i, j] = references[index] as readonly [number, number];
    const isOnce = (one.same[i] === FREE) !== (other.same[j] === FREE);
    if (isOnce && isSameCode(i, j, { isDeep: true })) await follow(i, j, true);
    if (slices.isOver()) await slices.rest(options);
  }

  return {
    ...{ local: one, deployed: other, isCut, mayBeSame, hasSameData, pay },
    hasEqualGaps: built.gaps.every(({ places }) => {
      const found = places.map(({ start }) => one.same[one.indexAt.get(start - 1) ?? FREE] ?? FREE);
      return new Set(found.flatMap((j) => other.texts[j] ?? [])).size <= 1;
    }),
    hasSameCode: (i, j) => isSameCode(i, j, { isDeep: true, trusts: false }),
    hasSameValue(i, j) {
      if (one.texts[i] === other.texts[j] || gaps.has(i)) return true;
      const [to, from] = [getTarget(one, i), getTarget(other, j)];
      if (to < 0 || from < 0 || one.same[to] === from) return true;
      // Both have changed.
      if (isFree(skipTargets(one, to), skipTargets(other, from))) return true;
      return isSameCode(to, from, { isDeep: true });
    },
  };
}

const MAX_REFERENCES = 200_000;
const MAX_JUMPS = 20;

function skipTargets({ instructions }: Side, index: number): number {
  while (instructions[index]?.opcode === JUMPDEST) index++;
  return index;
}

/** Over positions to jump to, and to where an unconditional jump goes. */
function skipJumps(side: Side, index: number): number {
  for (let left = MAX_JUMPS; left > 0; left--) {
    const { opcode } = side.instructions[index] ?? { opcode: 0 };
    const target = getTarget(side, index);
    if (opcode === JUMPDEST) index++;
    else if (target >= 0 && side.instructions[index + 1]?.opcode === JUMP) index = target;
    else break;
  }
  return index;
}

/** Binds equal instructions beside bound ones. */
function extendRuns(one: Side, other: Side, mayBeSame: (i: number, j: number) => boolean): void {
  const count = one.instructions.length;
  const tryBind = (index: number, step: 1 | -1) => {
    const near = one.same[index - step] ?? FREE;
    const j = near + step;
    if (one.same[index] !== FREE || near < 0 || other.same[j] !== FREE || !mayBeSame(index, j)) return;
    // Control does not go on between them.
    if (one.isEnd(step > 0 ? index - 1 : index)) return;
    one.same[index] = j;
    other.same[j] = index;
  };
  for (let index = 1; index < count; index++) tryBind(index, 1);
  for (let index = count - 2; index >= 0; index--) tryBind(index, -1);
}

/** Binds free code that is once on each side. Returns whether some was bound. */
async function bindMoved(
  one: Side,
  other: Side,
  {
    isSameRun,
    follow,
    pay,
  }: {
    readonly isSameRun: (i: number, j: number) => boolean;
    readonly follow: (i: number, j: number) => Promise<void>;
    readonly pay: CodeAlignment['pay'];
  },
  options: SliceOptions,
): Promise<boolean> {
  const { slices } = options;
  const starts = await listFreeRuns(other, pay, options);
  let hasBound = false;
  for (const [key, mine] of await listFreeRuns(one, pay, options)) {
    const theirs = starts.get(key) ?? [];
    if (mine.length * theirs.length > MAX_MOVED) continue;
    for (const i of mine) {
      if (slices.isOver()) await slices.rest(options);
      const [j, ...others] = theirs.filter((each) => isSameRun(i, each));
      const isOnce =
        others.length === 0 && j !== undefined && !mine.some((each) => each !== i && isSameRun(each, j));
      if (!isOnce || one.same[i] !== FREE || other.same[j] !== FREE) continue;
      await follow(i, j);
      hasBound = true;
    }
  }
  return hasBound;
}

/** Pairs of free blocks with the same opcodes. */
const MAX_MOVED = 400;

/** Free blocks that something jumps to, by their opcodes up to where control ends. */
async function listFreeRuns(
  { instructions, same, isTarget, isEnd }: Side,
  pay: CodeAlignment['pay'],
  { slices, signal }: SliceOptions,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const runs = new Map<string, number[]>();
  for (let start = 0; start < instructions.length; start++) {
    if (slices.isOver()) await slices.rest({ signal });
    if (!isTarget[start] || same[start] !== -1) continue;
    let key = '';
    let end = start;
    let isFree = true;
    for (; end < instructions.length && end - start < MAX_COMPARED; end++) {
      pay(1);
      const { opcode } = instructions[end] as Instruction;
      if (same[end] !== -1) isFree = false;
      if (opcode !== JUMPDEST) key += String.fromCharCode(isPush(opcode) ? 0x60 : opcode);
      if (isEnd(end)) break;
    }
    if (!isFree || key.length < 2 * MIN_RUN) continue;
    const known = runs.get(key) ?? [];
    runs.set(key, known);
    known.push(start);
  }
  return runs;
}

type Hole = readonly [from: number, to: number, start: number, end: number];

/** Free parts of both sides that have an aligned neighbour in common. */
function listHoles(one: Side, other: Side, pay: CodeAlignment['pay']): readonly Hole[] {
  const holes: Hole[] = [];
  const count = one.instructions.length;
  for (let from = 0; from < count; ) {
    if (one.same[from] !== -1) {
      from++;
      continue;
    }
    let to = from;
    while (to < count && one.same[to] === -1) to++;
    const before = from === 0 ? -1 : (one.same[from - 1] as number);
    const after = to === count ? other.instructions.length : (one.same[to] as number);
    const end = findFree(other, before + 1, 1);
    const start = findFree(other, after - 1, -1) + 1;
    pay(end - before + after - start);
    const isBehind = from > 0 && !one.isEnd(from - 1);
    const isBefore = to < count && !one.isEnd(to - 1);
    if (end > before + 1 && (isBehind || end === after)) holes.push([from, to, before + 1, end]);
    else if (start < after && isBefore) holes.push([from, to, start, after]);
    else if (end > before + 1) holes.push([from, to, before + 1, end]);
    else if (start < after) holes.push([from, to, start, after]);
    from = to;
  }
  return holes;
}

/** The first index in a direction that is not free. */
function findFree({ same }: Side, index: number, step: 1 | -1): number {
  while (index >= 0 && index < same.length && same[index] === -1) index += step;
  return index;
}

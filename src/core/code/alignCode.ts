import type { CodeGap } from '../traces/builtCode.ts';
import { type Instruction, isPush, listInstructions } from './codeInstructions.ts';
import { findCodeMetadata } from './codeMetadata.ts';

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
}

export interface AlignedCode {
  readonly digits: string;
  readonly instructions: readonly Instruction[];
  /**
   * By index: the index of the same instruction on the other side. {@link FREE} if the other side lacks it;
   * {@link JUMPED} for a jump whose target the other side reaches without a jump. Several instructions have one index if
   * one side repeats code.
   */
  readonly same: Int32Array;
  /** The index of the JUMPDEST that an instruction may push, by index; -1 if it pushes no such position. */
  readonly targets: Int32Array;
  /** Pushed values without leading zeros, after `#`; other instructions by their opcode. */
  readonly texts: readonly string[];
  /** Whether control never goes on behind an instruction. */
  isEnd(index: number): boolean;
}

interface Side extends AlignedCode {
  readonly indexAt: ReadonlyMap<number, number>;
  readonly isTarget: Uint8Array;
  /** The position in bytes where instructions end and data begins, as far as it is known. */
  readonly end: number;
}

export const FREE = -1;
export const JUMPED = -2;

const JUMPDEST = 0x5b;
const JUMP = 0x56;
const JUMPI = 0x57;
/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, JUMP, 0xf3, 0xfd, 0xfe, 0xff]);

/** Shorter runs of equal instructions are in any two functions. */
const MIN_RUN = 4;
/** Edits in one part, and the steps to find them in all parts. */
const MAX_EDITS = 1_500;
const MAX_STEPS = 20_000_000;
const MAX_ROUNDS = 50;
/** Instructions that are compared to find out whether two positions have the same code. */
const MAX_COMPARED = 3_000;

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
 * @param entries where the functions with one selector begin.
 * @example alignCode({ digits: '6001', gaps: [], end: 2 }, '6001', []).local.same[0] // 0
 */
export function alignCode(
  built: { readonly digits: string; readonly gaps: readonly CodeGap[]; readonly end: number },
  deployed: string,
  entries: readonly EntryPair[],
): CodeAlignment {
  const one = createSide(built.digits, built.end);
  const other = createSide(deployed, undefined);
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
  /** Whether the code at two positions is the same up to where control ends: also where it refers to, if `isDeep`. */
  const isSameCode = (start: number, end: number, isDeep: boolean, trusts = true): boolean => {
    const seen = new Set<number>();
    const queue: (readonly [number, number])[] = [[start, end]];
    let compared = 0;
    for (let next = queue.pop(); next; next = queue.pop()) {
      let [i, j] = next;
      if ((isDeep && trusts && one.same[i] === j) || seen.has(i * m + j)) continue;
      seen.add(i * m + j);
      for (;;) {
        [i, j] = skipDetours(i, j);
        if (i >= n || j >= m || ++compared > MAX_COMPARED || !mayBeSame(i, j)) return false;
        if (isDeep && !hasSameData(i, j)) return false;
        const [to, from] = [getTarget(one, i), getTarget(other, j)];
        if (isDeep && to >= 0 && from >= 0) queue.push([to, from]);
        if (one.isEnd(i)) break;
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
  const sort = (pairs: readonly Pair[]) => {
    for (const pair of pairs) (isSameCode(...pair, false) ? exact : inexact).push(pair);
  };
  const bind = (i: number, j: number): readonly Pair[] => {
    if (one.same[i] === FREE) one.same[i] = j;
    if (other.same[j] === FREE) other.same[j] = i;
    const [to, from] = [getTarget(one, i), getTarget(other, j)];
    return to < 0 || from < 0 ? [] : [[to, from]];
  };
  /** Aligns what is the same from two positions on. Code that is aligned already is left out, unless `isShared`. */
  const follow = (i: number, j: number, isShared = false) => {
    const found: Pair[] = [];
    let isSame = false;
    while (i < n && j < m && !isSame) {
      const isOne = one.instructions[i]?.opcode === JUMPDEST;
      const isOther = other.instructions[j]?.opcode === JUMPDEST;
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
      found.push(...bind(i, j));
      isSame = one.isEnd(i);
      i++;
      j++;
    }
    references.push(...found);
    if (isSame) sort(found);
    else weak.push(...found);
  };
  const followAll = () => {
    for (let next = exact.pop(); next; next = exact.pop()) follow(...next);
  };

  /** Aligns the free parts behind or before an aligned pair. */
  const alignHole = (from: number, to: number, start: number, end: number): boolean => {
    if (from >= to || start >= end) return false;
    const runs = findRuns(mayBeSame, { from, to, start, end }, MAX_STEPS - steps);
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
      for (let at = 0; at < length; at++) if (isFree(i + at, j + at)) found.push(...bind(i + at, j + at));
      references.push(...found);
      sort(found);
      hasBound = true;
    }
    return hasBound;
  };

  follow(0, 0);
  for (const [from, to] of entries) {
    const [i, j] = [one.indexAt.get(from), other.indexAt.get(to)];
    if (i !== undefined && j !== undefined) sort([[i, j]]);
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    followAll();
    if (bindMoved(one, other, { isSameRun: (i, j) => isSameCode(i, j, false), follow })) continue;
    const pairs = inexact;
    inexact = [];
    let hasNew = false;
    for (const [i, j] of pairs) {
      if (!isFree(i, j)) continue;
      follow(i, j);
      hasNew = true;
    }
    if (hasNew) continue;
    for (const hole of listHoles(one, other)) {
      if (alignHole(...hole)) hasNew = true;
    }
    if (hasNew) continue;
    if (weak.length === 0) break;
    sort(weak);
    weak = [];
  }
  extendRuns(one, other, mayBeSame);
  // Equal blocks of one side may be one of the other.
  for (let index = 0; index < references.length && index < MAX_REFERENCES; index++) {
    const [i, j] = references[index] as readonly [number, number];
    const isOnce = (one.same[i] === FREE) !== (other.same[j] === FREE);
    if (isOnce && isSameCode(i, j, true)) follow(i, j, true);
  }

  return {
    ...{ local: one, deployed: other, isCut, mayBeSame, hasSameData },
    hasEqualGaps: built.gaps.every(({ places }) => {
      const found = places.map(({ start }) => one.same[one.indexAt.get(start - 1) ?? FREE] ?? FREE);
      return new Set(found.flatMap((j) => other.texts[j] ?? [])).size <= 1;
    }),
    hasSameCode: (i, j) => isSameCode(i, j, true, false),
    hasSameValue(i, j) {
      if (one.texts[i] === other.texts[j] || gaps.has(i)) return true;
      const [to, from] = [getTarget(one, i), getTarget(other, j)];
      if (to < 0 || from < 0 || one.same[to] === from) return true;
      // Both have changed.
      if (isFree(skipTargets(one, to), skipTargets(other, from))) return true;
      return isSameCode(to, from, true);
    },
  };
}

const MAX_REFERENCES = 200_000;
const MAX_JUMPS = 20;

function skipTargets({ instructions }: Side, index: number): number {
  while (instructions[index]?.opcode === JUMPDEST) index++;
  return index;
}

const getTarget = ({ targets }: Side, index: number) => targets[index] ?? -1;

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

function createSide(digits: string, end: number | undefined): Side {
  const instructions = listInstructions(digits);
  const indexAt = new Map(instructions.map(({ from }, index) => [from / 2, index]));
  const size = findTargetDigits(instructions);
  const count = instructions.length;
  const targets = new Int32Array(count).fill(-1);
  const isTarget = new Uint8Array(count);
  const texts = instructions.map(({ from, to, opcode }) =>
    isPush(opcode) ? `#${digits.slice(from + 2, to).replace(/^0+/, '')}` : String(opcode),
  );
  for (const [index, { from, to, opcode }] of instructions.entries()) {
    if (!isPush(opcode) || to - from - 2 !== size) continue;
    const target = indexAt.get(Number.parseInt(digits.slice(from + 2, to), 16));
    if (target === undefined || instructions[target]?.opcode !== JUMPDEST) continue;
    targets[index] = target;
    isTarget[target] = 1;
  }
  const isEnd = (index: number) => ENDS.has(instructions[index]?.opcode ?? 0);
  return {
    ...{ digits, instructions, indexAt, texts, targets, isTarget, isEnd },
    same: new Int32Array(count).fill(-1),
    end: end ?? findEnd(instructions, isTarget, isEnd),
  };
}

/** As many digits as solc pushes for each position to jump to. */
function findTargetDigits(instructions: readonly Instruction[]): number | undefined {
  const at = instructions.findIndex(
    ({ opcode }, index) =>
      opcode > 0x5f && isPush(opcode) && [JUMP, JUMPI].includes(instructions[index + 1]?.opcode ?? 0),
  );
  const found = instructions[at];
  return found && found.to - found.from - 2;
}

/** Behind the last code that something jumps to. */
function findEnd(
  instructions: readonly Instruction[],
  isTarget: Uint8Array,
  isEnd: (index: number) => boolean,
): number {
  let index = Math.max(0, isTarget.lastIndexOf(1));
  while (index < instructions.length - 1 && !isEnd(index)) index++;
  return (instructions[index]?.to ?? 0) / 2;
}

/** The instructions that push an immutable variable or the address of a library. */
function findGaps({ indexAt }: Side, gaps: readonly CodeGap[]): ReadonlySet<number> {
  return new Set(gaps.flatMap(({ places }) => places.flatMap(({ start }) => indexAt.get(start - 1) ?? [])));
}

/** Whether an instruction pushes the position of data behind the code, or the length of that data beside it. */
function isDataPush(side: Side, index: number): boolean {
  const value = getValue(side, index);
  if (value > side.end && value < side.digits.length / 2) return true;
  if (value < MIN_DATA_BYTES) return false;
  return [index - 2, index - 1, index + 1, index + 2].some((near) => {
    const position = getValue(side, near);
    return position >= side.end && position + value <= side.digits.length / 2;
  });
}

const MIN_DATA_BYTES = 16;

/** Code without its metadata, and with zeros for the hashes of contracts in it. */
const dropMetadata = (digits: string) =>
  digits.slice(0, findCodeMetadata(digits)?.from).replace(METADATA_HASHES, (hash) => '0'.repeat(hash.length));
const METADATA_HASHES = /(?<=64697066735822)1220[0-9a-f]{64}/g;

function getValue({ instructions, texts }: Side, index: number): number {
  const { opcode } = instructions[index] ?? { opcode: 0 };
  const text = texts[index] ?? '';
  return isPush(opcode) && text.length > 1 && text.length < 8 ? Number.parseInt(text.slice(1), 16) : -1;
}

/** Free code of one side that is nowhere or once in the free code of the other. Returns whether some was bound. */
function bindMoved(
  one: Side,
  other: Side,
  {
    isSameRun,
    follow,
  }: {
    readonly isSameRun: (i: number, j: number) => boolean;
    readonly follow: (i: number, j: number) => void;
  },
): boolean {
  const starts = listFreeRuns(other);
  let hasBound = false;
  for (const [key, mine] of listFreeRuns(one)) {
    const theirs = starts.get(key) ?? [];
    const [i, ...more] = mine;
    const found = i === undefined || more.length > 0 ? [] : theirs.filter((j) => isSameRun(i, j));
    const [j] = found;
    if (i === undefined || j === undefined || found.length > 1) continue;
    if (one.same[i] !== FREE || other.same[j] !== FREE) continue;
    follow(i, j);
    hasBound = true;
  }
  return hasBound;
}

/** Free blocks that something jumps to, by their opcodes up to where control ends. */
function listFreeRuns({ instructions, same, isTarget, isEnd }: Side): ReadonlyMap<string, readonly number[]> {
  const runs = new Map<string, number[]>();
  for (let start = 0; start < instructions.length; start++) {
    if (!isTarget[start] || same[start] !== -1) continue;
    let key = '';
    let end = start;
    let isFree = true;
    for (; end < instructions.length && end - start < MAX_COMPARED; end++) {
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
function listHoles(one: Side, other: Side): readonly Hole[] {
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

interface Run {
  readonly i: number;
  readonly j: number;
  readonly length: number;
}

/**
 * The runs of equal instructions in the shortest edit of one part to another. Undefined if there are too many edits.
 *
 * E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
 */
function findRuns(
  isEqual: (i: number, j: number) => boolean,
  {
    from,
    to,
    start,
    end,
  }: { readonly from: number; readonly to: number; readonly start: number; readonly end: number },
  maxSteps: number,
): { readonly found: readonly Run[]; readonly steps: number } | undefined {
  const [n, m] = [to - from, end - start];
  const most = Math.min(n + m, MAX_EDITS);
  const rows: Int32Array[] = [];
  let steps = 0;
  let row = new Int32Array(2 * most + 3);
  const center = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    rows.push(row.slice(center - edits - 1, center + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const isDown =
        k === -edits || (k !== edits && (row[center + k - 1] as number) < (row[center + k + 1] as number));
      let x = isDown ? (row[center + k + 1] as number) : (row[center + k - 1] as number) + 1;
      while (x < n && x - k < m && isEqual(from + x, start + x - k)) x++;
      steps += 1;
      row[center + k] = x;
      if (x >= n && x - k >= m) return { found: toRuns(rows, { from, start, n, m }), steps };
    }
    if (steps > maxSteps) return undefined;
    row = row.slice();
  }
  return undefined;
}

function toRuns(
  rows: readonly Int32Array[],
  {
    from,
    start,
    n,
    m,
  }: { readonly from: number; readonly start: number; readonly n: number; readonly m: number },
): readonly Run[] {
  const found: Run[] = [];
  let [x, y] = [n, m];
  for (let edits = rows.length - 1; edits >= 0; edits--) {
    const row = rows[edits] as Int32Array;
    const at = (k: number) => row[k + edits + 1] as number;
    const k = x - y;
    const isDown = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const previous = isDown ? k + 1 : k - 1;
    const [fromX, fromY] = edits === 0 ? [0, 0] : [at(previous), at(previous) - previous];
    const [startX, startY] = edits === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const length = Math.min(x - startX, y - startY);
    if (length > 0) found.push({ i: from + x - length, j: start + y - length, length });
    [x, y] = [fromX, fromY];
  }
  return found.reverse();
}

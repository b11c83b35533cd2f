import type { CodeAlignment } from './alignCode.ts';
import { JUMPDEST } from './codeInstructions.ts';
import { FREE, JUMPED } from './codeSide.ts';
import { AGREED } from './equalConstants.ts';

/** The label of code that dispatches calls. */
export const DISPATCHER = '';

/** Of local instructions, by index. */
export interface InstructionPlaces {
  /** The function; undefined if it has none. */
  readonly labels: readonly (string | undefined)[];
  /** The range in a source. The code of a modifier has the modifier's range in each function that uses it. */
  readonly ranges: readonly string[];
}

export interface DifferentFunctions {
  readonly keys: ReadonlySet<string>;
  /** Whether others may differ too. */
  readonly isPartial: boolean;
}

/** Whether a local instruction is missing in the deployed code, or has another value there. */
export function isDifferent({ local, hasSameValue }: CodeAlignment, index: number): boolean {
  const same = local.same[index] as number;
  if (local.instructions[index]?.opcode === JUMPDEST || same === JUMPED || same === AGREED) return false;
  return same === FREE || !hasSameValue(index, same);
}

/** Neighbours by index. */
export interface InstructionRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Local instructions that differ, by runs. */
export function* listDifferentRuns(alignment: CodeAlignment): Generator<InstructionRange> {
  const { instructions } = alignment.local;
  for (let from = 0; from < instructions.length; from++) {
    if (!isDifferent(alignment, from)) continue;
    let to = from + 1;
    while (to < instructions.length && (isDifferent(alignment, to) || instructions[to]?.opcode === JUMPDEST))
      to++;
    while (instructions[to - 1]?.opcode === JUMPDEST) to--;
    yield { from, to };
    from = to;
  }
}

/** Instructions that only the deployed code has. */
export interface Insertion {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The local instruction that they follow without a jump. */
  readonly before: number | undefined;
  /** The local instruction that follows them without a jump. */
  readonly after: number | undefined;
  /** In order of number: a run that repeats what is beside it may begin anywhere in it. */
  readonly opcodes: string;
  /** The local instructions that only the build has at its place. */
  readonly replaces: InstructionRange;
}

/** Lists what only the deployed code has, without positions that something jumps to. */
export function listInsertions(
  { local, deployed: { instructions, same, isEnd }, pay }: CodeAlignment,
  { labels }: InstructionPlaces,
): readonly Insertion[] {
  const found: Insertion[] = [];
  for (let from = 0; from < instructions.length; from++) {
    if (same[from] !== FREE) continue;
    let to = from;
    while (to < instructions.length && same[to] === FREE) to++;
    const codes = instructions.slice(from, to).flatMap(({ opcode }) => (opcode === JUMPDEST ? [] : [opcode]));
    const [left, right] = [same[from - 1] ?? FREE, same[to] ?? FREE];
    // Whole blocks may be of any function, if they are not inside of one.
    const [last, next] = [findAligned(same, from, -1, pay), findAligned(same, to, 1, pay)];
    const isInside = labels[last] !== undefined && labels[last] === labels[next];
    const isFree = isEnd(from - 1) && (isEnd(to - 1) || instructions[to]?.opcode === JUMPDEST);
    let before = isInside ? last : left >= 0 && !isEnd(from - 1) ? left : undefined;
    let after = isInside ? next : right >= 0 && !(isFree || isEnd(to - 1)) ? right : undefined;
    // What one side goes on with may be aligned with another part.
    if (before !== undefined && !local.isEnd(before)) after ??= before + 1;
    else if (after !== undefined && !local.isEnd(after - 1)) before ??= after - 1;
    const start = left + 1;
    let stop = start;
    while (left >= 0 && local.same[stop] === FREE) stop++;
    const isReplaced = left >= 0 && (stop === right || local.isEnd(stop - 1));
    const replaces = isReplaced ? { from: start, to: stop } : { from: 0, to: 0 };
    const opcodes = String.fromCharCode(...codes.slice(0, MAX_COMPARED).sort((one, other) => one - other));
    if (codes.length > 0) found.push({ from, to, before, after, opcodes, replaces });
    from = to;
  }
  return found;
}

/** The local index of the nearest aligned instruction in a direction; -1 without one. */
function findAligned(same: Int32Array, index: number, step: 1 | -1, pay: CodeAlignment['pay']): number {
  for (; index >= 0 && index < same.length && (same[index] as number) < 0; index += step) pay(1);
  return same[index] ?? FREE;
}

const MAX_COMPARED = 10_000;

/** A modifier has the same insertion at each place where another function goes on; a function only at its own. */
export function findOwner(
  { before = -1, after = -1, opcodes }: Insertion,
  {
    insertions,
    places: { labels, ranges },
    changed,
  }: {
    readonly insertions: readonly Insertion[];
    readonly places: InstructionPlaces;
    readonly changed: ReadonlySet<string>;
  },
): string | undefined {
  const behind = new Map(insertions.map((each) => [each.before, each.opcodes]));
  const ahead = new Map(insertions.map((each) => [each.after, each.opcodes]));
  const sides = [
    { at: before, step: 1, inserted: behind, other: labels[after] },
    { at: after, step: -1, inserted: ahead, other: labels[before] },
  ];
  for (const { at, step, inserted, other } of sides) {
    const label = labels[at] ?? '';
    const sites = ranges.flatMap((range, index) =>
      range === ranges[at] && labels[index] === label && labels[index + step] !== label && index !== at
        ? [index]
        : [],
    );
    if (sites.length === 0) continue;
    if (sites.every((site) => inserted.get(site) === opcodes)) return label;
    if (!changed.has(label) && sites.every((site) => !inserted.has(site))) return other;
  }
  return undefined;
}

/** The functions around an insertion. */
export function listLabels(
  { before, after }: Insertion,
  labels: InstructionPlaces['labels'],
): readonly string[] {
  const around = [before, after].flatMap((index) => (index === undefined ? [] : (labels[index] ?? [])));
  return [...new Set(around)];
}

interface InsertionSites {
  /** Whether the deployed code also has an insertion where a function is not. */
  isElsewhere(insertion: Insertion, label: string | undefined): boolean;
  /** Whether the deployed code has the same instead of the same part of the build at two positions or more. */
  isSameAtAll(insertion: Insertion): boolean;
}

/** Compares the insertions with each other. */
export function createInsertionSites(
  insertions: readonly Insertion[],
  { labels, ranges }: InstructionPlaces,
): InsertionSites {
  const toReplaced = ({ replaces: { from, to } }: Insertion) => ranges.slice(from, to).join();
  const replacements = new Map<string, string[]>();
  const counts = new Map<string, { all: number; readonly byLabel: Map<string, number> }>();
  for (const insertion of insertions) {
    const { opcodes } = insertion;
    const replaced = toReplaced(insertion);
    const same = replacements.get(replaced) ?? [];
    replacements.set(replaced, same);
    same.push(opcodes);
    const found = counts.get(opcodes) ?? { all: 0, byLabel: new Map() };
    counts.set(opcodes, found);
    found.all++;
    for (const label of listLabels(insertion, labels))
      found.byLabel.set(label, (found.byLabel.get(label) ?? 0) + 1);
  }
  return {
    isElsewhere({ opcodes }, label = '') {
      const { all = 0, byLabel } = counts.get(opcodes) ?? {};
      return opcodes.length >= MIN_REPEATED && (byLabel?.get(label) ?? 0) < all;
    },
    isSameAtAll(insertion) {
      const [first, ...others] = replacements.get(toReplaced(insertion)) ?? [];
      return others.length > 0 && others.every((opcodes) => opcodes === first);
    },
  };
}

/** Shorter ones are alike by chance. */
export const MIN_REPEATED = 6;

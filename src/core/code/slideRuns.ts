import type { SliceOptions } from '../base/timeSlices.ts';
import type { CodeAlignment } from './alignCode.ts';
import { JUMPDEST } from './codeInstructions.ts';
import { type AlignedCode, FREE } from './codeSide.ts';
import type { InstructionPlaces } from './differentInstructions.ts';

/** A run may begin as what follows it does, and end as what is before it: by the shortest edit, it is any of these. */
const MAX_SLIDE = 48;
const WRONG_VALUE = 1000;
const BEHIND_END = 10;
const NOT_WHOLE = 0.5;

/** Puts each run that only one side has where values fit best, and where it is part of the fewest functions. */
export async function slideRuns(
  alignment: CodeAlignment,
  { labels }: InstructionPlaces,
  { slices, signal }: SliceOptions,
): Promise<void> {
  const { local, deployed, mayBeSame, hasSameValue, pay } = alignment;
  // Positions that the same instruction jumps to on both sides.
  const referred = new Set<string>();
  for (const [index, same] of local.same.entries()) {
    const [to, from] = [local.targets[index] as number, deployed.targets[same] ?? FREE];
    if (same >= 0 && to >= 0 && from >= 0) referred.add(`${to},${from}`);
  }
  const slide = async (side: AlignedCode, other: AlignedCode, isLocal: boolean) => {
    const orient = (mine: number, theirs: number) =>
      isLocal ? ([mine, theirs] as const) : ([theirs, mine] as const);
    const count = side.instructions.length;
    for (let from = 1; from < count; from++) {
      if (side.same[from] !== FREE) continue;
      let to = from;
      while (to < count && side.same[to] === FREE) to++;
      const left = side.same[from - 1] as number;
      const right = to < count ? (side.same[to] as number) : -1;
      if (left >= 0 && right === left + 1) {
        let [back, ahead] = [0, 0];
        const isBack = (by: number) =>
          side.same[from - by] === left + 1 - by && mayBeSame(...orient(to - by, left + 1 - by));
        const isAhead = (by: number) =>
          side.same[to + by] === right + by && mayBeSame(...orient(from + by, right + by));
        while (back < MAX_SLIDE && back < from && isBack(back + 1)) back++;
        while (ahead < MAX_SLIDE && to + ahead < count && isAhead(ahead)) ahead++;
        const partner = (theirs: number, shift: number) =>
          theirs <= left + shift ? theirs - left + from - 1 : theirs - right + to;
        let best = { shift: 0, cost: Number.POSITIVE_INFINITY };
        for (let shift = -back; shift <= ahead; shift++) {
          pay(to - from + back + ahead);
          if (slices.isOver()) await slices.rest({ signal });
          let cost = isLocal ? new Set(labels.slice(from + shift, to + shift)).size : 0;
          const [before, after] = [labels[left + shift], labels[right + shift]];
          const isWhole = side.isEnd(from + shift - 1);
          if (isLocal && !isWhole) cost += NOT_WHOLE;
          // Code of no function is made of whole parts.
          if (!isLocal && before === after) cost += isWhole === (before === undefined) ? 1 : BEHIND_END;
          for (let theirs = left + 1 - back; theirs < right + ahead; theirs++) {
            const pair = orient(partner(theirs, shift), theirs);
            const isTarget = other.instructions[theirs]?.opcode === JUMPDEST;
            if (isTarget ? !referred.has(pair.join()) : !hasSameValue(...pair)) cost += WRONG_VALUE;
          }
          if (cost < best.cost || (cost === best.cost && shift === 0)) best = { shift, cost };
        }
        for (let at = from - back; at < to + ahead; at++) side.same[at] = FREE;
        for (let theirs = left + 1 - back; theirs < right + ahead; theirs++) {
          const mine = partner(theirs, best.shift);
          side.same[mine] = theirs;
          other.same[theirs] = mine;
        }
        to += best.shift;
      }
      from = to;
    }
  };
  await slide(local, deployed, true);
  await slide(deployed, local, false);
}

import type { SliceOptions } from '../base/timeSlices.ts';
import type { CodeAlignment } from './alignCode.ts';
import { JUMPDEST } from './codeInstructions.ts';
import { type AlignedCode, FREE, JUMPED } from './codeSide.ts';

const MAX_STEPS = 10_000;

/**
 * The local instructions whose code is not proved to be the same, by index: 1. An instruction is the same if it does the
 * same as the one that it is aligned with, and if both go on, and refer, to instructions that are aligned with each other.
 * So functions without such instructions are the same, whatever the order of the code.
 *
 * @param isListed whether the function of a local instruction is known to differ.
 */
export async function findUnproved(
  alignment: CodeAlignment,
  isListed: (index: number) => boolean,
  { slices, signal }: SliceOptions,
): Promise<Uint8Array> {
  const { local, deployed, hasSameValue, hasSameData, hasSameCode, pay } = alignment;
  const unproved = new Uint8Array(local.instructions.length);
  const isAligned = (i: number, j: number) => local.same[i] === j || deployed.same[j] === i;
  const calls = pairCalls(alignment);
  const check = (i: number, j: number) => {
    if (!hasSameValue(i, j) || !hasSameData(i, j)) unproved[i] = 1;
    const [to, from] = [local.targets[i] as number, deployed.targets[j] as number];
    if (to >= 0 && from >= 0) {
      const [a, b] = [goOn(local, to, pay), goOn(deployed, from, pay)];
      const isBoth = local.same[a] === FREE && deployed.same[b] === FREE;
      const isSame = isBoth
        ? isListed(a) && calls(to, from)
        : isAligned(to, from) || isAligned(a, b) || hasSameCode(to, from);
      if (!isSame) unproved[i] = 1;
    }
    if (local.isEnd(i)) return;
    const [a, b] = [goOn(local, i + 1, pay), goOn(deployed, j + 1, pay)];
    if (isAligned(a, b)) return;
    const isChange = local.same[a] === FREE || deployed.same[b] === FREE;
    // What only one side has is of one of the functions around it.
    if (isChange && (isListed(i) || isListed(a))) return;
    unproved[i] = 1;
    unproved[a] = 1;
  };
  for (const [i, j] of local.same.entries()) {
    if (slices.isOver()) await slices.rest({ signal });
    if (j >= 0) check(i, j);
    else if (j === FREE && local.instructions[i]?.opcode !== JUMPDEST) unproved[i] = 1;
  }
  for (const [j, i] of deployed.same.entries()) {
    if (slices.isOver()) await slices.rest({ signal });
    if (i >= 0 && local.same[i] !== j) check(i, j);
  }
  return unproved;
}

/** Whether all that refers to one of two positions refers to the other on the other side. */
function pairCalls({ local, deployed }: CodeAlignment): (to: number, from: number) => boolean {
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  for (const [i, j] of local.same.entries()) {
    const [to, from] = [local.targets[i] as number, deployed.targets[j] ?? FREE];
    if (to < 0 || from < 0) continue;
    there.set(to, (there.get(to) ?? from) === from ? from : FREE);
    back.set(from, (back.get(from) ?? to) === to ? to : FREE);
  }
  return (to, from) => there.get(to) === from && back.get(from) === to;
}

/** Over positions to jump to, jumps to where the other side goes without one, and equal constants. */
function goOn(
  { instructions, same, targets }: AlignedCode,
  index: number,
  pay: CodeAlignment['pay'],
): number {
  for (let left = MAX_STEPS; left > 0; left--) {
    pay(1);
    if (same[index] === JUMPED && (targets[index] as number) >= 0) index = targets[index] as number;
    else if (instructions[index]?.opcode === JUMPDEST || (same[index] as number) < JUMPED) index++;
    else break;
  }
  return index;
}

import { forEachInSlices, type SliceOptions } from '../base/timeSlices.ts';
import type { CodeGap } from '../traces/builtCode.ts';
import { type Instruction, isPush, JUMP, JUMPDEST, JUMPI, listInstructions } from './codeInstructions.ts';
import { findCodeMetadata } from './codeMetadata.ts';

/** Instructions of one code, and which of the other code are the same. */
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

export interface Side extends AlignedCode {
  readonly indexAt: ReadonlyMap<number, number>;
  readonly isTarget: Uint8Array;
  /** The position in bytes where instructions end and data begins, as far as it is known. */
  readonly end: number;
}

/** The other side lacks the instruction. */
export const FREE = -1;
/** The other side reaches the target of the jump without one. */
export const JUMPED = -2;

/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, JUMP, 0xf3, 0xfd, 0xfe, 0xff]);

/**
 * Reads the instructions of one code.
 *
 * @param end where data begins, in bytes; undefined if it is not known.
 * @throws the signal's reason when it aborts.
 */
export async function createSide(
  digits: string,
  end: number | undefined,
  options: SliceOptions,
): Promise<Side> {
  const instructions = listInstructions(digits);
  const indexAt = new Map<number, number>();
  const texts: string[] = [];
  const addText = ({ from, to, opcode }: Instruction) => {
    indexAt.set(from / 2, texts.length);
    texts.push(isPush(opcode) ? `#${digits.slice(from + 2, to).replace(/^0+/, '')}` : String(opcode));
  };
  await forEachInSlices(instructions, addText, options);
  const size = findTargetDigits(instructions);
  const count = instructions.length;
  const targets = new Int32Array(count).fill(-1);
  const isTarget = new Uint8Array(count);
  const addTarget = ([index, { from, to, opcode }]: readonly [number, Instruction]) => {
    if (!isPush(opcode) || to - from - 2 !== size) return;
    const target = indexAt.get(Number.parseInt(digits.slice(from + 2, to), 16));
    if (target === undefined || instructions[target]?.opcode !== JUMPDEST) return;
    targets[index] = target;
    isTarget[target] = 1;
  };
  await forEachInSlices(instructions.entries(), addTarget, options);
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
export function findGaps({ indexAt }: Side, gaps: readonly CodeGap[]): ReadonlySet<number> {
  return new Set(gaps.flatMap(({ places }) => places.flatMap(({ start }) => indexAt.get(start - 1) ?? [])));
}

/** Whether an instruction pushes the position of data behind the code, or the length of that data beside it. */
export function isDataPush(side: Side, index: number): boolean {
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
export const dropMetadata = (digits: string) =>
  digits.slice(0, findCodeMetadata(digits)?.from).replace(METADATA_HASHES, (hash) => '0'.repeat(hash.length));
const METADATA_HASHES = /(?<=64697066735822)1220[0-9a-f]{64}/g;

/** A pushed value of at most three bytes; -1 for other instructions. */
export function getValue({ instructions, texts }: Side, index: number): number {
  const { opcode } = instructions[index] ?? { opcode: 0 };
  const text = texts[index] ?? '';
  return isPush(opcode) && text.length > 1 && text.length < 8 ? Number.parseInt(text.slice(1), 16) : -1;
}

export const getTarget = ({ targets }: Side, index: number) => targets[index] ?? -1;

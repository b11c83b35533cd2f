import type { Hex } from '../eth/hex.ts';

/** An instruction with its data, in hex digits of the code; `to` is exclusive. */
export interface Instruction {
  readonly from: number;
  readonly to: number;
  readonly opcode: number;
}

/** Five times the limit of Ethereum. */
export const MAX_DIGITS = 2 * 128 * 1024;
const EQ = 0x14;
const SUB = 0x03;
const XOR = 0x18;
export const JUMP = 0x56;
export const JUMPI = 0x57;
export const JUMPDEST = 0x5b;
const PUSH3 = 0x62;
const PUSH4 = 0x63;

/** Whether an instruction pushes what follows it, or zero. */
export const isPush = (opcode: number) => opcode >= 0x5f && opcode <= 0x7f;

/**
 * The instructions of code, data behind them included.
 *
 * @param digits hex digits without `0x`.
 * @example listInstructions('600100')[1]?.opcode // 0
 */
export function listInstructions(digits: string): readonly Instruction[] {
  const instructions: Instruction[] = [];
  const end = Math.min(digits.length, MAX_DIGITS);
  for (let from = 0; from < end; ) {
    const opcode = Number.parseInt(digits.slice(from, from + 2), 16);
    const to = from + 2 + (isPush(opcode) ? 2 * (opcode - 0x5f) : 0);
    instructions.push({ from, to, opcode });
    from = to;
  }
  return instructions;
}

/** The selectors in code. */
export interface CodeSelectors {
  /** Compared before a conditional jump, as the start of code does that dispatches calls. */
  readonly dispatched: ReadonlySet<Hex>;
  /** Every pushed value of four bytes, or three: a selector may begin with zeros. */
  readonly pushed: ReadonlySet<Hex>;
  /** Where control goes to for a selector, in bytes. */
  readonly entries: ReadonlyMap<Hex, number>;
}

/**
 * Finds the selectors that code dispatches, as compilers write it.
 *
 * @example findSelectors('8063a9059cbb14604057').dispatched.has('0xa9059cbb') // true
 */
export function findSelectors(digits: string): CodeSelectors {
  const instructions = listInstructions(digits);
  const dispatched = new Set<Hex>();
  const pushed = new Set<Hex>();
  const entries = new Map<Hex, number>();
  for (let index = 0; index < instructions.length; index++) {
    const { from, to, opcode } = instructions[index] as Instruction;
    if (opcode !== PUSH4 && opcode !== PUSH3) continue;
    const selector: Hex = `0x${digits.slice(from + 2, to).padStart(8, '0')}`;
    pushed.add(selector);
    const next = instructions.slice(index + 1, index + 5).map((each) => each.opcode);
    const compared = next.findIndex((each) => each === EQ || each === XOR || each === SUB);
    const jumps = next.indexOf(JUMPI, Math.max(0, compared));
    if (compared < 0 || compared >= 2 || jumps < 0) continue;
    dispatched.add(selector);
    const target = instructions[index + jumps];
    // An inverted comparison jumps over the function.
    if (next[compared] !== EQ || !target || !isPush(target.opcode)) continue;
    entries.set(selector, Number.parseInt(digits.slice(target.from + 2, target.to), 16));
  }
  return { dispatched, pushed, entries };
}

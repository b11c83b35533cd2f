import type { CodeAlignment } from './alignCode.ts';
import { type AlignedCode, FREE } from './codeSide.ts';

/** Of runs that compute the same constant in another way, which the optimizer chooses by how often it is used. */
export const AGREED = -3;

/** Marks instructions that compute one constant in different ways as {@link AGREED}. */
export function agreeOnConstants({ local, deployed }: CodeAlignment): void {
  for (let from = 1; from < local.instructions.length; from++) {
    if (local.same[from] !== FREE) continue;
    let to = from;
    while (to < local.instructions.length && local.same[to] === FREE) to++;
    const start = (local.same[from - 1] as number) + 1;
    const end = local.same[to] ?? FREE;
    if (start > 0 && end > start && end - start <= MAX_CONSTANT && to - from <= MAX_CONSTANT) {
      const value = computeConstant(local, from, to);
      if (value !== undefined && value === computeConstant(deployed, start, end)) {
        local.same.fill(AGREED, from, to);
        deployed.same.fill(AGREED, start, end);
      }
    }
    from = to;
  }
}

const MAX_CONSTANT = 16;
const WORD = 1n << 256n;
/** `PUSH0 MLOAD PUSH1 32 PUSH position PUSH0 CODECOPY PUSH0 MLOAD SWAP1 PUSH0 MSTORE`: a constant behind the code. */
const COPIED = [0x5f, 0x51, 0x60, undefined, 0x5f, 0x39, 0x5f, 0x51, 0x90, 0x5f, 0x52];

/** The one value that instructions put on the stack; undefined if they do something else. */
function computeConstant(code: AlignedCode, from: number, to: number): bigint | undefined {
  const opcodes = code.instructions.slice(from, to).map(({ opcode }) => opcode);
  const valueAt = (index: number) => BigInt(`0x${code.texts[index]?.slice(1) || '0'}`);
  if (
    opcodes.length === COPIED.length &&
    COPIED.every((each, at) => each === undefined || each === opcodes[at])
  ) {
    const at = 2 * Number(valueAt(from + 3));
    return BigInt(`0x${code.digits.slice(at, at + 64) || '0'}`);
  }
  const stack: bigint[] = [];
  for (const [at, opcode] of opcodes.entries()) {
    if (code.texts[from + at]?.startsWith('#')) {
      stack.push(valueAt(from + at));
      continue;
    }
    const one = stack.pop();
    if (one === undefined) return undefined;
    if (opcode === NOT) {
      stack.push(WORD - 1n - one);
      continue;
    }
    const other = stack.pop();
    const value = other === undefined ? undefined : computeTwo(opcode, one, other);
    if (value === undefined) return undefined;
    stack.push(((value % WORD) + WORD) % WORD);
  }
  return stack.length === 1 ? stack[0] : undefined;
}

function computeTwo(opcode: number, one: bigint, other: bigint): bigint | undefined {
  if (opcode === 0x01) return one + other;
  if (opcode === 0x02) return one * other;
  if (opcode === 0x03) return one - other;
  if (opcode === 0x0a) return other <= 256n && one <= 256n ? one ** other : undefined;
  if (opcode === 0x1b) return one < 256n ? other << one : 0n;
  return undefined;
}

const NOT = 0x19;

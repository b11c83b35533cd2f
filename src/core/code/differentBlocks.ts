import type { SliceOptions } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { CodeAlignment } from './alignCode.ts';
import { JUMP, JUMPDEST, JUMPI } from './codeInstructions.ts';
import { type AlignedCode, FREE, JUMPED } from './codeSide.ts';
import {
  DISPATCHER,
  type DifferentFunctions,
  type Insertion,
  type InstructionPlaces,
  isDifferent,
  listInsertions,
  listLabels,
  MIN_REPEATED,
} from './differentInstructions.ts';

interface DifferentBlock {
  readonly labels: Set<string>;
  /** How often each operation is only in the build, less those that are only in the deployed code. */
  readonly operations: Map<string, number>;
  /** What is jumped to, that the other side may have in the block itself; `by` as it is counted. */
  readonly bodies: { readonly by: 1 | -1; readonly body: readonly string[] }[];
  /** Functions with constants that the other side lacks: no choice of the optimizer makes one. */
  readonly proved: Set<string>;
  /** Whether it calls another function that differs, which the other side may have in the block itself. */
  callsDifferent: boolean;
  /** Whether the sides may only differ in what the optimizer chose. */
  isChosen: boolean;
}

/** Finds the functions that differ by more than what the optimizer chooses, by blocks. */
export async function findInBlocks(
  alignment: CodeAlignment,
  places: InstructionPlaces,
  { isViaIr, slices, signal }: SliceOptions & { readonly isViaIr: boolean },
): Promise<DifferentFunctions> {
  const { labels } = places;
  const { local, deployed } = alignment;
  const keys = new Set<string>();
  const constants = new Set(deployed.texts);
  const insertions = listInsertions(alignment, places);
  const blockOf = joinBlocks(alignment, insertions);
  const blocks = new Map<number, DifferentBlock>();
  const open = (index: number): DifferentBlock => {
    const number = blockOf(index);
    const block = blocks.get(number) ?? {
      labels: new Set(),
      proved: new Set(),
      callsDifferent: false,
      operations: new Map(),
      bodies: [],
      isChosen: false,
    };
    blocks.set(number, block);
    return block;
  };
  const different = new Set([
    ...labels.filter((_, index) => isDifferent(alignment, index)),
    ...insertions.flatMap((each) => listLabels(each, labels)),
  ]);
  const add = (block: DifferentBlock, code: AlignedCode, index: number, by: 1 | -1) => {
    const body = getInlinable(code, index);
    alignment.pay(BODY_STEPS * (body?.length ?? 0));
    if (body) block.bodies.push({ by, body });
    // A function that differs itself, and may be in this code on the other side.
    const called = by > 0 ? labels[local.targets[index] as number] : undefined;
    if (called !== undefined && called !== labels[index] && different.has(called))
      block.callsDifferent = true;
    const text = getOperation(code, index);
    if (text !== undefined) block.operations.set(text, (block.operations.get(text) ?? 0) + by);
  };
  for (let index = 0; index < local.instructions.length; index++) {
    if (slices.isOver()) await slices.rest({ signal });
    const same = local.same[index] as number;
    if (same === JUMPED) open(index).isChosen = true;
    if (!isDifferent(alignment, index)) continue;
    const block = open(index);
    add(block, local, index, 1);
    if (same >= 0) add(block, deployed, same, -1);
    const label = labels[index];
    if (label === undefined) continue;
    block.labels.add(label);
    if (isConstant(local, index) && !constants.has(local.texts[index] ?? '')) block.proved.add(label);
  }
  let last: number | undefined;
  for (const same of deployed.same) {
    if (same >= 0) last = same;
    else if (same === JUMPED && last !== undefined) open(last).isChosen = true;
  }
  const dispatched = labels.findIndex((label) => label !== undefined);
  for (const insertion of insertions) {
    if (slices.isOver()) await slices.rest({ signal });
    const at = insertion.before ?? insertion.after;
    if (at === undefined) continue;
    const block = open(at);
    for (const label of listLabels(insertion, labels)) block.labels.add(label);
    const { before, after } = insertion;
    // `receive` and `fallback` begin where calls are dispatched.
    if (before !== undefined && after !== before + 1 && before < dispatched) block.labels.add(DISPATCHER);
    for (let index = insertion.from; index < insertion.to; index++) add(block, deployed, index, -1);
  }
  for (const [index, label] of labels.entries()) {
    const block = label !== undefined && different.has(label) && blocks.get(blockOf(index));
    if (block) block.labels.add(label);
  }
  const unclear: DifferentBlock[] = [];
  for (const block of blocks.values()) {
    if (slices.isOver()) await slices.rest({ signal });
    const [label, ...others] = block.labels;
    if (!block.callsDifferent) for (const each of block.proved) keys.add(each);
    const isReal =
      !block.isChosen &&
      !block.callsDifferent &&
      !mayBeInlined(block) &&
      !isInserted(block, blocks.values(), alignment.pay) &&
      [...block.operations.values()].some((each) => each !== 0);
    // The pipeline by Yul gives instructions to other functions, too.
    const isOfOne = label !== undefined && label !== DISPATCHER && others.length === 0;
    if (isReal && !isViaIr && isOfOne) keys.add(label);
    else unclear.push(block);
  }
  const isPartial =
    isViaIr || unclear.some(({ labels: found }) => [...found].some((label) => !keys.has(label)));
  return { keys, isPartial };
}

/**
 * Whether a block is a modifier: only the deployed code has something there, and nearly the same in a block of another
 * function.
 */
function isInserted(
  { operations, labels }: DifferentBlock,
  blocks: Iterable<DifferentBlock>,
  pay: CodeAlignment['pay'],
): boolean {
  const [label = ''] = labels;
  const own = [...operations].filter(([, count]) => count !== 0);
  if (own.length < MIN_REPEATED || own.some(([, count]) => count > 0)) return false;
  for (const other of blocks) {
    pay(1 + own.length);
    if (other.labels.has(label) || other.labels.size === 0) continue;
    const equal = own.filter(([text, count]) => other.operations.get(text) === count);
    if (equal.length >= REPEATED_SHARE * own.length) return true;
  }
  return false;
}

const REPEATED_SHARE = 0.7;

/** What an instruction does, other than to order the stack and to jump. */
export function getOperation(
  { instructions, targets, texts }: AlignedCode,
  index: number,
): string | undefined {
  const opcode = instructions[index]?.opcode ?? 0;
  const isOfStack =
    STACK.has(opcode) || (opcode >= DUP1 && opcode <= SWAP16) || (targets[index] as number) >= 0;
  return isOfStack ? undefined : texts[index];
}

/** Whether an instruction pushes a number of 2 to 4 bytes that is not a position in the code. */
function isConstant({ targets, texts, instructions }: AlignedCode, index: number): boolean {
  const text = texts[index] ?? '';
  const isOfSize = text.startsWith('#') && text.length > 3 && text.length <= 9;
  const next = [1, 2].map((by) => instructions[index + by]?.opcode ?? 0);
  return isOfSize && targets[index] === FREE && !next.some((opcode) => COMPUTING.has(opcode));
}

/** SUB, EXP, NOT, SHL, CODECOPY. */
const COMPUTING: ReadonlySet<number> = new Set([0x03, 0x0a, 0x19, 0x1b, 0x39]);

/** What the block does that an instruction jumps to, if it has no other jumps: the optimizer may put it here. */
function getInlinable(code: AlignedCode, index: number): readonly string[] | undefined {
  const { instructions, targets, isEnd } = code;
  const target = targets[index] as number;
  if (target < 0 || instructions[index + 1]?.opcode !== JUMP) return undefined;
  const body: string[] = [];
  let end = target;
  for (; end - target < MAX_INLINED && !isEnd(end) && instructions[end]?.opcode !== JUMPI; end++)
    pushAll(
      body,
      [getOperation(code, end)].filter((each) => each !== undefined),
    );
  return instructions[end]?.opcode === JUMP ? body : undefined;
}

/** Whether a block may be the same with code that one side jumps to: most of that is only on the other. */
function mayBeInlined({ operations, bodies }: DifferentBlock): boolean {
  return bodies.some(({ by, body }) => {
    const found = body.filter((each) => by * (operations.get(each) ?? 0) < 0);
    return 2 * found.length >= body.length;
  });
}

/** STOP, JUMPDEST, JUMP, JUMPI, POP. Which STOP of two neighbours is gone is not known. */
const STACK: ReadonlySet<number> = new Set([0x00, JUMPDEST, JUMP, JUMPI, 0x50]);
const DUP1 = 0x80;
const SWAP16 = 0x9f;
/** The optimizer does not put longer code into other code. */
const MAX_INLINED = 100;
/** Of memory that each operation of such code takes: the budget bounds it, too. */
const BODY_STEPS = 20;

/** The blocks of local instructions; those that the optimizer treats as one on either side are one. */
function joinBlocks(
  { local, deployed }: CodeAlignment,
  insertions: readonly Insertion[],
): (index: number) => number {
  const numbers = numberBlocks(local);
  const parents = Int32Array.from({ length: (numbers.at(-1) ?? 0) + 1 }, (_, index) => index);
  const find = (index: number): number => {
    let block = numbers[index] as number;
    // Halves the way, or a chain of blocks would be gone through again and again.
    for (; parents[block] !== block; block = parents[block] as number)
      parents[block] = parents[parents[block] as number] as number;
    return block;
  };
  const join = (one: number, other: number) => {
    parents[find(other)] = find(one);
  };
  const first = new Map<number, number>();
  for (const [index, block] of numberBlocks(deployed).entries()) {
    const same = deployed.same[index] as number;
    if (same < 0 || local.same[same] !== index) continue;
    const known = first.get(block);
    if (known === undefined) first.set(block, same);
    else join(known, same);
  }
  for (const { before, after } of insertions)
    if (before !== undefined && after !== undefined) join(before, after);
  for (let index = 1; index < local.instructions.length; index++) {
    const isCut = local.instructions[index]?.opcode === JUMPDEST && local.same[index] === FREE;
    if (isCut && !local.isEnd(index - 1)) join(index - 1, index);
  }
  return find;
}

/** By index: instructions between jumps and positions to jump to. */
function numberBlocks({ instructions, isEnd }: AlignedCode): Int32Array {
  const blocks = new Int32Array(instructions.length);
  for (let index = 1; index < instructions.length; index++) {
    const isNew =
      instructions[index]?.opcode === JUMPDEST ||
      instructions[index - 1]?.opcode === JUMPI ||
      isEnd(index - 1);
    blocks[index] = (blocks[index - 1] as number) + (isNew ? 1 : 0);
  }
  return blocks;
}

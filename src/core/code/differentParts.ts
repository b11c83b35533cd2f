import { type AlignedCode, type CodeAlignment, FREE, JUMPED } from './alignCode.ts';
import { findUnproved } from './provedFunctions.ts';

/** Of local instructions, by index. */
interface InstructionPlaces {
  /** The function; undefined if it has none. */
  readonly labels: readonly (string | undefined)[];
  /** The range in a source. The code of a modifier has the modifier's range in each function that uses it. */
  readonly ranges: readonly string[];
}

interface DifferentFunctions {
  readonly keys: ReadonlySet<string>;
  /** Whether others may differ too. */
  readonly isPartial: boolean;
}

const JUMPDEST = 0x5b;
const JUMP = 0x56;
const JUMPI = 0x57;

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
export function findDifferent(
  alignment: CodeAlignment,
  places: InstructionPlaces,
  { isOptimized, isViaIr }: { readonly isOptimized: boolean; readonly isViaIr: boolean },
): DifferentFunctions {
  slideRuns(alignment, places);
  if (isOptimized) agreeOnConstants(alignment);
  const { keys, isPartial } =
    isOptimized || isViaIr ? findInBlocks(alignment, places, isViaIr) : findByInstruction(alignment, places);
  return { keys, isPartial: isPartial || !isProved(alignment, places, keys) };
}

/** Whether the code of all other functions is the same, and that which dispatches calls. */
function isProved(
  alignment: CodeAlignment,
  { labels: [first = DISPATCHER, ...rest] }: InstructionPlaces,
  keys: ReadonlySet<string>,
): boolean {
  const labels = [first, ...rest];
  const unproved = findUnproved(alignment, (index) => keys.has(labels[index] ?? ''));
  const isOther = (label: string) => !keys.has(label);
  return !(
    labels.some((label, index) => unproved[index] === 1 && label !== undefined && isOther(label)) ||
    listCallers(alignment, unproved, labels).some(isOther)
  );
}

function isDifferent({ local, hasSameValue }: CodeAlignment, index: number): boolean {
  const same = local.same[index] as number;
  if (local.instructions[index]?.opcode === JUMPDEST || same === JUMPED || same === AGREED) return false;
  return same === FREE || !hasSameValue(index, same);
}

function findByInstruction(alignment: CodeAlignment, places: InstructionPlaces): DifferentFunctions {
  const { labels } = places;
  const keys = new Set<string>();
  for (const { from, to } of listDifferentRuns(alignment)) {
    const counts = new Map<string, number>();
    for (const label of labels.slice(from, to))
      if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
    // The edge of a run is as if it were part of it where both sides go on the same way.
    const most = Math.max(...counts.values());
    for (const [label, count] of counts) if (count === most || count >= MIN_SHARED) keys.add(label);
  }
  const insertions = listInsertions(alignment, places);
  const between: Insertion[] = [];
  for (const insertion of insertions) {
    const around = listLabels(insertion, labels);
    if (around.length > 1) between.push(insertion);
    // A modifier without code in the build has it in several functions.
    else if (!isRepeated(insertion, insertions, labels)) for (const label of around) keys.add(label);
  }
  let isPartial = false;
  for (const insertion of between) {
    const owner = findOwner(insertion, { insertions, places, changed: keys });
    if (owner === undefined) isPartial = true;
    else keys.add(owner);
  }
  return { keys, isPartial };
}

/** More instructions than what two parts end with alike. */
const MIN_SHARED = 12;
/** Shorter ones are alike by chance. */
const MIN_REPEATED = 6;

function isRepeated(
  { opcodes, from }: Insertion,
  insertions: readonly Insertion[],
  labels: InstructionPlaces['labels'],
): boolean {
  const [own] = insertions.filter((each) => each.from === from).map((each) => listLabels(each, labels)[0]);
  return (
    opcodes.length >= MIN_REPEATED &&
    insertions.some((each) => each.opcodes === opcodes && !listLabels(each, labels).includes(own ?? ''))
  );
}

/** Neighbours that differ, by index; `to` is exclusive. */
function* listDifferentRuns(
  alignment: CodeAlignment,
): Generator<{ readonly from: number; readonly to: number }> {
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

function listLabels({ before, after }: Insertion, labels: InstructionPlaces['labels']): readonly string[] {
  const around = [before, after].flatMap((index) => (index === undefined ? [] : (labels[index] ?? [])));
  return [...new Set(around)];
}

const DISPATCHER = '';

/** The functions that jump to changed code outside of all functions, such as an ABI encoding. */
function listCallers(
  { local, deployed, hasSameCode }: CodeAlignment,
  different: Uint8Array,
  labels: InstructionPlaces['labels'],
): readonly string[] {
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

function findInBlocks(
  alignment: CodeAlignment,
  places: InstructionPlaces,
  isViaIr: boolean,
): DifferentFunctions {
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
  const different = new Set(labels.filter((_, index) => isDifferent(alignment, index)));
  const add = (block: DifferentBlock, code: AlignedCode, index: number, by: 1 | -1) => {
    const body = getInlinable(code, index);
    if (body) block.bodies.push({ by, body });
    // A function that differs itself, and may be in this code on the other side.
    const called = by > 0 ? labels[local.targets[index] as number] : undefined;
    if (called !== undefined && called !== labels[index] && different.has(called))
      block.callsDifferent = true;
    const text = getOperation(code, index);
    if (text !== undefined) block.operations.set(text, (block.operations.get(text) ?? 0) + by);
  };
  for (let index = 0; index < local.instructions.length; index++) {
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
  for (const insertion of insertions) {
    const at = insertion.before ?? insertion.after;
    if (at === undefined) continue;
    const block = open(at);
    for (const label of listLabels(insertion, labels)) block.labels.add(label);
    for (let index = insertion.from; index < insertion.to; index++) add(block, deployed, index, -1);
  }
  const unclear: DifferentBlock[] = [];
  for (const block of blocks.values()) {
    const [label, ...others] = block.labels;
    if (!block.callsDifferent) for (const each of block.proved) keys.add(each);
    const isReal =
      !block.isChosen &&
      !block.callsDifferent &&
      !mayBeInlined(block) &&
      !isInserted(block, blocks.values()) &&
      [...block.operations.values()].some((each) => each !== 0);
    // The pipeline by Yul gives instructions to other functions, too.
    if (isReal && !isViaIr && label !== undefined && others.length === 0) keys.add(label);
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
function isInserted({ operations, labels }: DifferentBlock, blocks: Iterable<DifferentBlock>): boolean {
  const [label = ''] = labels;
  const own = [...operations].filter(([, count]) => count !== 0);
  if (own.length < MIN_REPEATED || own.some(([, count]) => count > 0)) return false;
  for (const other of blocks) {
    if (other.labels.has(label) || other.labels.size === 0) continue;
    const equal = own.filter(([text, count]) => other.operations.get(text) === count);
    if (equal.length >= REPEATED_SHARE * own.length) return true;
  }
  return false;
}

const REPEATED_SHARE = 0.7;

/** What an instruction does, other than to order the stack and to jump. */
function getOperation({ instructions, targets, texts }: AlignedCode, index: number): string | undefined {
  const opcode = instructions[index]?.opcode ?? 0;
  const isOfStack =
    STACK.has(opcode) || (opcode >= DUP1 && opcode <= SWAP16) || (targets[index] as number) >= 0;
  return isOfStack ? undefined : texts[index];
}

/** Whether an instruction pushes a number of 2 to 4 bytes that is no position in the code. */
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
    body.push(...[getOperation(code, end)].filter((each) => each !== undefined));
  return instructions[end]?.opcode === JUMP ? body : undefined;
}

/** Whether a block may be the same with code that one side jumps to: most of that is only on the other. */
function mayBeInlined({ operations, bodies }: DifferentBlock): boolean {
  return bodies.some(({ by, body }) => {
    const found = body.filter((each) => by * (operations.get(each) ?? 0) < 0);
    return 2 * found.length >= body.length;
  });
}

/** JUMPDEST, JUMP, JUMPI, POP. */
const STACK: ReadonlySet<number> = new Set([JUMPDEST, JUMP, JUMPI, 0x50]);
const DUP1 = 0x80;
const SWAP16 = 0x9f;
/** The optimizer does not put longer code into other code. */
const MAX_INLINED = 100;

/** The blocks of local instructions; those that the optimizer treats as one on either side are one. */
function joinBlocks(
  { local, deployed }: CodeAlignment,
  insertions: readonly Insertion[],
): (index: number) => number {
  const numbers = numberBlocks(local);
  const parents = Int32Array.from({ length: (numbers.at(-1) ?? 0) + 1 }, (_, index) => index);
  const find = (index: number): number => {
    let block = numbers[index] as number;
    while (parents[block] !== block) block = parents[block] as number;
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

/** Of runs that compute the same constant in another way, which the optimizer chooses by how often it is used. */
const AGREED = -3;

function agreeOnConstants({ local, deployed }: CodeAlignment): void {
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

/** Instructions that only the deployed code has. */
interface Insertion {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The local instruction that they follow without a jump. */
  readonly before: number | undefined;
  /** The local instruction that follows them without a jump. */
  readonly after: number | undefined;
  readonly opcodes: string;
}

function listInsertions(
  { local, deployed: { instructions, same, isEnd } }: CodeAlignment,
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
    const [last, next] = [findAligned(same, from, -1), findAligned(same, to, 1)];
    const isInside = labels[last] !== undefined && labels[last] === labels[next];
    const isFree = isEnd(from - 1) && (isEnd(to - 1) || instructions[to]?.opcode === JUMPDEST);
    let before = isInside ? last : left >= 0 && !isEnd(from - 1) ? left : undefined;
    let after = isInside ? next : right >= 0 && !(isFree || isEnd(to - 1)) ? right : undefined;
    // What one side goes on with may be aligned with another part.
    if (before !== undefined && !local.isEnd(before)) after ??= before + 1;
    else if (after !== undefined && !local.isEnd(after - 1)) before ??= after - 1;
    if (codes.length > 0)
      found.push({ from, to, before, after, opcodes: String.fromCharCode(...codes.slice(0, MAX_COMPARED)) });
    from = to;
  }
  return found;
}

/** The local index of the nearest aligned instruction in a direction; -1 without one. */
function findAligned(same: Int32Array, index: number, step: 1 | -1): number {
  while (index >= 0 && index < same.length && (same[index] as number) < 0) index += step;
  return same[index] ?? FREE;
}

const MAX_COMPARED = 10_000;

/** A modifier has the same insertion at each place where another function goes on; a function only at its own. */
function findOwner(
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

/** A run may begin as what follows it does, and end as what is before it: by the shortest edit, it is any of these. */
const MAX_SLIDE = 48;
const WRONG_VALUE = 1000;
const BEHIND_END = 10;
const NOT_WHOLE = 0.5;

/** Puts each run that only one side has where values fit best, and where it is part of the fewest functions. */
function slideRuns(alignment: CodeAlignment, { labels }: InstructionPlaces): void {
  const { local, deployed, mayBeSame, hasSameValue } = alignment;
  // Positions that the same instruction jumps to on both sides.
  const referred = new Set<string>();
  for (const [index, same] of local.same.entries()) {
    const [to, from] = [local.targets[index] as number, deployed.targets[same] ?? FREE];
    if (same >= 0 && to >= 0 && from >= 0) referred.add(`${to},${from}`);
  }
  const slide = (side: AlignedCode, other: AlignedCode, isLocal: boolean) => {
    const orient = (mine: number, theirs: number) =>
      isLocal ? ([mine, theirs] as const) : ([theirs, mine] as const);
    const count = side.instructions.length;
    for (let from = 1; from < count; from++) {
      if (side.same[from] !== -1) continue;
      let to = from;
      while (to < count && side.same[to] === -1) to++;
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
        for (let at = from - back; at < to + ahead; at++) side.same[at] = -1;
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
  slide(local, deployed, true);
  slide(deployed, local, false);
}

import { AppError } from '../base/errors.ts';
import { type Budget, createBudget, type SliceOptions } from '../base/timeSlices.ts';
import { asList, isRecord } from '../base/values.ts';
import { type Address, type Hex, isLowerHex, parseHexData } from '../eth/hex.ts';
import { MAX_MESSAGE_CHARS } from '../http/response.ts';
import {
  type CallFrame,
  type CallType,
  type FrameLog,
  isCreation,
  MAX_CALL_DEPTH,
  MAX_CALLS,
  type TracedTransaction,
} from './callFrame.ts';
import { isRevertError } from './halts.ts';
import type { ParsedFrames } from './parseCallTracer.ts';

/** A frame that may still run. */
interface DraftFrame {
  readonly type: CallType;
  readonly caller: DraftFrame | undefined;
  /** The frame of the contract whose storage its code uses; undefined for that of the frame itself. */
  readonly storage: DraftFrame | undefined;
  /** Of the first call. */
  readonly from?: Address;
  /** Known at the end of a creation. */
  to: Address | undefined;
  readonly value: bigint;
  readonly gas: bigint | undefined;
  /** As output and data of logs: undefined if the budget does not pay for it. */
  readonly input: Hex | undefined;
  output: Hex | undefined;
  error: string | undefined;
  readonly logs: DraftLog[];
  readonly calls: DraftFrame[];
  /** The last step, which tells how the code ended. */
  last: Step | undefined;
}

type DraftLog = Omit<FrameLog, 'address' | 'data'> & { readonly data: Hex | undefined };

interface Step {
  readonly op: string;
  readonly depth: number;
  readonly error: unknown;
  readonly stack: readonly unknown[];
  /** Words, or all of them in one text. */
  readonly memory: readonly unknown[] | string;
}

/**
 * Makes the tree of calls of struct logs with stack and memory, for nodes without another tracer, as Hardhat 2. Undefined
 * if the response has another shape or no steps. What an account without code returns is not in them. A step names
 * memory that the response does not carry: all that the calls take is paid from {@link MAX_MEMORY_BYTES}.
 *
 * @throws AppError `badResponse` for a malformed step; the reason of the signal when it aborts.
 * @example await parseStructLogTree({ structLogs: [] }, transaction, { slices }); // undefined
 */
export async function parseStructLogTree(
  result: unknown,
  transaction: Pick<TracedTransaction, 'from' | 'gasLimit' | 'input' | 'to' | 'value'> &
    Partial<Pick<TracedTransaction, 'created'>>,
  { slices, signal }: SliceOptions,
): Promise<ParsedFrames | undefined> {
  if (!isRecord(result) || !Array.isArray(result.structLogs) || result.structLogs.length === 0)
    return undefined;
  const { from, to, value, input, gasLimit: gas, created } = transaction;
  const isCreate = to === undefined;
  const root: DraftFrame = {
    ...{ type: isCreate ? 'CREATE' : 'CALL', caller: undefined, storage: undefined, from },
    ...{ value, gas, input },
    ...{ to: to ?? created, output: '0x', error: undefined, logs: [], calls: [], last: undefined },
  };
  const open: DraftFrame[] = [root];
  let base: number | undefined;
  const memory = createBudget(MAX_MEMORY_BYTES);
  const limits: Limits = { slices, signal, memory, calls: createBudget(MAX_CALLS - 1) };
  let pending: DraftFrame | undefined;
  for (const wire of result.structLogs) {
    if (slices.isOver()) await slices.rest({ signal });
    const step = parseStep(wire);
    base ??= step.depth;
    const level = step.depth - base + 1;
    if (level < 1 || level > open.length + (pending ? 1 : 0) || level > MAX_CALL_DEPTH)
      throw malformedError();
    if (pending && level > open.length) open.push(pending);
    else if (pending && level === open.length) closeCall(pending, step);
    // The gas did not suffice for the call itself.
    else if (pending) open.at(-1)?.calls.pop();
    while (open.length > level) {
      const ended = open.pop();
      // Only the innermost has a caller that goes on; the callers of those outside have failed as well.
      if (ended) await endCode(ended, open.length === level ? step : undefined, limits);
    }
    const frame = open.at(-1) ?? root;
    frame.last = step;
    const followed = await followStep(frame, step, limits);
    if (followed === 'cut') return finish(root, { slices, signal, isCut: true });
    pending = followed;
  }
  if (pending) open.at(-1)?.calls.pop();
  for (const ended of open.reverse()) await endCode(ended, undefined, limits);
  if (result.failed === true) root.error ??= 'execution reverted';
  else if (result.failed === false) root.error = undefined;
  const returned =
    typeof result.returnValue === 'string' ? result.returnValue.replace(/^(?:0x)?/, '0x') : undefined;
  root.output = parseHexData(returned) ?? root.output;
  return finish(root, { slices, signal, isCut: false });
}

/** What the steps of one response may cost in all. */
interface Limits extends SliceOptions {
  /** In bytes of memory that is read. */
  readonly memory: Budget;
  /** Calls, creations and ends of contracts. */
  readonly calls: Budget;
}

function parseStep(wire: unknown): Step {
  const { op, depth, error, stack, memory } = isRecord(wire) ? wire : {};
  if (typeof op !== 'string' || !Number.isSafeInteger(depth)) throw malformedError();
  const name = op === 'SUICIDE' ? 'SELFDESTRUCT' : op;
  const carried = typeof memory === 'string' ? memory : asList(memory);
  return { op: name, depth: depth as number, error, stack: asList(stack), memory: carried };
}

/** Adds what a step does to its frame; returns the call that it makes, or `cut` instead of one too many. */
async function followStep(
  frame: DraftFrame,
  step: Step,
  limits: Limits,
): Promise<DraftFrame | 'cut' | undefined> {
  const { op } = step;
  if (MAKES_FRAME.has(op) && !limits.calls.pay(1)) return 'cut';
  const at = (place: number) => readWord(step.stack.at(-1 - place));
  const start = { caller: frame, output: '0x', error: undefined, last: undefined } as const;
  const add = (call: Pick<DraftFrame, 'gas' | 'input' | 'to' | 'type' | 'value'>) => {
    const isOwn = call.type !== 'DELEGATECALL' && call.type !== 'CALLCODE';
    const storage = isOwn ? undefined : (frame.storage ?? frame);
    const draft: DraftFrame = { ...start, ...call, storage, logs: [], calls: [] };
    frame.calls.push(draft);
    return draft;
  };
  switch (op) {
    case 'CALL':
    case 'CALLCODE': {
      const input = await readMemory(step, { offset: at(3), size: at(4) }, limits);
      return add({ type: op, gas: at(0), to: toAddress(at(1)), value: at(2), input });
    }
    case 'DELEGATECALL':
    case 'STATICCALL': {
      const input = await readMemory(step, { offset: at(2), size: at(3) }, limits);
      const value = op === 'DELEGATECALL' ? frame.value : 0n;
      return add({ type: op, gas: at(0), to: toAddress(at(1)), value, input });
    }
    case 'CREATE':
    case 'CREATE2':
      return add({
        type: op,
        gas: undefined,
        to: undefined,
        value: at(0),
        input: await readMemory(step, { offset: at(1), size: at(2) }, limits),
      });
    case 'SELFDESTRUCT':
      add({ type: op, gas: undefined, to: toAddress(at(0)), value: 0n, input: '0x' });
      return undefined;
    default: {
      const [, topicCount] = /^LOG([0-4])$/.exec(op) ?? [];
      if (topicCount === undefined) return undefined;
      const topics = Array.from({ length: Number(topicCount) }, (_, place) => toWord(at(2 + place)));
      frame.logs.push({
        topics,
        data: await readMemory(step, { offset: at(0), size: at(1) }, limits),
        position: frame.calls.length,
      });
      return undefined;
    }
  }
}

const MAKES_FRAME: ReadonlySet<string> = new Set([
  ...['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'],
]);

/** The step after a call has on its stack whether it succeeded, or the address of a new contract. */
function closeCall(call: DraftFrame, after: Step): void {
  const result = readWord(after.stack.at(-1));
  if (result === 0n) call.error ??= 'execution reverted';
  else if (isCreation(call)) call.to = toAddress(result);
}

async function endCode(frame: DraftFrame, after: Step | undefined, limits: Limits): Promise<void> {
  const { last } = frame;
  if (last?.op === 'RETURN' || last?.op === 'REVERT') {
    const [size, offset] = [last.stack.at(-2), last.stack.at(-1)].map(readWord);
    frame.output = await readMemory(last, { offset, size }, limits);
  }
  const isEnd = last !== undefined && ENDS.has(last.op) && !last.error;
  if (last?.op === 'REVERT') frame.error = 'execution reverted';
  else if (!isEnd) frame.error = describeHalt(last);
  if (after) closeCall(frame, after);
}

const ENDS: ReadonlySet<string> = new Set(['STOP', 'RETURN', 'REVERT', 'SELFDESTRUCT']);

function describeHalt(last: Step | undefined): string {
  // anvil writes `Some(OutOfGas)`.
  if (typeof last?.error === 'string' && last.error !== '')
    return last.error.slice(0, MAX_MESSAGE_CHARS).replace(/^Some\((\w+)\)$/, '$1');
  return last?.op === 'INVALID' || last?.op === 'opcode 0xfe not defined'
    ? 'invalid opcode: INVALID'
    : 'out of gas';
}

/** Inner frames first, so that the calls of each are ready. Logs of a call that failed are undone. */
async function finish(
  root: DraftFrame,
  { slices, signal, isCut }: SliceOptions & { readonly isCut: boolean },
): Promise<ParsedFrames> {
  const drafts: DraftFrame[] = [root];
  for (const draft of drafts) {
    for (const call of draft.calls) drafts.push(call);
    if (slices.isOver()) await slices.rest({ signal });
  }
  const frames = new Map<DraftFrame, CallFrame>();
  let leftOut = 0;
  const take = (data: Hex | undefined): Hex => {
    if (data === undefined) leftOut++;
    return data ?? '0x';
  };
  for (const draft of drafts.reverse()) {
    if (slices.isOver()) await slices.rest({ signal });
    const { type, to, value, gas, error } = draft;
    const address = getStorage(draft);
    const isHalted = error !== undefined && !isRevertError(error);
    const logs = error === undefined && address !== undefined ? draft.logs : [];
    frames.set(draft, {
      ...{ type, value, gas, input: take(draft.input), error, gasUsed: undefined },
      output: isHalted ? '0x' : take(draft.output),
      from: draft.from ?? (draft.caller && getStorage(draft.caller)) ?? ZERO,
      to: error !== undefined && isCreation(draft) ? undefined : to,
      logs: logs.map((log) => ({ ...log, data: take(log.data), address: address ?? ZERO })),
      calls: draft.calls.flatMap((call) => frames.get(call) ?? []),
    });
  }
  return { root: frames.get(root) as CallFrame, isCut, ...(leftOut > 0 && { isDataCut: true }) };
}

/** Of a creation that failed the address is nowhere. */
const ZERO: Address = `0x${'0'.repeat(40)}`;

/** The contract whose storage the code of a frame uses. */
function getStorage(draft: DraftFrame): Address | undefined {
  return (draft.storage ?? draft).to;
}

/** A word of the stack, with or without `0x`; zero for one that is missing. */
function readWord(word: unknown): bigint {
  return word === undefined ? 0n : BigInt(`0x${checkDigits(padWord(word))}`);
}

/** 64 characters, which may be no digits. */
function padWord(word: unknown): string {
  if (typeof word !== 'string') throw malformedError();
  const digits = word.startsWith('0x') ? word.slice(2) : word;
  if (digits === '' || digits.length > WORD_DIGITS) throw malformedError();
  return digits.padStart(WORD_DIGITS, '0');
}

function checkDigits(text: string): string {
  const digits = text.toLowerCase();
  if (!isLowerHex(digits, 0)) throw malformedError();
  return digits;
}

function toAddress(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`;
}

function toWord(word: bigint): Hex {
  return `0x${word.toString(16).padStart(64, '0')}`;
}

/** All memory that the calls of a trace take: more than an honest response carries (10 MiB of hex). */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;

interface MemoryRange {
  readonly offset: bigint | undefined;
  readonly size: bigint | undefined;
}

/** What is beyond the end of memory is zero. Undefined if the budget does not pay for it. */
async function readMemory(
  { memory }: Step,
  { offset = 0n, size = 0n }: MemoryRange,
  limits: Limits,
): Promise<Hex | undefined> {
  if (size === 0n) return '0x';
  if (!limits.memory.pay(Number(size))) return undefined;
  // Inexact only where no memory is.
  const from = 2 * Number(offset);
  const digits = 2 * Number(size);
  let data: Hex = '0x';
  let at = from;
  for (const carried = Math.min(from + digits, countDigits(memory)); at < carried; ) {
    const to = Math.min(at + CHUNK_DIGITS, carried);
    data = `${data}${sliceMemory(memory, at, to)}`;
    at = to;
    if (limits.slices.isOver()) await limits.slices.rest(limits);
  }
  return `${data}${'0'.repeat(digits + 2 - data.length)}`;
}

const countDigits = (memory: Step['memory']) =>
  typeof memory === 'string'
    ? memory.length - (memory.startsWith('0x') ? 2 : 0)
    : memory.length * WORD_DIGITS;

/** @param from in digits, as `to`. */
function sliceMemory(memory: Step['memory'], from: number, to: number): string {
  if (typeof memory === 'string') {
    const start = memory.startsWith('0x') ? 2 : 0;
    return checkDigits(memory.slice(start + from, start + to));
  }
  const first = Math.floor(from / WORD_DIGITS);
  const words = memory.slice(first, Math.ceil(to / WORD_DIGITS));
  const skipped = first * WORD_DIGITS;
  return checkDigits(words.map(padWord).join('')).slice(from - skipped, to - skipped);
}

/** What is read at once: well below a millisecond. */
const CHUNK_DIGITS = 128 * 1024;
const WORD_DIGITS = 64;

function malformedError(): AppError {
  return new AppError('badResponse', 'The response is not a trace: a step in it is malformed.');
}

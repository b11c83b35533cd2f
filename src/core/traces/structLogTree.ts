import { AppError } from '../base/errors.ts';
import { asList, isRecord } from '../base/values.ts';
import { type Address, type Hex, parseHexData } from '../eth/hex.ts';
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
  /** Of the first call. */
  readonly from?: Address;
  /** Known at the end of a creation. */
  to: Address | undefined;
  readonly value: bigint;
  readonly gas: bigint | undefined;
  readonly input: Hex;
  output: Hex;
  error: string | undefined;
  readonly logs: Omit<FrameLog, 'address'>[];
  readonly calls: DraftFrame[];
  /** The last step, which tells how the code ended. */
  last: Step | undefined;
}

interface Step {
  readonly op: string;
  readonly depth: number;
  readonly error: unknown;
  readonly stack: readonly unknown[];
  readonly memory: readonly unknown[];
}

/**
 * Makes the tree of calls of struct logs with stack and memory, for nodes without another tracer, as Hardhat 2. Undefined
 * if the response has another shape or no steps. What an account without code returns is not in them.
 *
 * @throws AppError `badResponse` for a malformed step.
 * @example parseStructLogTree({ structLogs: [] }, transaction); // undefined
 */
export function parseStructLogTree(
  result: unknown,
  transaction: Pick<TracedTransaction, 'from' | 'gasLimit' | 'input' | 'to' | 'value'> &
    Partial<Pick<TracedTransaction, 'created'>>,
): ParsedFrames | undefined {
  if (!isRecord(result) || !Array.isArray(result.structLogs) || result.structLogs.length === 0)
    return undefined;
  const { from, to, value, input, gasLimit: gas, created } = transaction;
  const isCreate = to === undefined;
  const root: DraftFrame = {
    ...{ type: isCreate ? 'CREATE' : 'CALL', caller: undefined, from, value, gas, input },
    ...{ to: to ?? created, output: '0x', error: undefined, logs: [], calls: [], last: undefined },
  };
  const open: DraftFrame[] = [root];
  let base: number | undefined;
  let count = 1;
  let pending: DraftFrame | undefined;
  for (const wire of result.structLogs) {
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
      if (ended) endCode(ended, open.length === level ? step : undefined);
    }
    const frame = open.at(-1) ?? root;
    frame.last = step;
    pending = followStep(frame, step);
    if (pending && ++count > MAX_CALLS) return { root: finish(root), isCut: true };
  }
  if (pending) open.at(-1)?.calls.pop();
  for (const ended of open.splice(1).reverse()) endCode(ended, undefined);
  endCode(root, undefined);
  if (result.failed === true) root.error ??= 'execution reverted';
  else if (result.failed === false) root.error = undefined;
  const returned =
    typeof result.returnValue === 'string' ? result.returnValue.replace(/^(?:0x)?/, '0x') : undefined;
  root.output = parseHexData(returned) ?? root.output;
  return { root: finish(root), isCut: false };
}

function parseStep(wire: unknown): Step {
  const { op, depth, error, stack, memory } = isRecord(wire) ? wire : {};
  if (typeof op !== 'string' || !Number.isSafeInteger(depth)) throw malformedError();
  const name = op === 'SUICIDE' ? 'SELFDESTRUCT' : op;
  return { op: name, depth: depth as number, error, stack: asList(stack), memory: asList(memory) };
}

/** Adds what a step does to its frame; returns the call that it makes. */
function followStep(frame: DraftFrame, step: Step): DraftFrame | undefined {
  const { op } = step;
  const at = (place: number) => readWord(step.stack.at(-1 - place));
  const start = { caller: frame, output: '0x', error: undefined, last: undefined } as const;
  const add = (call: Pick<DraftFrame, 'gas' | 'input' | 'to' | 'type' | 'value'>) => {
    const draft: DraftFrame = { ...start, ...call, logs: [], calls: [] };
    frame.calls.push(draft);
    return draft;
  };
  switch (op) {
    case 'CALL':
    case 'CALLCODE': {
      const input = readMemory(step, at(3), at(4));
      return add({ type: op, gas: at(0), to: toAddress(at(1)), value: at(2), input });
    }
    case 'DELEGATECALL':
    case 'STATICCALL': {
      const input = readMemory(step, at(2), at(3));
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
        input: readMemory(step, at(1), at(2)),
      });
    case 'SELFDESTRUCT':
      add({ type: op, gas: undefined, to: toAddress(at(0)), value: 0n, input: '0x' });
      return undefined;
    default: {
      const [, topicCount] = /^LOG([0-4])$/.exec(op) ?? [];
      if (topicCount === undefined) return undefined;
      const topics = Array.from({ length: Number(topicCount) }, (_, place) => toWord(at(2 + place)));
      frame.logs.push({ topics, data: readMemory(step, at(0), at(1)), position: frame.calls.length });
      return undefined;
    }
  }
}

/** The step after a call has on its stack whether it succeeded, or the address of a new contract. */
function closeCall(call: DraftFrame, after: Step): void {
  const result = readWord(after.stack.at(-1));
  if (result === 0n) call.error ??= 'execution reverted';
  else if (isCreation(call)) call.to = toAddress(result);
}

function endCode(frame: DraftFrame, after: Step | undefined): void {
  const { last } = frame;
  if (last?.op === 'RETURN' || last?.op === 'REVERT')
    frame.output = readMemory(last, readWord(last.stack.at(-1)), readWord(last.stack.at(-2)));
  const isEnd = last !== undefined && ENDS.has(last.op) && !last.error;
  if (last?.op === 'REVERT') frame.error = 'execution reverted';
  else if (!isEnd) frame.error = describeHalt(last);
  if (after) closeCall(frame, after);
}

const ENDS: ReadonlySet<string> = new Set(['STOP', 'RETURN', 'REVERT', 'SELFDESTRUCT']);

function describeHalt(last: Step | undefined): string {
  // anvil writes `Some(OutOfGas)`.
  if (typeof last?.error === 'string' && last.error !== '')
    return last.error.replace(/^Some\((\w+)\)$/, '$1');
  return last?.op === 'INVALID' || last?.op === 'opcode 0xfe not defined'
    ? 'invalid opcode: INVALID'
    : 'out of gas';
}

/** Inner frames first, so that the calls of each are ready. Logs of a call that failed are undone. */
function finish(root: DraftFrame): CallFrame {
  const drafts: DraftFrame[] = [root];
  for (const draft of drafts) drafts.push(...draft.calls);
  const frames = new Map<DraftFrame, CallFrame>();
  for (const draft of drafts.reverse()) {
    const { type, to, value, gas, input, error } = draft;
    const address = getStorage(draft);
    const isHalted = error !== undefined && !isRevertError(error);
    frames.set(draft, {
      ...{ type, value, gas, input, error, gasUsed: undefined, output: isHalted ? '0x' : draft.output },
      from: draft.from ?? (draft.caller && getStorage(draft.caller)) ?? ZERO,
      to: error !== undefined && isCreation(draft) ? undefined : to,
      logs: error === undefined && address ? draft.logs.map((log) => ({ ...log, address })) : [],
      calls: draft.calls.flatMap((call) => frames.get(call) ?? []),
    });
  }
  return frames.get(root) as CallFrame;
}

/** Of a creation that failed the address is nowhere. */
const ZERO: Address = `0x${'0'.repeat(40)}`;

/** The contract whose storage the code of a frame uses. */
function getStorage(draft: DraftFrame): Address | undefined {
  let frame: DraftFrame | undefined = draft;
  while (frame && (frame.type === 'DELEGATECALL' || frame.type === 'CALLCODE')) frame = frame.caller;
  return frame?.to;
}

/** A word of the stack, with or without `0x`; zero for one that is missing. */
function readWord(word: unknown): bigint {
  if (word === undefined) return 0n;
  const digits = typeof word === 'string' ? word.replace(/^0x/, '') : '';
  if (!/^[0-9a-fA-F]{1,64}$/.test(digits)) throw malformedError();
  return BigInt(`0x${digits}`);
}

function toAddress(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`;
}

function toWord(word: bigint): Hex {
  return `0x${word.toString(16).padStart(64, '0')}`;
}

/** Memory is a list of 32-byte words; what is beyond its end is zero. */
function readMemory({ memory }: Step, offset: bigint, size: bigint): Hex {
  if (size === 0n) return '0x';
  if (offset + size > MAX_MEMORY_BYTES) return '0x';
  const first = Number(offset / 32n);
  const end = Number((offset + size + 31n) / 32n);
  let digits = '';
  for (let index = first; index < end; index++) {
    const word = memory[index];
    digits += word === undefined ? '0'.repeat(64) : readWord(word).toString(16).padStart(64, '0');
  }
  const skipped = 2 * Number(offset % 32n);
  return `0x${digits.slice(skipped, skipped + 2 * Number(size))}`;
}

/** More than the gas of a block buys. */
const MAX_MEMORY_BYTES = 4n * 1024n * 1024n;

function malformedError(): AppError {
  return new AppError('badResponse', 'The response is not a trace: a step in it is malformed.');
}

import { AppError } from '../base/errors.ts';
import { asList, isRecord, type PlainRecord } from '../base/values.ts';
import { type Hex, parseAddress, parseHexData, parseQuantity } from '../eth/hex.ts';
import {
  type CallFrame,
  type CallType,
  callTypes,
  type FrameLog,
  MAX_CALL_DEPTH,
  MAX_CALLS,
} from './callFrame.ts';

/** A tree of calls as a server sent it. */
export interface ParsedFrames {
  readonly root: CallFrame;
  /** Whether there are more calls than {@link MAX_CALLS}; the later ones are then left out. */
  readonly isCut: boolean;
}

/**
 * Parses the result of the `callTracer` of geth, with its logs. Undefined if it has another shape, as servers respond
 * that do not know the tracer: struct logs (old Hardhat, anvil before 2024), an empty object (anvil).
 *
 * https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#call-tracer
 *
 * @throws AppError `badResponse` for a malformed call inside of a tree.
 * @example parseCallTracer({ structLogs: [] }) // undefined
 */
export function parseCallTracer(result: unknown): ParsedFrames | undefined {
  if (!isRecord(result) || typeof result.type !== 'string' || 'structLogs' in result) return undefined;
  const root = parseFrame(result);
  const open: OpenFrame[] = [{ ...root, wire: result, depth: 1 }];
  let count = 1;
  let isCut = false;
  for (let next = open.pop(); next; next = open.pop()) {
    const { wire, calls, depth } = next;
    for (const call of asList(wire.calls)) {
      if (count === MAX_CALLS) {
        isCut = true;
        break;
      }
      if (!isRecord(call)) throw malformedError();
      if (depth === MAX_CALL_DEPTH) throw tooDeepError();
      const parsed = parseFrame(call);
      calls.push(parsed.frame);
      open.push({ ...parsed, wire: call, depth: depth + 1 });
      count++;
    }
  }
  return { root: root.frame, isCut };
}

interface OpenFrame {
  /** The calls of the frame, which are still added. */
  readonly calls: CallFrame[];
  readonly wire: PlainRecord;
  readonly depth: number;
}

function parseFrame(wire: PlainRecord): { readonly frame: CallFrame; readonly calls: CallFrame[] } {
  const type = parseType(wire.type);
  const from = parseAddress(wire.from);
  const input = parseData(wire.input);
  const output = parseData(wire.output);
  if (!type || !from || input === undefined || output === undefined) throw malformedError();
  const calls: CallFrame[] = [];
  const frame: CallFrame = {
    type,
    from,
    to: parseAddress(wire.to),
    value: parseQuantity(wire.value) ?? 0n,
    gas: parseQuantity(wire.gas),
    gasUsed: parseQuantity(wire.gasUsed),
    input,
    output,
    error: typeof wire.error === 'string' && wire.error !== '' ? wire.error : undefined,
    logs: asList(wire.logs).slice(0, MAX_FRAME_LOGS).map(parseLog),
    calls,
  };
  return { frame, calls };
}

/** The gas of a block suffices for fewer. */
const MAX_FRAME_LOGS = 100_000;

/** zkSync writes `Call` and `Create`. */
function parseType(value: unknown): CallType | undefined {
  const upper = typeof value === 'string' ? value.toUpperCase() : undefined;
  return callTypes.find((type) => type === upper);
}

/** Data that is missing is empty. */
function parseData(value: unknown): Hex | undefined {
  return value === undefined || value === null ? '0x' : parseHexData(value);
}

function parseLog(wire: unknown): FrameLog {
  const { address, topics, data, position } = isRecord(wire) ? wire : {};
  const contract = parseAddress(address);
  const parsedTopics = asList(topics).map((topic) => parseHexData(topic, 32));
  const bytes = parseData(data);
  if (!contract || bytes === undefined || parsedTopics.length > 4 || parsedTopics.includes(undefined))
    throw malformedError();
  return { address: contract, topics: parsedTopics as Hex[], data: bytes, position: parsePosition(position) };
}

function parsePosition(value: unknown): number | undefined {
  const position = parseQuantity(value);
  return position === undefined || position > BigInt(MAX_CALLS) ? undefined : Number(position);
}

/**
 * Parses the result of `trace_transaction`: a list of calls, each with its place in the tree. It has no logs. Undefined
 * if it is not such a list.
 *
 * https://openethereum.github.io/JSONRPC-trace-module
 *
 * @throws AppError `badResponse` for a malformed call, or one whose caller is not before it.
 * @example parseTraceList({}) // undefined
 */
export function parseTraceList(result: unknown): ParsedFrames | undefined {
  if (!Array.isArray(result) || result.length === 0) return undefined;
  let root: ListedFrame | undefined;
  for (const wire of result.slice(0, MAX_CALLS)) {
    if (!isRecord(wire) || !Array.isArray(wire.traceAddress)) throw malformedError();
    const listed = parseListed(wire);
    if (wire.traceAddress.length === 0 && !root) root = listed;
    else if (root) appendListed(root, wire.traceAddress, listed);
    else throw malformedError();
  }
  return root && { root: root.frame, isCut: result.length > MAX_CALLS };
}

interface ListedFrame {
  readonly frame: CallFrame;
  readonly calls: CallFrame[];
  readonly listed: ListedFrame[];
}

/** Each frame comes after the one that called it, and after those that were called before it. */
function appendListed(root: ListedFrame, path: readonly unknown[], listed: ListedFrame): void {
  if (path.length >= MAX_CALL_DEPTH) throw tooDeepError();
  let parent: ListedFrame | undefined = root;
  for (const place of path.slice(0, -1)) parent = parent?.listed[place as number];
  if (!parent || path.length === 0 || path.at(-1) !== parent.listed.length) throw malformedError();
  parent.listed.push(listed);
  parent.calls.push(listed.frame);
}

function parseListed(wire: PlainRecord): ListedFrame {
  const action = isRecord(wire.action) ? wire.action : {};
  const result = isRecord(wire.result) ? wire.result : {};
  const isCreate = wire.type === 'create';
  const isEnd = wire.type === 'suicide' || wire.type === 'selfdestruct';
  const type = isEnd
    ? 'SELFDESTRUCT'
    : parseType((isCreate ? action.creationMethod : action.callType) ?? (isCreate ? 'create' : 'call'));
  const from = parseAddress(isEnd ? action.address : action.from);
  const input = parseData(isCreate ? action.init : action.input);
  // Besu has no result of a call that reverted, but this.
  const reverted = typeof wire.error === 'string' ? (parseHexData(wire.revertReason) ?? '0x') : '0x';
  const output = parseData((isCreate ? (result.code ?? result.output) : result.output) ?? reverted);
  if (!type || !from || input === undefined || output === undefined) throw malformedError();
  const calls: CallFrame[] = [];
  const frame: CallFrame = {
    type,
    from,
    to: parseAddress(isEnd ? action.refundAddress : isCreate ? result.address : action.to),
    value: parseQuantity(isEnd ? action.balance : action.value) ?? 0n,
    gas: parseQuantity(action.gas),
    gasUsed: parseQuantity(result.gasUsed),
    input,
    output,
    error: typeof wire.error === 'string' && wire.error !== '' ? toGethError(wire.error) : undefined,
    logs: [],
    calls,
  };
  return { frame, calls, listed: [] };
}

/** Parity writes `Reverted`. */
function toGethError(error: string): string {
  return /^reverted$/i.test(error) ? 'execution reverted' : error;
}

/** @example throw malformedError(); */
export function malformedError(): AppError {
  return new AppError('badResponse', 'The response is not a trace: a call in it is malformed.');
}

function tooDeepError(): AppError {
  return new AppError('badResponse', 'The response is not a trace: it is deeper than the EVM allows.');
}

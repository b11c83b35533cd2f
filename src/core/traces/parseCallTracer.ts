import { AppError } from '../base/errors.ts';
import type { SliceOptions } from '../base/timeSlices.ts';
import { asList, isRecord, type PlainRecord } from '../base/values.ts';
import {
  type Address,
  type Hex,
  parseAddress,
  parseHexData,
  parseQuantity,
  toQuantity,
  ZERO_ADDRESS,
} from '../eth/hex.ts';
import { MAX_MESSAGE_CHARS } from '../http/response.ts';
import {
  type CallFrame,
  type CallType,
  callTypes,
  type FrameLog,
  isCreation,
  MAX_CALL_DEPTH,
  MAX_CALLS,
} from './callFrame.ts';

/** A tree of calls as a server sent it. */
export interface ParsedFrames {
  readonly root: CallFrame;
  /** Whether there are more calls than {@link MAX_CALLS}; the later ones are then left out. */
  readonly isCut: boolean;
  /** Whether calls or logs are malformed: of a call is told what is known, and a log is left out. */
  readonly isMalformed?: boolean;
  /** Whether calls name more memory than is read; their data or that of their logs is then empty. */
  readonly isDataCut?: boolean;
}

/**
 * Parses the result of the `callTracer` of geth, with its logs. Undefined if it has another shape, as servers respond
 * that do not know the tracer: struct logs (old Hardhat, anvil before 2024), an empty object (anvil).
 *
 * https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#call-tracer
 *
 * @param traced what the outermost call has where the server does not report it.
 * @throws AppError `badResponse` for a malformed outermost call, and for a tree deeper than the EVM allows; the reason of
 *   the signal when it aborts.
 * @example await parseCallTracer({ structLogs: [] }, { slices }) // undefined
 */
export async function parseCallTracer(
  result: unknown,
  { slices, signal }: SliceOptions,
  traced?: RootCall,
): Promise<ParsedFrames | undefined> {
  if (!isRecord(result) || typeof result.type !== 'string' || 'structLogs' in result) return undefined;
  const options = { slices, signal };
  const root = await parseFrame(traced ? fillRoot(result, traced) : result, undefined, options);
  const { type, from, input, output } = root.malformed;
  if (type || from || input || output) throw malformedError();
  const open: OpenFrame[] = [{ ...root, wire: result, depth: 1 }];
  let count = 1;
  let isCut = false;
  let isMalformed = root.malformed.logs === true;
  for (let next = open.pop(); next; next = open.pop()) {
    const { wire, calls, depth } = next;
    for (const call of asList(wire.calls)) {
      if (count === MAX_CALLS) {
        isCut = true;
        break;
      }
      if (depth === MAX_CALL_DEPTH) throw tooDeepError();
      if (slices.isOver()) await slices.rest({ signal });
      const record = isRecord(call) ? call : {};
      const parsed = await parseFrame(record, next.frame, options);
      if (Object.keys(parsed.malformed).length > 0) isMalformed = true;
      calls.push(parsed.frame);
      open.push({ ...parsed, wire: record, depth: depth + 1 });
      count++;
    }
  }
  return { root: root.frame, isCut, ...(isMalformed && { isMalformed }) };
}

type RootCall = Pick<CallFrame, 'from' | 'input' | 'to' | 'value'>;

function fillRoot(wire: PlainRecord, { from, to, input, value = 0n }: RootCall): PlainRecord {
  return {
    ...wire,
    from: wire.from ?? from,
    to: wire.to ?? (/^create/i.test(String(wire.type)) ? wire.to : to),
    input: wire.input ?? input,
    value: wire.value ?? toQuantity(value),
  };
}

interface OpenFrame {
  readonly frame: CallFrame;
  /** The calls of the frame, which are still added. */
  readonly calls: CallFrame[];
  readonly wire: PlainRecord;
  readonly depth: number;
}

interface ParsedFrame {
  readonly frame: CallFrame;
  readonly calls: CallFrame[];
  /** The parts that are malformed. */
  readonly malformed: { readonly [Part in 'from' | 'input' | 'logs' | 'output' | 'to' | 'type']?: true };
}

/** @param caller the frame around it, which tells who called. */
async function parseFrame(
  wire: PlainRecord,
  caller: CallFrame | undefined,
  { slices, signal }: SliceOptions,
): Promise<ParsedFrame> {
  const { type, typeName } = parseType(wire.type);
  const frame = createFrame({ ...wire, type, typeName, error: wire.error }, caller);
  const logs = asList(wire.logs);
  const known: FrameLog[] = [];
  for (const each of logs) {
    const log = parseLog(each);
    if (log) known.push(log);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return {
    frame: { ...frame.frame, logs: known },
    calls: frame.calls,
    malformed: { ...frame.malformed, ...(known.length < logs.length && { logs: true }) },
  };
}

interface WireFrame {
  readonly type: CallType;
  readonly typeName?: string | undefined;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly value?: unknown;
  readonly gas?: unknown;
  readonly gasUsed?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}

/**
 * A frame without logs of what a server reports. What it leaves out is that of the caller, empty, or unknown; what is
 * malformed is as left out.
 *
 * @example createFrame({ type: 'SELFDESTRUCT' }, undefined).frame.to // undefined
 */
export function createFrame(wire: WireFrame, caller: CallFrame | undefined): ParsedFrame {
  const { type, typeName } = wire;
  const from = parseAddress(wire.from);
  const to = parseAddress(wire.to);
  const input = parseData(wire.input);
  const output = parseData(wire.output);
  const isEnd = type === 'SELFDESTRUCT';
  const value = parseQuantity(wire.value);
  const calls: CallFrame[] = [];
  const frame: CallFrame = {
    ...{ type, typeName, from: from ?? (caller && getStorage(caller)) ?? ZERO_ADDRESS, to },
    // Servers leave the value of calls out that have none.
    value: value ?? (isEnd || type === 'UNKNOWN' || isGiven(wire.value) ? undefined : 0n),
    ...{ gas: parseQuantity(wire.gas), gasUsed: parseQuantity(wire.gasUsed) },
    ...{ input: input ?? '0x', output: output ?? '0x' },
    error: (typeof wire.error === 'string' && wire.error.slice(0, MAX_MESSAGE_CHARS)) || undefined,
    ...{ logs: [], calls },
  };
  const isTargetMissing = !to && !isCreation(frame) && !isEnd;
  const malformed = {
    ...(type === 'UNKNOWN' && { type: true as const }),
    ...(!from && (isGiven(wire.from) || !isEnd) && { from: true as const }),
    ...(((!to && isGiven(wire.to)) || isTargetMissing) && { to: true as const }),
    ...(input === undefined && { input: true as const }),
    ...(output === undefined && { output: true as const }),
  };
  return { frame, calls, malformed };
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** The contract whose storage the code of a frame uses. */
function getStorage({ type, from, to }: CallFrame): Address | undefined {
  return type === 'DELEGATECALL' || type === 'CALLCODE' ? from : to;
}

/**
 * zkSync writes `Call` and `Create`.
 *
 * @example parseType('AuthCall') // { type: 'UNKNOWN', typeName: 'AUTHCALL' }
 */
export function parseType(value: unknown): Pick<CallFrame, 'type' | 'typeName'> {
  const upper = typeof value === 'string' ? value.toUpperCase() : '';
  const type = callTypes.find((known) => known === upper) ?? OLD_TYPES[upper];
  if (type) return { type };
  return { type: 'UNKNOWN', ...(/^[A-Z0-9_]{1,24}$/.test(upper) && { typeName: upper }) };
}

/** Names before geth 1.10, in Parity, and of the calls of EOF (EIP-7069), which do what the older ones do. */
const OLD_TYPES: Readonly<Record<string, CallType | undefined>> = {
  SUICIDE: 'SELFDESTRUCT',
  EXTCALL: 'CALL',
  EXTDELEGATECALL: 'DELEGATECALL',
  EXTSTATICCALL: 'STATICCALL',
};

/** Data that is missing is empty. */
function parseData(value: unknown): Hex | undefined {
  return value === undefined || value === null ? '0x' : parseHexData(value);
}

function parseLog(wire: unknown): FrameLog | undefined {
  const { address, topics, data, position } = isRecord(wire) ? wire : {};
  const contract = parseAddress(address);
  const parsedTopics = asList(topics).map((topic) => parseHexData(topic, 32));
  const bytes = parseData(data);
  if (!contract || bytes === undefined || parsedTopics.length > 4 || parsedTopics.includes(undefined))
    return undefined;
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
 * @param traced what the outermost call has where the server does not report it.
 * @throws AppError `badResponse` for a malformed outermost call, and for a call whose caller is not before it; the reason
 *   of the signal when it aborts.
 * @example await parseTraceList({}, { slices }) // undefined
 */
export async function parseTraceList(
  result: unknown,
  { slices, signal }: SliceOptions,
  traced?: RootCall,
): Promise<ParsedFrames | undefined> {
  if (!Array.isArray(result) || result.length === 0) return undefined;
  let root: ListedFrame | undefined;
  let isMalformed = false;
  for (const wire of result.slice(0, MAX_CALLS)) {
    if (slices.isOver()) await slices.rest({ signal });
    if (!isRecord(wire) || !Array.isArray(wire.traceAddress)) throw malformedError();
    const path: readonly unknown[] = wire.traceAddress;
    const parent: ListedFrame | undefined = root && findCaller(root, path);
    if ((path.length === 0) !== (root === undefined)) throw malformedError();
    const listed = parseListed(wire, parent?.frame, traced);
    const { type, from, input, output } = listed.malformed;
    if (!root && (type || from || input || output)) throw malformedError();
    if (Object.keys(listed.malformed).length > 0) isMalformed = true;
    parent?.listed.push(listed);
    parent?.calls.push(listed.frame);
    root ??= listed;
  }
  return root && { root: root.frame, isCut: result.length > MAX_CALLS, ...(isMalformed && { isMalformed }) };
}

interface ListedFrame extends ParsedFrame {
  readonly listed: ListedFrame[];
}

/** Each frame comes after the one that called it, and after those that were called before it. */
function findCaller(root: ListedFrame, path: readonly unknown[]): ListedFrame {
  if (path.length >= MAX_CALL_DEPTH) throw tooDeepError();
  let parent: ListedFrame | undefined = root;
  for (const place of path.slice(0, -1)) parent = parent?.listed[place as number];
  if (!parent || path.length === 0 || path.at(-1) !== parent.listed.length) throw malformedError();
  return parent;
}

function parseListed(
  wire: PlainRecord,
  caller: CallFrame | undefined,
  traced: RootCall | undefined,
): ListedFrame {
  const action = isRecord(wire.action) ? wire.action : {};
  const result = isRecord(wire.result) ? wire.result : {};
  const isCreate = wire.type === 'create';
  // Some nodes call a destruction a call.
  const isEnd =
    /^(?:suicide|selfdestruct)$/i.test(String(wire.type)) ||
    (isGiven(action.refundAddress) && !isGiven(action.to));
  const { type, typeName } = isEnd
    ? ({ type: 'SELFDESTRUCT' } as const)
    : parseType(
        (isCreate ? action.creationMethod : action.callType) ?? (isCreate ? 'create' : (wire.type ?? 'call')),
      );
  const root = caller ? undefined : traced;
  // Besu has no result of a call that reverted, but this.
  const reverted = typeof wire.error === 'string' ? (parseHexData(wire.revertReason) ?? '0x') : '0x';
  const parsed = createFrame(
    {
      ...{ type, typeName },
      from: (isEnd ? action.address : action.from) ?? root?.from,
      to: isEnd ? action.refundAddress : isCreate ? result.address : (action.to ?? root?.to),
      value: isEnd ? action.balance : action.value,
      ...{ gas: action.gas, gasUsed: result.gasUsed },
      input: (isCreate ? action.init : action.input) ?? root?.input,
      output: (isCreate ? (result.code ?? result.output) : result.output) ?? reverted,
      error: typeof wire.error === 'string' ? toGethError(wire.error) : undefined,
    },
    caller,
  );
  return { ...parsed, listed: [] };
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

import type { Message } from '../base/text.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { RepeatedCall, Transaction } from '../transactions/transaction.ts';
import { findHalt } from './halts.ts';

/** What the traces of an endpoint are asked for. */
export type TracedTransaction = Pick<
  Transaction,
  | 'block'
  | 'created'
  | 'failure'
  | 'from'
  | 'gasLimit'
  | 'gasUsed'
  | 'hash'
  | 'input'
  | 'position'
  | 'status'
  | 'to'
  | 'type'
  | 'value'
>;

/** A call that a node runs on the state after a block. Nobody sends it. */
export interface SimulatedCall extends RepeatedCall {
  readonly after: bigint;
}

/** One call, creation or destruction of a transaction, with those that it made. */
export interface CallFrame {
  readonly type: CallType;
  /** The server's word for the type of an `UNKNOWN` frame: capital letters, digits and `_`. */
  readonly typeName?: string | undefined;
  /** The caller. For `DELEGATECALL` and `CALLCODE`, the contract whose storage the code uses. */
  readonly from: Address;
  /**
   * The contract whose code ran; for a creation the new contract, undefined if it failed. For `SELFDESTRUCT`, who got
   * the balance. Undefined also where the server does not report it.
   */
  readonly to: Address | undefined;
  /** In wei. A delegatecall repeats that of its caller and moves nothing. Undefined if the server does not report it. */
  readonly value: bigint | undefined;
  readonly gas: bigint | undefined;
  /** Of the root the gas of the receipt, if that is known; of the others without intrinsic gas. */
  readonly gasUsed: bigint | undefined;
  readonly input: Hex;
  /** Returned data, revert data, or the code of a new contract; `0x` if there is none. */
  readonly output: Hex;
  /** The server's word for why it failed: untrusted text. Undefined if it succeeded. */
  readonly error: string | undefined;
  readonly logs: readonly FrameLog[];
  readonly calls: readonly CallFrame[];
}

export const callTypes = [
  'CALL',
  'STATICCALL',
  'DELEGATECALL',
  'CALLCODE',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
  'UNKNOWN',
] as const;
export type CallType = (typeof callTypes)[number];

export interface FrameLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of calls that the frame made before it; undefined if the server does not tell. */
  readonly position: number | undefined;
}

/**
 * A trace of a mined transaction or of a simulated call. `cutReason` is a sentence that says why calls are missing.
 * `notOffered`: the endpoint cannot trace it; `reason` is a sentence that says why.
 */
export type Trace =
  | {
      readonly state: 'told';
      readonly root: CallFrame;
      readonly cutReason: Message | undefined;
      /** Why it may differ from what happened: it contradicts the receipt, or calls in it are malformed. */
      readonly reasons?: readonly Message[];
      /** Whether the source of the trace tells logs at all. */
      readonly hasLogs: boolean;
      readonly method: TraceMethod;
    }
  | { readonly state: 'notOffered'; readonly reason: Message };

/**
 * `eth_call` tells the outermost call only; an explorer lists its `internalTransactions` without telling which call made
 * which.
 */
export type TraceMethod =
  | 'debug_traceTransaction'
  | 'trace_transaction'
  | 'ots_traceTransaction'
  | 'internalTransactions'
  | 'debug_traceCall'
  | 'trace_call'
  | 'eth_call';

export const MAX_CALLS = 100_000;
/** The EVM allows 1,024 calls inside of the first. */
export const MAX_CALL_DEPTH = 1_025;

/** A frame and where it stands: the place of each frame among the calls of the one around it. */
export interface PlacedFrame {
  readonly frame: CallFrame;
  readonly depth: number;
}

/**
 * All frames of a tree, each before those that it called. Without recursion, as a tree may be 1,024 calls deep.
 *
 * @example [...iterateFrames(root)][0]?.depth; // 0
 */
export function* iterateFrames(root: CallFrame): Generator<PlacedFrame> {
  const open: PlacedFrame[] = [{ frame: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    const { frame, depth } = next;
    for (let place = frame.calls.length - 1; place >= 0; place--) {
      const call = frame.calls[place];
      if (call) open.push({ frame: call, depth: depth + 1 });
    }
  }
}

/**
 * Whether a frame creates a contract.
 *
 * @example isCreation({ type: 'CREATE2' }) // true
 */
export function isCreation({ type }: Pick<CallFrame, 'type'>): boolean {
  return type === 'CREATE' || type === 'CREATE2';
}

/**
 * The type as the EVM names it, or the server, or `UNKNOWN`.
 *
 * @example getTypeName({ type: 'UNKNOWN', typeName: 'AUTHCALL' }) // 'AUTHCALL'
 */
export function getTypeName({ type, typeName }: Pick<CallFrame, 'type' | 'typeName'>): string {
  return typeName ?? type;
}

/**
 * @example isOutOfGas({ error: 'out of gas: out of memory' }) // true
 */
export function isOutOfGas({ error = '' }: Pick<CallFrame, 'error'>): boolean {
  return findHalt(error)?.kind === 'gas';
}

/** Whether no code of the called contract ran: the caller lacked the balance, was too deep, or the new address is taken. */
function isRefusedCall({ error = '' }: CallFrame): boolean {
  const kind = findHalt(error)?.kind;
  return kind === 'balance' || kind === 'depth' || kind === 'collision';
}

/** One step down from a failed frame to the call in it that made it fail. */
export interface FailedFrame {
  readonly frame: CallFrame;
  /** Its place among the calls of the frame around it; -1 for the root. */
  readonly place: number;
  /** Whether only the empty data of both says that the failure of this frame ended the one around it. */
  readonly isLikely: boolean;
}

/**
 * The frames whose failure ended the transaction, from the root to the innermost; empty if the root succeeded. Only the
 * last call of a frame can have ended it, and only if the frame returned its data, or both ran out of gas: a failure
 * that was caught does not count, however deep it is.
 *
 * @example findFailedPath(root).at(-1)?.frame.to;
 */
export function findFailedPath(root: CallFrame): readonly FailedFrame[] {
  const path: FailedFrame[] = [];
  let next: FailedFrame | undefined = { frame: root, place: -1, isLikely: false };
  while (next && next.frame.error !== undefined) {
    path.push(next);
    next = findCause(next.frame);
  }
  return path;
}

function findCause(frame: CallFrame): FailedFrame | undefined {
  const place = frame.calls.findLastIndex(({ type, to }) => type !== 'SELFDESTRUCT' && to !== IDENTITY);
  const call = frame.calls[place];
  if (call?.error === undefined || isRefusedCall(call)) return undefined;
  if (isOutOfGas(call) && isOutOfGas(frame)) return { frame: call, place, isLikely: false };
  if (frame.output !== call.output) return undefined;
  return { frame: call, place, isLikely: call.output === '0x' };
}

/** The precompiled contract that copies memory: old compilers call it between a failed call and the revert. */
const IDENTITY = '0x0000000000000000000000000000000000000004';

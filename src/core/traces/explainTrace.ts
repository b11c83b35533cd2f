import type { AbiLookup, Origin } from '../abi/candidates.ts';
import { decodeParameters, isDecodeError } from '../abi/decode.ts';
import { isFitting, SELECTOR_DIGITS } from '../abi/explainData.ts';
import { explainCalldata } from '../abi/explainHex.ts';
import type { BareMeaning, DataMeaning, HexMeaning, UnfitMeaning } from '../abi/hexMeaning.ts';
import type { DecodedLog, LogDecoder } from '../abi/logDecoder.ts';
import { preferCode } from '../abi/lookup.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import { explainRevert } from '../transactions/explainTransaction.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { type CallFrame, type FrameLog, isCreation } from './callFrame.ts';

/** A call with names in place of bytes. */
export interface ExplainedFrame {
  readonly frame: CallFrame;
  /** The contract whose code ran. */
  readonly contract: string | undefined;
  /** Undefined for a creation, a transfer, or an unknown function. */
  readonly call: DataMeaning | UnfitMeaning | undefined;
  /** The function that took a call without data; undefined if that is not known. */
  readonly received?: Receiver | undefined;
  /** The returned values, as the called function declares them. */
  readonly returned: BareMeaning | undefined;
  readonly revert: HexMeaning | undefined;
  /** In the order of the frame's logs. */
  readonly logs: readonly DecodedLog[];
  readonly calls: readonly ExplainedFrame[];
}

/** A function without a selector. */
export type Receiver = 'receive()' | 'fallback()';

/**
 * Decodes each call of a trace with the ABI of the code that ran: of a delegatecall, that of `to`. Never throws on
 * malformed data. Runs in time slices.
 *
 * @param options.contracts names of contracts that are known by their code or deployment.
 * @param options.receivers what takes calls without data, of contracts whose ABI is known.
 * @param options.transaction that of the trace: the position of its logs tells which code of an upgraded contract
 *   emitted them.
 * @throws the reason of `signal` when it aborts.
 * @example
 * const { call, calls } = await explainTrace(trace.root, { transaction, lookup, decoder, contracts, chainId: 1, slices });
 */
export async function explainTrace(root: CallFrame, options: ExplainTraceOptions): Promise<ExplainedFrame> {
  const { slices, signal, transaction } = options;
  const logs = positionLogs(root, transaction);
  if (slices.isOver()) await slices.rest({ signal });
  const top: ExplainedFrame[] = [];
  const open = [{ frame: root, into: top }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { frame, into } = next;
    const calls: ExplainedFrame[] = [];
    const decoded: DecodedLog[] = [];
    into.push({ ...explainFrame(frame, options), logs: decoded, calls });
    for (const log of frame.logs) {
      decoded.push(options.decoder.decode(logs.get(log) ?? log));
      if (slices.isOver()) await slices.rest({ signal });
    }
    for (const call of frame.calls.toReversed()) open.push({ frame: call, into: calls });
    if (slices.isOver()) await slices.rest({ signal });
  }
  return top[0] as ExplainedFrame;
}

interface ExplainTraceOptions extends Abortable {
  readonly lookup: AbiLookup;
  readonly decoder: LogDecoder;
  readonly contracts: ReadonlyMap<Address, string>;
  readonly receivers?: ReadonlyMap<Address, Receiver>;
  readonly transaction: Pick<Transaction, 'block' | 'logs' | 'position'>;
  readonly chainId: number;
  readonly slices: TimeSlices;
}

type DecodableLog = Parameters<LogDecoder['decode']>[0];

function explainFrame(
  frame: CallFrame,
  { lookup, contracts, receivers, chainId }: ExplainTraceOptions,
): Omit<ExplainedFrame, 'calls' | 'logs'> {
  const { to, input, output, error } = frame;
  const codeLookup = preferCode(lookup, listCode(frame));
  const at = to && { address: to, chainId };
  const hasCall = to !== undefined && !isCreation(frame) && frame.type !== 'SELFDESTRUCT';
  const [call] = hasCall ? explainCalldata(input, { lookup: codeLookup, at }).filter(isPossible) : [];
  return {
    frame,
    contract: (to && contracts.get(to)) ?? (call && getContractAt(call.origin)),
    call,
    received: hasCall && input === '0x' ? receivers?.get(to) : undefined,
    returned: hasCall && error === undefined ? explainReturned(call, output) : undefined,
    revert:
      error === undefined ? undefined : explainRevert({ data: output, isCut: false }, codeLookup, at)[0],
  };

  /** Bytes that fit no function may be for a fallback function, unless the selector is that of the contract itself. */
  function isPossible(meaning: DataMeaning | UnfitMeaning): boolean {
    return isFitting(meaning) || getContractAt(meaning.origin) !== undefined;
  }
}

/** The contracts whose code ran for a call: those to which a proxy passed it on, the last first, then the proxy. */
function listCode(frame: CallFrame): readonly Address[] {
  const codes: Address[] = [];
  for (let inner: CallFrame | undefined = frame; inner?.to; inner = findForwarded(inner))
    codes.unshift(inner.to);
  return codes;
}

function findForwarded({ calls, input }: CallFrame): CallFrame | undefined {
  return calls.find((call) => call.type === 'DELEGATECALL' && call.input === input);
}

/** The contract that is known to be at the address, not one that only has the same function. */
export function getContractAt({ trust, contract }: Origin): string | undefined {
  return trust === 'workspace' || trust === 'bundled' || trust === 'signatures' ? undefined : contract;
}

function explainReturned(
  call: DataMeaning | UnfitMeaning | undefined,
  output: CallFrame['output'],
): BareMeaning | undefined {
  if (call?.item.kind !== 'function' || call.item.outputs.length === 0 || output === '0x') return undefined;
  const { outputs: inputs } = call.item;
  const values = decodeParameters(inputs, output);
  return isDecodeError(values) ? undefined : { kind: 'blob', inputs, values, nested: [] };
}

/** Gives the logs of a trace their positions in the block, if they are those of the receipt, one by one. */
function positionLogs(
  root: CallFrame,
  { block, position, logs = [] }: ExplainTraceOptions['transaction'],
): ReadonlyMap<FrameLog, DecodableLog> {
  const traced = listLogs(root);
  const isSame =
    traced.length === logs.length &&
    traced.every((log, place) => log.address === logs[place]?.address && log.data === logs[place]?.data);
  if (!isSame || block === undefined || position === undefined) return new Map();
  const at = { blockNumber: block, transactionIndex: position };
  return new Map(traced.map((log, place) => [log, { ...log, ...at, logIndex: logs[place]?.logIndex ?? 0 }]));
}

/** All logs in the order in which they were emitted. */
function listLogs(root: CallFrame): readonly FrameLog[] {
  const found: FrameLog[] = [];
  const open = [{ frame: root, call: 0, log: 0 }];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { frame } = inner;
    const log = frame.logs[inner.log];
    const call = frame.calls[inner.call];
    if (log && (!call || (log.position ?? Number.POSITIVE_INFINITY) <= inner.call)) {
      found.push(log);
      inner.log++;
    } else if (call) {
      open.push({ frame: call, call: 0, log: 0 });
      inner.call++;
    } else open.pop();
  }
  return found;
}

/**
 * The selector of a call; undefined for one without.
 *
 * @example getSelector({ input: '0xa9059cbb' }) // '0xa9059cbb'
 */
export function getSelector({ input }: Pick<CallFrame, 'input'>): CallFrame['input'] | undefined {
  return input.length < SELECTOR_DIGITS ? undefined : (input.slice(0, SELECTOR_DIGITS) as CallFrame['input']);
}

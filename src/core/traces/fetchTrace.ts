import { SELECTOR_DIGITS } from '../abi/explainData.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { createTimeSlices, type SliceOptions } from '../base/timeSlices.ts';
import { isRecord } from '../base/values.ts';
import { type Address, type Hex, parseHexData, toQuantity } from '../eth/hex.ts';
import type { ExplorerRest } from '../providers/blockscout/rest.ts';
import { isStateUnavailable } from '../rpc/callAtBlock.ts';
import { isMissingMethod, isRevert, readRevertData } from '../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { toCallObject } from '../transactions/transaction.ts';
import {
  type CallFrame,
  MAX_CALL_DEPTH,
  type SimulatedCall,
  type Trace,
  type TracedTransaction,
  type TraceMethod,
} from './callFrame.ts';
import { createRoot, fetchInternalTransactions, parseOtterscanCalls } from './listedCalls.ts';
import { type ParsedFrames, parseCallTracer, parseTraceList } from './parseCallTracer.ts';
import { matchReceipt, matchSimulation, type ReceiptMatch } from './receiptMatch.ts';
import { type FrameSteps, parseStepTracer, parseStructLogs, STEP_TRACER } from './steps.ts';
import { parseStructLogTree } from './structLogTree.ts';

export interface TraceReader {
  /**
   * The calls of a mined transaction, or of a call that the endpoint simulates.
   *
   * @throws AppError of any network kind but `rpc`; `badResponse`, `tooLarge`.
   */
  fetchTrace(traced: TracedTransaction | SimulatedCall, options?: RpcCallOptions): Promise<Trace>;
  /** The program counters of its failed calls; undefined if the endpoint does not tell them. @throws as above. */
  fetchSteps(
    traced: TracedTransaction | SimulatedCall,
    options?: RpcCallOptions,
  ): Promise<FrameSteps | undefined>;
  /**
   * The runtime code of contracts after a block, or now if the state of that block is gone; no entry for those that the
   * endpoint does not tell. @throws AppError of any network kind but `rpc`.
   */
  fetchCodes(
    addresses: readonly Address[],
    block: bigint | undefined,
    options?: RpcCallOptions,
  ): Promise<ReadonlyMap<Address, Hex>>;
}

/**
 * Traces transactions at one endpoint. It remembers which methods and tracers the endpoint does not offer.
 *
 * @param send sends one call, or concurrent calls as one batch, as `createBatchedCall` does.
 * @param options.explorer that of the endpoint: its list of calls is used where no method traces.
 * @example const trace = await createTraceReader(call, { clock }).fetchTrace(transaction, { signal });
 */
export function createTraceReader(
  send: RpcClient['call'],
  { clock, explorer }: { readonly clock: Clock; readonly explorer?: ExplorerRest | undefined },
): TraceReader {
  /** Those whose trace the server did not send in time: their steps are more. */
  const tooSlow = new WeakSet<TracedTransaction | SimulatedCall>();
  /** With the error that said so, if one did. */
  const missing = new Map<string, AppError | undefined>();

  /** The parsed result, or the error if the server refuses with one. */
  async function request<T>(
    { name, method, params, parse }: TraceRequest<T>,
    options: RpcCallOptions | undefined,
  ): Promise<{ readonly value: T } | { readonly error: AppError | undefined }> {
    if (missing.has(name)) return { error: missing.get(name) };
    try {
      const result = await send(method, params, { ...LIMITS, ...options });
      const slices = createTimeSlices(clock);
      const value = await parse(result, { slices, signal: options?.signal });
      // Whoever reads it begins with a new slice.
      if (slices.isOver()) await slices.rest(options);
      if (value !== undefined) return { value };
      missing.set(name, undefined);
      return { error: undefined };
    } catch (error) {
      if (!isRefusal(error) && !isAppError(error, 'timeout')) throw error;
      if (isMissingMethod(error) || isTracerRefusal(error)) missing.set(name, error);
      return { error };
    }
  }

  /** Whether the method is there, but not the tracer of calls. Steps with memory are large, so only then. */
  function hasDefaultTracerOnly(method: TraceMethod): boolean {
    const name = toRequestName('callTracer', method);
    const error = missing.get(name);
    return missing.has(name) && (error === undefined || isTracerRefusal(error));
  }

  /** What the explorer behind the endpoint lists; undefined without one. */
  async function fetchListed(
    transaction: TracedTransaction,
    options: RpcCallOptions | undefined,
  ): Promise<Trace | undefined> {
    const method = 'internalTransactions';
    if (!explorer || missing.has(method)) return undefined;
    try {
      const { root, isCut, isMalformed } = await fetchInternalTransactions(explorer, transaction, {
        ...{ clock, signal: options?.signal },
      });
      const cutReason = isCut
        ? createMessage('The explorer did not list all calls, or not in time.')
        : undefined;
      return {
        ...{ state: 'told', root, cutReason, hasLogs: false, method },
        ...(isMalformed && { reasons: [MALFORMED] }),
      };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (isAppError(error, 'notServed')) missing.set(method, error);
      return undefined;
    }
  }

  /** Without the calls that it makes. */
  async function fetchOuterCall(
    simulated: SimulatedCall,
    options: RpcCallOptions | undefined,
  ): Promise<{ readonly value: CallFrame } | { readonly error: AppError }> {
    const { from, to, value, input, gasLimit: gas } = simulated;
    const frame: CallFrame = {
      ...{ type: to ? 'CALL' : 'CREATE', from, to, value, gas, gasUsed: undefined, input },
      ...{ output: '0x', error: undefined, logs: [], calls: [] },
    };
    try {
      const params = [toCallObject(simulated), toQuantity(simulated.after)];
      const output = parseHexData(await send('eth_call', params, { ...LIMITS, ...options }));
      if (output === undefined)
        throw new AppError('badResponse', 'The response to eth_call is not hex data.');
      return { value: { ...frame, output } };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isRevert(error)) return { error };
      const { data = '0x', isCut } = readRevertData(error.details.data);
      // Of data that the client has cut, only the selector can be decoded.
      const output = isCut ? (data.slice(0, SELECTOR_DIGITS) as Hex) : data;
      const message = output === '0x' ? error.details.serverMessage : undefined;
      return { value: { ...frame, to, output, error: message ?? 'execution reverted' } };
    }
  }

  return {
    async fetchTrace(traced, options) {
      const gasUsed = 'after' in traced ? undefined : traced.gasUsed;
      let otherReason: Message | undefined;
      const refusals: AppError[] = [];
      const requests = 'after' in traced ? listCallRequests(traced) : listTraceRequests(traced);
      for (const traceRequest of requests) {
        const { fallback } = traceRequest;
        if (fallback === 'noCallTracer' && !hasDefaultTracerOnly(traceRequest.method)) continue;
        if (fallback === 'tooLarge' && !refusals.some(({ kind }) => kind === 'tooLarge')) continue;
        const response = await request(traceRequest, options);
        if ('value' in response) {
          const { root, isCut, isMalformed, isDataCut } = response.value;
          const match: ReceiptMatch =
            'after' in traced
              ? { state: 'same', root: matchSimulation(root), reasons: [] }
              : matchReceipt(root, traced);
          if (match.state === 'other') {
            otherReason ??= match.reason;
            continue;
          }
          // Some nodes give the root the gas of the block up to here.
          const frame = { ...match.root, gasUsed: gasUsed ?? root.gasUsed };
          const { method, hasLogs } = traceRequest;
          const reasons = [
            ...match.reasons,
            ...(isMalformed ? [MALFORMED] : []),
            ...(isDataCut ? [DATA_CUT] : []),
          ];
          const cutReason = isCut ? (fallback === 'tooLarge' ? TOO_LARGE : TOO_MANY) : undefined;
          return {
            ...{ state: 'told', root: frame, cutReason, hasLogs, method },
            ...(reasons.length > 0 && { reasons }),
          };
        }
        if (response.error) refusals.push(response.error);
        // Another method would take as long.
        if (response.error?.kind === 'timeout') {
          tooSlow.add(traced);
          break;
        }
      }
      const listed = 'after' in traced ? undefined : await fetchListed(traced, options);
      if (listed) return listed;
      if ('after' in traced) {
        const response = await fetchOuterCall(traced, options);
        if ('value' in response) {
          const { value: root } = response;
          return { state: 'told', root, cutReason: undefined, hasLogs: false, method: 'eth_call' };
        }
        return { state: 'notOffered', reason: describeCallRefusal(response.error) };
      }
      if (tooSlow.has(traced)) {
        const root = createRoot(traced, []);
        return { state: 'told', root, cutReason: TOO_SLOW, hasLogs: false, method: 'debug_traceTransaction' };
      }
      return { state: 'notOffered', reason: otherReason ?? describeRefusals(refusals) };
    },
    async fetchSteps(traced, options) {
      if (tooSlow.has(traced)) return undefined;
      const requests = 'after' in traced ? listCallStepRequests(traced) : listStepRequests(traced);
      for (const stepRequest of requests) {
        const response = await request(stepRequest, options);
        if ('error' in response && response.error?.kind === 'timeout') return undefined;
        if ('value' in response && response.value !== 'none') return response.value;
      }
      return undefined;
    },
    async fetchCodes(addresses, block, options) {
      const codes = new Map<Address, Hex>();
      const fetchCode = async (address: Address, tag: string) => {
        try {
          const code = parseHexData(
            await send('eth_getCode', [address, tag], { ...CODE_LIMITS, ...options }),
          );
          if (code !== undefined) codes.set(address, code);
        } catch (error) {
          if (!isAppError(error, 'rpc')) throw error;
        }
      };
      if (block !== undefined)
        await Promise.all(addresses.map((address) => fetchCode(address, toQuantity(block))));
      const others = addresses.filter((address) => !codes.has(address));
      await Promise.all(others.map((address) => fetchCode(address, 'latest')));
      return codes;
    },
  };
}

const MALFORMED = createMessage(
  'Some calls or logs of the trace are malformed: only what is known of them is shown.',
);
const DATA_CUT = createMessage(
  'The calls of the trace name more than 16 MiB of memory: the data of some is left out.',
);
const TOO_MANY = createMessage('The transaction has more than 100,000 calls: the others are not shown.');
const TOO_LARGE = createMessage(
  'The trace is larger than Chainside reads (10 MiB): only the first call is shown.',
);
const TOO_SLOW = createMessage(
  'The endpoint did not send the trace in time: only what the transaction itself tells is shown.',
);

const MAX_TRACE_BYTES = 10 * 1024 * 1024;
/** The same object in each request, so that concurrent ones can share a batch. */
const LIMITS = {
  maxBytes: MAX_TRACE_BYTES,
  /** Each call is an object in a list; a log in it has two more. A step has up to eight values. */
  json: { maxDepth: 2 * MAX_CALL_DEPTH + 8, maxValues: 2_000_000 },
} as const;
/** The code of some contracts, as hex, in one batch. */
const CODE_LIMITS = { maxBytes: 8 * 1024 * 1024 } as const;

interface TraceRequest<T> {
  /** What is remembered as missing. */
  readonly name: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Undefined if the server responds in the shape of another tracer, without an error. */
  readonly parse: (result: unknown, options: SliceOptions) => Promise<T | undefined>;
}

/** Servers refuse tracers by method: anvil had one for transactions before it had it for calls. */
function toRequestName(name: string, method: TraceMethod): string {
  return `${name} of ${method}`;
}

interface FramesRequest extends TraceRequest<ParsedFrames> {
  readonly method: TraceMethod;
  readonly hasLogs: boolean;
  /** Set where it is only for servers that have the method, but no tracer of calls, or after a response that is too large. */
  readonly fallback?: 'noCallTracer' | 'tooLarge';
}

const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true }, timeout: '20s' } as const;

function listTraceRequests(transaction: TracedTransaction): readonly FramesRequest[] {
  const { hash } = transaction;
  const method = 'debug_traceTransaction';
  return [
    {
      ...{ name: toRequestName('callTracer', method), method, params: [hash, CALL_TRACER] },
      parse: (result: unknown, options: SliceOptions) => parseCallTracer(result, options, transaction),
      hasLogs: true,
    },
    {
      name: 'trace_transaction',
      method: 'trace_transaction',
      params: [hash],
      parse: (result: unknown, options: SliceOptions) => parseTraceList(result, options, transaction),
      hasLogs: false,
    },
    {
      ...{ name: toRequestName('structLogTree', method), method, params: [hash, MEMORY_LOGS] },
      parse: (result: unknown, options: SliceOptions) => parseStructLogTree(result, transaction, options),
      hasLogs: true,
      fallback: 'noCallTracer',
    },
    {
      ...{ name: 'ots_traceTransaction', method: 'ots_traceTransaction', params: [hash] },
      parse: (result: unknown, options: SliceOptions) => parseOtterscanCalls(result, transaction, options),
      hasLogs: false,
    },
    createTopCallRequest(method, [hash], transaction),
  ];
}

function listCallRequests(simulated: SimulatedCall): readonly FramesRequest[] {
  const [call, block] = [toCallObject(simulated), toQuantity(simulated.after)];
  const method = 'debug_traceCall';
  return [
    {
      ...{ name: toRequestName('callTracer', method), method, params: [call, block, CALL_TRACER] },
      parse: (result: unknown, options: SliceOptions) => parseCallTracer(result, options, simulated),
      hasLogs: true,
    },
    {
      ...{ name: 'trace_call', method: 'trace_call', params: [call, ['trace'], block] },
      parse: (result: unknown, options: SliceOptions) =>
        parseTraceList(isRecord(result) ? result.trace : undefined, options, simulated),
      hasLogs: false,
    },
    {
      ...{ name: toRequestName('structLogTree', method), method, params: [call, block, MEMORY_LOGS] },
      parse: (result: unknown, options: SliceOptions) => parseStructLogTree(result, simulated, options),
      hasLogs: true,
      fallback: 'noCallTracer',
    },
    createTopCallRequest(method, [call, block], simulated),
  ];
}

/** Asks for the first call alone. */
function createTopCallRequest(
  method: TraceMethod,
  params: readonly unknown[],
  traced: TracedTransaction | SimulatedCall,
): FramesRequest {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true }, timeout: '20s' };
  return {
    ...{ name: toRequestName('topCall', method), method, params: [...params, tracer] },
    parse: (result: unknown, options: SliceOptions) => parseTopCall(result, traced, options),
    hasLogs: false,
    fallback: 'tooLarge',
  };
}

/** The first call, of a trace that is too large. */
async function parseTopCall(
  result: unknown,
  traced: TracedTransaction | SimulatedCall,
  options: SliceOptions,
): Promise<ParsedFrames | undefined> {
  const parsed = await parseCallTracer(result, options, traced);
  return parsed && { ...parsed, isCut: true };
}

/** With stack and memory, which have the calls. */
const MEMORY_LOGS = {
  enableMemory: true,
  disableMemory: false,
  disableStack: false,
  disableStorage: true,
  timeout: '20s',
} as const;

/** Without memory, stack and storage; geth and Hardhat name the first differently. */
const STRUCT_LOGS = {
  enableMemory: false,
  disableMemory: true,
  disableStack: true,
  disableStorage: true,
  enableReturnData: false,
  timeout: '20s',
} as const;

/**
 * The third runs the call on the state after the block before, which is the same only for the first transaction of a
 * block. It is for anvil, which records no steps while it mines.
 */
function listStepRequests(transaction: TracedTransaction): readonly TraceRequest<FrameSteps | 'none'>[] {
  const { hash, block, position } = transaction;
  const requests = listBothStepRequests('debug_traceTransaction', [hash]);
  if (position !== 0 || block === undefined || block === 0n) return requests;
  return [...requests, ...listCallStepRequests({ ...transaction, after: block - 1n }).slice(1)];
}

function listCallStepRequests(simulated: SimulatedCall): readonly TraceRequest<FrameSteps | 'none'>[] {
  return listBothStepRequests('debug_traceCall', [toCallObject(simulated), toQuantity(simulated.after)]);
}

function listBothStepRequests(
  method: TraceMethod,
  params: readonly unknown[],
): readonly TraceRequest<FrameSteps | 'none'>[] {
  return [
    {
      ...{ name: toRequestName('stepTracer', method), method },
      params: [...params, { tracer: STEP_TRACER, timeout: '20s' }],
      parse: parseStepTracer,
    },
    {
      ...{ name: toRequestName('structLogs', method), method, params: [...params, STRUCT_LOGS] },
      parse: parseStructLogs,
    },
  ];
}

/** Errors that leave the other ways to trace open. */
function isRefusal(error: unknown): error is AppError {
  return isAppError(
    error,
    'rpc',
    'forbidden',
    'notFound',
    'creditsUsedUp',
    'notServed',
    'server',
    'tooLarge',
  );
}

/** Of geth, anvil, Hardhat, Alchemy: the tracer, not the transaction, is refused. */
function isTracerRefusal({ details }: AppError): boolean {
  return /tracer/i.test(details.serverMessage ?? '');
}

/** Why no method served: the first reason that says more than that a method is missing. */
function describeRefusals(refusals: readonly AppError[]): Message {
  const reasons = refusals.map(describeRefusal).filter((reason) => reason !== undefined);
  return reasons[0] ?? createMessage('The endpoint offers no method that traces transactions.');
}

/** In the order of the tests: a later one also matches texts of the earlier ones. */
function describeRefusal(error: AppError): Message | undefined {
  const { kind, details } = error;
  const message = details.serverMessage ?? '';
  if (kind === 'tooLarge') return createMessage('The trace is larger than Chainside reads (10 MiB).');
  if (details.code === -32601 || details.code === -32604) return undefined;
  if (/\bplan\b|\btier\b|upgrade|not included/i.test(message) || kind === 'creditsUsedUp')
    return createMessage('The provider does not trace transactions in your plan.');
  if (isStateUnavailable(error))
    return createMessage('The node no longer has the state of that block. Use an archive node.');
  if (/time(?:d)? ?out|too large|invalid string length/i.test(message))
    return createMessage('The transaction takes the node too long, or its trace is too large for it.');
  if (/transaction.{0,40}not found|unable to find a block|indexing is in progress/i.test(message))
    return createMessage('The node does not find the transaction.');
  if (kind === 'forbidden' || kind === 'notFound')
    return createMessage('The endpoint does not allow methods that trace.');
  if (kind === 'rpc' && (isMissingMethod(error) || isTracerRefusal(error))) return undefined;
  return REFUSED;
}

const REFUSED = createMessage('The endpoint refused to trace the transaction.');

/** Why not even `eth_call` ran a call. */
function describeCallRefusal(error: AppError): Message {
  const message = error.details.serverMessage;
  const reason = describeRefusal(error) ?? createMessage('The endpoint offers no method that runs a call.');
  return reason === REFUSED && message !== undefined
    ? createMessage('The endpoint refused to run the call: {0}', foreign(message, MAX_MESSAGE_CHARS))
    : reason;
}

const MAX_MESSAGE_CHARS = 200;

import { type AppError, isAppError } from '../base/errors.ts';
import { type Address, type Hex, parseHexData, toQuantity } from '../eth/hex.ts';
import { isStateUnavailable } from '../rpc/callAtBlock.ts';
import { isMissingMethod } from '../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { MAX_CALL_DEPTH, type Trace, type TracedTransaction } from './callFrame.ts';
import { type ParsedFrames, parseCallTracer, parseTraceList } from './parseCallTracer.ts';
import { type FrameSteps, parseStepTracer, parseStructLogs, STEP_TRACER } from './steps.ts';
import { parseStructLogTree } from './structLogTree.ts';

export interface TraceReader {
  /** The calls of a mined transaction. @throws AppError of any network kind but `rpc`; `badResponse`, `tooLarge`. */
  fetchTrace(transaction: TracedTransaction, options?: RpcCallOptions): Promise<Trace>;
  /** The program counters of its failed calls; undefined if the endpoint does not tell them. @throws as above. */
  fetchSteps(transaction: TracedTransaction, options?: RpcCallOptions): Promise<FrameSteps | undefined>;
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
 * @example const trace = await createTraceReader(call).fetchTrace(transaction, { signal });
 */
export function createTraceReader(send: RpcClient['call']): TraceReader {
  /** With the error that said so, if one did. */
  const missing = new Map<string, AppError | undefined>();

  /** The parsed result, or the error if the server refuses with one. */
  async function request<T>(
    { name, method, params, parse }: TraceRequest<T>,
    options: RpcCallOptions | undefined,
  ): Promise<{ readonly value: T } | { readonly error: AppError | undefined }> {
    if (missing.has(name)) return { error: missing.get(name) };
    try {
      const value = parse(await send(method, params, { ...LIMITS, ...options }));
      if (value !== undefined) return { value };
      missing.set(name, undefined);
      return { error: undefined };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (isMissingMethod(error) || isTracerRefusal(error)) missing.set(name, error);
      return { error };
    }
  }

  /** Whether the method is there, but not the tracer of calls. Steps with memory are large, so only then. */
  function hasDefaultTracerOnly(): boolean {
    const error = missing.get('callTracer');
    return missing.has('callTracer') && (error === undefined || isTracerRefusal(error));
  }

  return {
    async fetchTrace(transaction, options) {
      const { gasUsed } = transaction;
      const refusals: AppError[] = [];
      for (const traceRequest of listTraceRequests(transaction)) {
        if (traceRequest.name === 'structLogTree' && !hasDefaultTracerOnly()) continue;
        const response = await request(traceRequest, options);
        if ('value' in response) {
          const { root, isCut } = response.value;
          // Some nodes give the root the gas of the block up to here.
          const frame = { ...root, gasUsed: gasUsed ?? root.gasUsed };
          const { method, hasLogs } = traceRequest;
          return { state: 'told', root: frame, isCut, hasLogs, method };
        }
        if (response.error) refusals.push(response.error);
      }
      return { state: 'notOffered', reason: describeRefusals(refusals) };
    },
    async fetchSteps(transaction, options) {
      for (const stepRequest of listStepRequests(transaction)) {
        const response = await request(stepRequest, options);
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
  readonly parse: (result: unknown) => T | undefined;
}

function listTraceRequests(transaction: TracedTransaction) {
  const { hash } = transaction;
  const callTracer = { tracer: 'callTracer', tracerConfig: { withLog: true }, timeout: '20s' };
  return [
    {
      name: 'callTracer',
      method: 'debug_traceTransaction',
      params: [hash, callTracer],
      parse: parseCallTracer,
      hasLogs: true,
    },
    {
      name: 'trace_transaction',
      method: 'trace_transaction',
      params: [hash],
      parse: parseTraceList,
      hasLogs: false,
    },
    {
      name: 'structLogTree',
      method: 'debug_traceTransaction',
      params: [hash, MEMORY_LOGS],
      parse: (result: unknown) => parseStructLogTree(result, transaction),
      hasLogs: true,
    },
  ] as const satisfies readonly (TraceRequest<ParsedFrames> & { readonly hasLogs: boolean })[];
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
  const { hash, block, position, from, to, input, value, gasLimit } = transaction;
  const parse = (result: unknown) => parseStructLogs(result);
  const method = 'debug_traceTransaction';
  const requests: TraceRequest<FrameSteps | 'none'>[] = [
    {
      name: 'stepTracer',
      method,
      params: [hash, { tracer: STEP_TRACER, timeout: '20s' }],
      parse: parseStepTracer,
    },
    { name: 'structLogs', method, params: [hash, STRUCT_LOGS], parse },
  ];
  if (position !== 0 || block === undefined || block === 0n) return requests;
  const call = {
    ...{ from, to, input, value: toQuantity(value) },
    ...(gasLimit === undefined ? {} : { gas: toQuantity(gasLimit) }),
  };
  return [
    ...requests,
    {
      name: 'debug_traceCall',
      method: 'debug_traceCall',
      params: [call, toQuantity(block - 1n), STRUCT_LOGS],
      parse,
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
function describeRefusals(refusals: readonly AppError[]): string {
  const reasons = refusals.map(describeRefusal).filter((reason) => reason !== undefined);
  return reasons[0] ?? 'The endpoint offers no method that traces transactions.';
}

/** In the order of the tests: a later one also matches texts of the earlier ones. */
function describeRefusal(error: AppError): string | undefined {
  const { kind, details } = error;
  const message = details.serverMessage ?? '';
  if (kind === 'tooLarge') return 'The trace is larger than Chainside reads (10 MiB).';
  if (details.code === -32601 || details.code === -32604) return undefined;
  if (/\bplan\b|\btier\b|upgrade|not included/i.test(message) || kind === 'creditsUsedUp')
    return 'The provider does not trace transactions in your plan.';
  if (isStateUnavailable(error))
    return 'The node no longer has the state of that block. Use an archive node.';
  if (/time(?:d)? ?out|too large|invalid string length/i.test(message))
    return 'The transaction takes the node too long, or its trace is too large for it.';
  if (/transaction.{0,40}not found|unable to find a block|indexing is in progress/i.test(message))
    return 'The node does not find the transaction.';
  if (kind === 'forbidden' || kind === 'notFound') return 'The endpoint does not allow methods that trace.';
  if (kind === 'rpc' && (isMissingMethod(error) || isTracerRefusal(error))) return undefined;
  return 'The endpoint refused to trace the transaction.';
}

import type { Clock, WaitForBackoff } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { toQuantity } from '../../eth/hex.ts';
import { BLOCK_NUMBER_METHOD, parseBlockNumber } from '../../rpc/methods.ts';
import {
  classifyBatchError,
  type RpcCallOptions,
  type RpcClient,
  type RpcOutcome,
} from '../../rpc/rpcClient.ts';
import type { Direction, Log } from '../log.ts';
import type { LogFilter, LogTest } from '../query/filter.ts';
import type { ReasonList } from '../query/verdict.ts';
import type { BlockWitness } from './blockWitness.ts';
import { asExplorer, getBatchSupport } from './dialect.ts';
import { type DialectMemory, learnFromBatch } from './dialectMemory.ts';
import type { Concurrency } from './limits.ts';
import type { WireLogs } from './parseLogs.ts';
import type { UnrequestedRows } from './rowChecks.ts';
import { dependsOnServer, type ServerFilter, toServerFilters } from './serverFilters.ts';

/**
 * What the requests of one query share: its own connection, so that its requests are counted, and what is known
 * about the server.
 */
export interface QueryContext {
  readonly rpc: RpcClient;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  /** Whether the filter requests a log, apart from its block range. */
  readonly matches: LogTest;
  readonly direction: Direction;
  readonly concurrency: Concurrency;
  /** Replaces {@link rpc} for logs if every response of the server says which blocks it covers. */
  readonly fetchWithCoverage?: FetchWithCoverage | undefined;
  /** For the current phase of the query. */
  readonly retry: RetryPolicy;
  readonly unrequestedRows: UnrequestedRows;
  /** What is wrong with the responses themselves, whichever request they belong to. */
  readonly responseReasons: ReasonList;
  /** Shows what a crowded block holds that `eth_getLogs` hides. */
  readonly blockWitness: BlockWitness;
  /** From this block on, some replicas behind the endpoint may not have seen all blocks. */
  readonly unsettledFrom: bigint;
  /** From this block on, a replica that is far behind may not have seen all blocks, so its head is requested beside. */
  readonly headNeededFrom: bigint;
  /** The latest block when the range was resolved. */
  readonly head: bigint;
  readonly heads: ReplicaHeads;
  readonly clock: Clock;
  /** Every wait before a retry goes through it. */
  readonly wait: WaitForBackoff;
  /** Makes sure that {@link memory} describes the current server; probes it once per query. */
  identify(options: Abortable): Promise<void>;
}

/** What the replicas behind one endpoint have shown of their heads. */
export interface ReplicaHeads {
  /** Called with each head that a replica reports. */
  note(head: bigint): void;
  /** Called if responses to the same request differ. */
  noteDifference(): void;
  /** Whether some replicas are known to lag: one reported a lower head than another before it, or responses differed. */
  readonly differ: boolean;
  /** The lowest reported head; undefined before any. */
  readonly lowest: bigint | undefined;
  /** Called with the last block of a response whose replica did not report its head. */
  noteHeadless(toBlock: bigint): void;
  /** The first block that such a response may lack, as a replica with a lower head has been seen. */
  getMissingFrom(): bigint | undefined;
}

export interface CoverageRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** A response without the last block of the range is useless, as the rows are read from there downwards. */
  readonly needsLast: boolean;
  readonly retry: RetryPolicy;
  /** Limit of the bytes to read. */
  readonly maxBytes?: number | undefined;
}

/** Rows of a range, complete up to the block that the server reports. */
export interface LogsWithCoverage {
  readonly wire: WireLogs;
  /** Last covered block of the range; below the first if none is covered. */
  readonly coveredTo: bigint;
  /** The server's newest block, if reported. */
  readonly head: bigint | undefined;
  /** First block that the server has, if the range begins below it. Earlier blocks are unknown. */
  readonly startsAt?: bigint | undefined;
  /** From this block on, the chain differs from the one read before. */
  readonly reorgAt: bigint | undefined;
}

/** Fetches a range from a server whose responses say which blocks they cover. */
export type FetchWithCoverage = (part: ServerFilter, range: CoverageRange) => Promise<LogsWithCoverage>;

/** How persistently a failed request is retried. */
export type RetryPolicy = Required<Pick<RpcCallOptions, 'retries' | 'maxWaitMs' | 'persistent'>>;

export interface FetchRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Last row of the previous page; only later rows are requested. */
  readonly after?: Log | undefined;
  /** Overrides the retries of the query's policy. */
  readonly retries?: number;
  /** A larger response fails as `tooLarge`. */
  readonly maxBytes?: number | undefined;
}

/** The outcome of one request for logs, and the head of the responding replica, if reported. */
export type GetLogsResult = RpcOutcome & { readonly head: bigint | undefined };

const GET_LOGS = 'eth_getLogs';

/**
 * Sends one `eth_getLogs` request, not batched, so the responding replica does not report its head.
 *
 * @throws AppError as {@link RpcClient.call} does, except `rpc`, which is an outcome.
 */
export async function getLogs(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  try {
    const params = [toParams(query, part, range)];
    return { result: await query.rpc.call(GET_LOGS, params, toCallOptions(query, range)), head: undefined };
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return { error, head: undefined };
  }
}

/**
 * {@link getLogs} batched with a request for the head, if the server takes batches: the same replica responds to
 * both. The head comes first, so that the logs cover at least the blocks up to it.
 */
export async function getLogsWithHead(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  const support = getBatchSupport(query.memory.current());
  if (support === 'refused') return getLogs(query, part, range);
  try {
    return await requestBatch(query, part, range);
  } catch (error) {
    const failure = classifyBatchError(error);
    if (!failure || (support === 'taken' && failure === 'failed')) throw error;
    const alone = await getLogs(query, part, range);
    // If the single request is refused too, the batch was not the reason.
    if ('result' in alone) learnFromBatch(query.memory, failure);
    return alone;
  }
}

/** The requests that together return every row of the filter. Probes the server if the filter depends on what it is. */
export async function resolveServerFilters(
  query: QueryContext,
  options: Abortable,
): Promise<readonly ServerFilter[]> {
  const { filter, memory } = query;
  if (dependsOnServer(filter, memory.current())) await query.identify(options);
  const dialect = memory.current();
  const parts = toServerFilters(filter, dialect);
  return parts.length > 0 ? parts : toServerFilters(filter, asExplorer(dialect));
}

async function requestBatch(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  const calls = [
    { method: BLOCK_NUMBER_METHOD, params: [] },
    { method: GET_LOGS, params: [toParams(query, part, range)] },
  ];
  const isTrial = getBatchSupport(query.memory.current()) !== 'taken';
  const [head, logs] = await query.rpc.callBatch(calls, { ...toCallOptions(query, range), isTrial });
  if (!head || !logs) return { result: undefined, head: undefined };
  // Every server supports this method, so a refusal means that it refuses the batch, call by call.
  if ('error' in head) throw head.error;
  learnFromBatch(query.memory, 'taken');
  return { ...logs, head: parseBlockNumber(head.result) };
}

function toParams({ memory }: QueryContext, part: ServerFilter, { fromBlock, toBlock, after }: FetchRange) {
  return {
    ...part,
    fromBlock: toQuantity(fromBlock),
    toBlock: toQuantity(toBlock),
    ...(after ? { paging_options: toCursor(after, memory.current().prefixedCursor) } : {}),
  };
}

function toCallOptions({ retry }: QueryContext, { retries, signal, maxBytes }: FetchRange) {
  return { ...retry, ...(retries === undefined ? {} : { retries }), signal, maxBytes };
}

/**
 * The cursor after `log`, for every Blockscout version: block and log index are hex without `0x` (its parser stops
 * at the `x`), the transaction index is an integer. All three are needed, as an incomplete cursor returns page 1
 * again.
 */
function toCursor(log: Log, prefixed: boolean) {
  const hex = (value: bigint | number) => (prefixed ? toQuantity(value) : value.toString(16));
  return {
    blockNumber: hex(log.blockNumber),
    logIndex: hex(log.logIndex),
    transactionIndex: log.transactionIndex,
  };
}

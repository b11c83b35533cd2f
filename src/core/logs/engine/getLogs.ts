import type { WaitForBackoff } from '../../base/clock.ts';
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
import type { LogFilter } from '../query/filter.ts';
import type { BlockWitness } from './blockWitness.ts';
import { asExplorer, getBatchSupport } from './dialect.ts';
import { type DialectMemory, learnFromBatch } from './dialectMemory.ts';
import type { Concurrency } from './limits.ts';
import type { WireLogs } from './parseLogs.ts';
import type { UnrequestedRows } from './rowChecks.ts';
import { dependsOnServer, type ServerFilter, toServerFilters } from './serverFilters.ts';

/** What one query asks with: its own connection, so that its requests are counted, and what is known of the server. */
export interface QueryContext {
  readonly rpc: RpcClient;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  readonly direction: Direction;
  readonly concurrency: Concurrency;
  /** In place of {@link rpc} for logs, where every answer of the server says through which block it is whole. */
  readonly fetchWithCoverage?: FetchWithCoverage | undefined;
  /** Of what the query does now. */
  readonly retry: RetryPolicy;
  readonly unrequestedRows: UnrequestedRows;
  /** Shows what a crowded block holds that `eth_getLogs` hides. */
  readonly blockWitness: BlockWitness;
  /** From this block on, not each of the machines behind the server's address may know all blocks. */
  readonly unsettledFrom: bigint;
  /** Hears of the newest block that a machine says it knows. */
  readonly noteHead: (head: bigint) => void;
  /** Every wait before the server is asked again goes through it. */
  readonly wait: WaitForBackoff;
  /** Makes sure that {@link memory} is about the server as it is now: asks it, once a query. */
  identify(options: Abortable): Promise<void>;
}

export interface CoverageRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** An answer without the last block of the range is of no use: the rows are read from there downwards. */
  readonly needsLast: boolean;
  readonly retry: RetryPolicy;
  /** More bytes than these are not read. */
  readonly maxBytes?: number | undefined;
}

/** Rows of a range, whole as far as the server says. */
export interface LogsWithCoverage {
  readonly wire: WireLogs;
  /** Last block of the range that is covered; below the first: none. */
  readonly knownTo: bigint;
  /** The newest block of the server, where it told. */
  readonly head: bigint | undefined;
  /** The first block that the server has, where the range begins below it: of those before it nothing is known. */
  readonly startsAt?: bigint | undefined;
  /** From this block on the chain is another one than when the blocks before were read. */
  readonly reorgAt: bigint | undefined;
}

/** Asks a server for a range that says in its answer through which block it is whole. */
export type FetchWithCoverage = (part: ServerFilter, range: CoverageRange) => Promise<LogsWithCoverage>;

/** How hard a failed request is tried again. */
export type RetryPolicy = Required<Pick<RpcCallOptions, 'retries' | 'maxWaitMs' | 'persistent'>>;

export interface FetchRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The last row of the page before: asks for what comes after it. */
  readonly after?: Log | undefined;
  /** Instead of the source's own effort. */
  readonly retries?: number;
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes?: number | undefined;
}

/** What became of one request for logs, and the newest block that the machine knew that answered, where it told. */
export type GetLogsResult = RpcOutcome & { readonly head: bigint | undefined };

const GET_LOGS = 'eth_getLogs';

/**
 * One `eth_getLogs` request, alone. Its answer says nothing of what the machine knew that gave it.
 *
 * @throws AppError as {@link RpcClient.call} does, `rpc` excepted, which is an outcome.
 */
export async function getLogs(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  try {
    const params = [queryOf(source, part, range)];
    return { result: await source.rpc.call(GET_LOGS, params, effortOf(source, range)), head: undefined };
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return { refusal: error, head: undefined };
  }
}

/**
 * The same in one request with the question for the head, where the server takes that: one machine answers both. The
 * head goes first, so that what is read after it has at least those blocks.
 */
export async function getLogsWithHead(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  const support = getBatchSupport(source.memory.current());
  if (support === 'refused') return getLogs(source, part, range);
  try {
    return await requestBatch(source, part, range);
  } catch (error) {
    const failure = classifyBatchError(error);
    if (!failure || (support === 'taken' && failure === 'failed')) throw error;
    const alone = await getLogs(source, part, range);
    // What is refused alone as well was not refused for being in a batch.
    if ('result' in alone) learnFromBatch(source.memory, failure);
    return alone;
  }
}

async function requestBatch(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<GetLogsResult> {
  const calls = [
    { method: BLOCK_NUMBER_METHOD, params: [] },
    { method: GET_LOGS, params: [queryOf(source, part, range)] },
  ];
  const isTrial = getBatchSupport(source.memory.current()) !== 'taken';
  const [head, logs] = await source.rpc.callBatch(calls, { ...effortOf(source, range), isTrial });
  if (!head || !logs) return { result: undefined, head: undefined };
  // Each server answers this: what it refuses is the batch, call by call.
  if ('refusal' in head) throw head.refusal;
  learnFromBatch(source.memory, 'taken');
  return { ...logs, head: parseBlockNumber(head.result) };
}

function queryOf({ memory }: QueryContext, part: ServerFilter, { fromBlock, toBlock, after }: FetchRange) {
  return {
    ...part,
    fromBlock: toQuantity(fromBlock),
    toBlock: toQuantity(toBlock),
    ...(after ? { paging_options: cursorOf(after, memory.current().prefixedCursor) } : {}),
  };
}

function effortOf({ retry }: QueryContext, { retries, signal, maxBytes }: FetchRange) {
  return { ...retry, ...(retries === undefined ? {} : { retries }), signal, maxBytes };
}

/**
 * The cursor after `log`, for every Blockscout version: block and log index as hex without `0x` (its parser stops at
 * the `x`), transaction index as an integer; all three, since an incomplete cursor gives page 1 again.
 */
function cursorOf(log: Log, prefixed: boolean) {
  const hex = (value: bigint | number) => (prefixed ? toQuantity(value) : value.toString(16));
  return {
    blockNumber: hex(log.blockNumber),
    logIndex: hex(log.logIndex),
    transactionIndex: log.transactionIndex,
  };
}

/** The requests that together give every row of the filter; asks what the server is where that decides. */
export async function resolveServerFilters(
  source: QueryContext,
  options: Abortable,
): Promise<readonly ServerFilter[]> {
  const { filter, memory } = source;
  if (dependsOnServer(filter, memory.current())) await source.identify(options);
  const dialect = memory.current();
  const parts = toServerFilters(filter, dialect);
  return parts.length > 0 ? parts : toServerFilters(filter, asExplorer(dialect));
}

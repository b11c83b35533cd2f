import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import { toQuantity } from '../../values/hex.ts';
import { forkSigns } from '../guards/forkSigns.ts';
import type { Strays } from '../guards/strays.ts';
import type { Log } from '../query/log.ts';
import { type LogFilter, matchesFilter } from '../query/logFilter.ts';
import { type DialectMemory, isBefore, isKnownByShape, PAGE_LIMIT } from '../server/dialect.ts';
import type { Pace } from '../server/pace.ts';
import type { SecondWitness } from '../server/secondWitness.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { readLogs, type WireLogs } from './readLogs.ts';

/** What one query asks with: its own connection, so that its requests are counted, and what is known of the server. */
export interface LogSource {
  readonly rpc: RpcClient;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  readonly pace: Pace;
  /** Of what the query does now. */
  readonly effort: Effort;
  readonly strays: Strays;
  /** Shows what a crowded block holds that `eth_getLogs` hides. */
  readonly witness: SecondWitness;
  /** Makes sure that {@link memory} is about the server as it is now: asks it, once a query. */
  identify(signal: AbortSignal | undefined): Promise<void>;
}

/** How hard a failed request is tried again. */
export type Effort = Required<Pick<RpcCallOptions, 'retries' | 'longestWaitMs' | 'persistent'>>;

export interface FetchRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The last row of the page before: asks for what comes after it. */
  readonly after?: Log | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Instead of the source's own effort. */
  readonly retries?: number;
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes?: number | undefined;
}

/** One answer of the server. */
export interface FetchedLogs extends WireLogs {
  /** Heights at which orphaned logs may pass for true ones. */
  readonly doubtfulAt: readonly bigint[];
  /** Of {@link logs}, those that the whole filter and the block range let through. */
  readonly matching: readonly Log[];
  /** Some of {@link logs} were not asked for: what is not there may be missing. */
  readonly hasStrays: boolean;
}

/**
 * One `eth_getLogs` request for a part of the filter. Every row is held against the whole filter.
 *
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are no logs.
 */
export async function fetchLogs(
  source: LogSource,
  ask: ServerFilter,
  { fromBlock, toBlock, after, signal, retries, maxBytes }: FetchRange,
): Promise<FetchedLogs> {
  const query = {
    ...ask,
    fromBlock: toQuantity(fromBlock),
    toBlock: toQuantity(toBlock),
    ...(after ? { paging_options: cursorOf(after, source.memory.current().prefixedCursor) } : {}),
  };
  const wire = readLogs(
    await source.rpc.call('eth_getLogs', [query], {
      ...source.effort,
      ...(retries === undefined ? {} : { retries }),
      signal,
      maxBytes,
    }),
  );
  observe(source.memory, wire);
  const matching = wire.logs.filter(
    (log) => log.blockNumber >= fromBlock && log.blockNumber <= toBlock && matchesFilter(source.filter, log),
  );
  // A row that the whole filter lets through was asked for, unless the filter went out in parts.
  const mayHaveStrays = matching.length < wire.logs.length || source.filter.addresses.length > 1;
  const hasStrays =
    mayHaveStrays && source.strays.look({ ask, fromBlock, toBlock }, wire.logs, source.memory.current());
  const removedAt = passesOrphans(source.memory) ? wire.removedAt.filter((block) => block <= toBlock) : [];
  return { ...wire, matching, hasStrays, doubtfulAt: [...removedAt, ...forkSigns(wire.logs)] };
}

/** Up to v6.7 Blockscout gives the logs of a fork twice: marked as removed, and as if they stood. */
function passesOrphans(memory: DialectMemory): boolean {
  const { release } = memory.current();
  return release !== undefined && isBefore(release, [6, 8, 0]);
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

/** Learns from the shape of an answer; forgets what it contradicts, since then the server is another one. */
function observe(memory: DialectMemory, wire: WireLogs): void {
  if (wire.count === 0) return;
  const { family, release } = memory.current();
  const knownAsOld = isKnownByShape(memory.current());
  if (wire.bareNumbers) {
    if (knownAsOld) return;
    if (family === 'node' || release !== undefined) memory.forget();
    memory.learn({ family: 'blockscout', release: [5, 0, 0] });
  } else {
    if (knownAsOld) memory.forget();
    if (wire.count > PAGE_LIMIT && family !== 'node') memory.learn({ family: 'node', release: undefined });
  }
}

import type { Address, Hex } from '../../eth/hex.ts';
import type { BatchKnowledge } from '../../rpc/batching.ts';
import type { LogFilter } from '../query/filter.ts';
import {
  type Dialect,
  getBatchSupport,
  getPagingTraits,
  inferDialect,
  mayBeTruncated,
  PAGE_LIMIT,
  type PagingTraits,
  reportsCoverage,
  unknownDialect,
} from './dialect.ts';
import type { ServerFilter } from './serverFilters.ts';

/** What has been learned about one server, for the lifetime of its client. */
export interface DialectMemory {
  current(): Dialect;
  learn(change: Partial<Dialect>): void;
  /** How many of the newest blocks hold a page of rows of the filter, as the last query of it found. */
  getNewestWidth(filter: LogFilter): bigint | undefined;
  learnNewestWidth(filter: LogFilter, blocks: bigint): void;
  /** Blooms of the headers of settled blocks that were sampled, as `missingLogs.ts` records them. Oldest first. */
  readonly blooms: Map<bigint, Hex>;
  /** From which block on the node has shown logs of a contract. */
  readonly shownFrom: Map<Address, bigint>;
  /** Forgets everything, as another server has taken its place. */
  forget(): void;
  /** How often the server turned out to be another one. */
  changes(): number;
}

/** Filters whose width is remembered. */
const MAX_WIDTHS = 256;

export function createDialectMemory(): DialectMemory {
  let dialect = unknownDialect;
  let changes = 0;
  const widths = new Map<string, bigint>();
  const blooms = new Map<bigint, Hex>();
  const shownFrom = new Map<Address, bigint>();
  const getKey = ({ addresses, topics }: LogFilter) => JSON.stringify([addresses, topics]);
  return {
    current: () => dialect,
    learn: (change) => {
      dialect = { ...dialect, ...change };
    },
    getNewestWidth: (filter) => widths.get(getKey(filter)),
    learnNewestWidth(filter, blocks) {
      const key = getKey(filter);
      widths.delete(key);
      widths.set(key, blocks);
      const [oldest] = widths.keys();
      if (widths.size > MAX_WIDTHS && oldest !== undefined) widths.delete(oldest);
    },
    blooms,
    shownFrom,
    forget: () => {
      dialect = unknownDialect;
      widths.clear();
      blooms.clear();
      shownFrom.clear();
      changes++;
    },
    changes: () => changes,
  };
}

/**
 * Learns from the shape of a response. Forgets the server if the shape contradicts it, as it must be another one
 * then.
 */
export function learnFromShape(memory: DialectMemory, shape: Parameters<typeof inferDialect>[1]): void {
  const inferred = inferDialect(memory.current(), shape);
  if (inferred?.contradicts) memory.forget();
  if (inferred?.dialect) memory.learn(inferred.dialect);
}

/** Guarantees that apply to requests for `part`. */
export function getServerPaging(
  memory: DialectMemory,
  { address }: Pick<ServerFilter, 'address'>,
): PagingTraits {
  return getPagingTraits(memory.current(), address !== undefined);
}

/** Whether a response of `count` entries to `part` is complete. */
export function isCompleteResponse(memory: DialectMemory, part: ServerFilter, count: number): boolean {
  if (reportsCoverage(memory.current())) return true;
  if (mayBeTruncated(count)) return false;
  return count > PAGE_LIMIT || count < getServerPaging(memory, part).completeBelow;
}

/** Most logs that a response to any of `parts` can have and be complete. */
export function getMaxCompleteRows(memory: DialectMemory, parts: readonly ServerFilter[]): number {
  const { maxLogs = Number.POSITIVE_INFINITY } = memory.current();
  return Math.min(maxLogs, ...parts.map((part) => getServerPaging(memory, part).completeBelow));
}

/**
 * Learns from a batch that was accepted, was refused, or failed while the same calls succeeded alone. A single
 * failure may be temporary.
 */
export function learnFromBatch(memory: DialectMemory, outcome: 'taken' | 'refused' | 'failed'): void {
  const { batches } = memory.current();
  if (outcome !== 'failed') memory.learn({ batches: outcome });
  else if (batches !== 'taken') memory.learn({ batches: batches === undefined ? 'failedOnce' : 'refused' });
}

/** Knowledge about batches for calls outside of the log engine. */
export function createBatchKnowledge(memory: DialectMemory): BatchKnowledge {
  return {
    support: () => getBatchSupport(memory.current()),
    learn: (outcome) => learnFromBatch(memory, outcome),
    maxCalls: () => memory.current().maxBatch,
    learnMaxCalls: (maxBatch) => memory.learn({ maxBatch }),
  };
}

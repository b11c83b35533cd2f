import type { BatchKnowledge } from '../../rpc/batching.ts';
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

/** What has been learnt about one server, for as long as a client of it lives. */
export interface DialectMemory {
  current(): Dialect;
  /** Adds what was learnt. */
  learn(change: Partial<Dialect>): void;
  /** Forgets all: the server is not the one that it was. */
  forget(): void;
  /** How many times the server turned out to be another. */
  changes(): number;
}

export function createDialectMemory(): DialectMemory {
  let dialect = unknownDialect;
  let changes = 0;
  return {
    current: () => dialect,
    learn: (change) => {
      dialect = { ...dialect, ...change };
    },
    forget: () => {
      dialect = unknownDialect;
      changes++;
    },
    changes: () => changes,
  };
}

/** Learns from the shape of an answer; forgets what it contradicts, since then the server is another one. */
export function learnFromShape(memory: DialectMemory, shape: Parameters<typeof inferDialect>[1]): void {
  const seen = inferDialect(memory.current(), shape);
  if (seen?.contradicts) memory.forget();
  if (seen?.dialect) memory.learn(seen.dialect);
}

/** What may be relied on when `part` is asked for. */
export function getServerPaging(
  memory: DialectMemory,
  { address }: Pick<ServerFilter, 'address'>,
): PagingTraits {
  return getPagingTraits(memory.current(), address !== undefined);
}

/** Whether an answer of `count` entries to `part` has them all. */
export function isCompleteResponse(memory: DialectMemory, part: ServerFilter, count: number): boolean {
  if (reportsCoverage(memory.current())) return true;
  if (mayBeTruncated(count)) return false;
  return count > PAGE_LIMIT || count < getServerPaging(memory, part).completeBelow;
}

/** The most logs that an answer to any of `parts` can have and be taken as whole. */
export function getMaxCompleteRows(memory: DialectMemory, parts: readonly ServerFilter[]): number {
  const { maxLogs = Number.POSITIVE_INFINITY } = memory.current();
  return Math.min(maxLogs, ...parts.map((part) => getServerPaging(memory, part).completeBelow));
}

/**
 * Learns from a batch that was answered, was refused, or failed while the same calls alone did not: once that may be of
 * the moment.
 */
export function learnFromBatch(memory: DialectMemory, outcome: 'taken' | 'refused' | 'failed'): void {
  const { batches } = memory.current();
  if (outcome !== 'failed') memory.learn({ batches: outcome });
  else if (batches !== 'taken') memory.learn({ batches: batches === undefined ? 'failedOnce' : 'refused' });
}

/** What is known of batches, for calls other than the engine's. */
export function createBatchKnowledge(memory: DialectMemory): BatchKnowledge {
  return {
    support: () => getBatchSupport(memory.current()),
    learn: (outcome) => learnFromBatch(memory, outcome),
  };
}

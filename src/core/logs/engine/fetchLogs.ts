import type { WaitForBackoff } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError } from '../../base/errors.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import type { Log } from '../log.ts';
import { matchesFilter } from '../query/filter.ts';
import { includesOrphans, PAGE_LIMIT } from './dialect.ts';
import { learnFromShape } from './dialectMemory.ts';
import {
  type FetchRange,
  type GetLogsResult,
  getLogs,
  getLogsWithHead,
  type QueryContext,
} from './getLogs.ts';
import { parseLogs, type WireLogs } from './parseLogs.ts';
import { isBeyondHead } from './rangeWidth.ts';
import { findForkedBlocks } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';

/** One answer of the server. */
export interface FetchedLogs extends WireLogs {
  /** Heights at which orphaned logs may pass for true ones. */
  readonly uncertainAt: readonly bigint[];
  /** Of {@link logs}, those that the whole filter and the block range let through. */
  readonly matching: readonly Log[];
  /** Some of {@link logs} were not asked for: what is not there may be missing. */
  readonly hasUnrequestedRows: boolean;
  /**
   * Last block of the range of which the machine knew that answered: above it rows are missing. Below the first block
   * asked for where no machine that knows that block could be found.
   */
  readonly knownTo: bigint;
  /** No machine told what it knew, so that several answers were compared instead. */
  readonly compared: boolean;
  /** From this block on the rows are of another chain than those that were read before. */
  readonly reorgAt?: bigint | undefined;
  /** The first block that the server has, where the range begins below it. */
  readonly startsAt?: bigint | undefined;
}

/**
 * The rows of a block range for a part of the filter, from one `eth_getLogs` request if all goes well. Every row is
 * held against the whole filter. Near the head it is seen to it that the machine that answers knows these blocks.
 *
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are no logs.
 */
export async function fetchLogs(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<FetchedLogs> {
  if (source.fetchWithCoverage) {
    const needsLast = source.direction.order === 'newestFirst';
    const asked = { ...range, needsLast, retry: source.retry };
    const { wire, head, ...known } = await source.fetchWithCoverage(part, asked);
    if (head !== undefined) source.noteHead(head);
    return { ...checkRows(source, part, { ...range, wire }), ...known, compared: false };
  }
  if (range.toBlock >= source.unsettledFrom) {
    const { wire, ...known } = await getLogsNearHead(source, part, range);
    return { ...checkRows(source, part, { ...range, wire }), ...known };
  }
  const asked = await getLogs(source, part, range);
  if ('refusal' in asked) throw asked.refusal;
  const wire = parseLogs(asked.result);
  return {
    ...checkRows(source, part, { ...range, wire }),
    ...{ knownTo: range.toBlock, compared: false },
  };
}

/** One answer near the head, and the newest block of the machine that gave it, where it told. */
export interface FetchedLogsWithHead extends Omit<FetchedLogs, 'compared'> {
  readonly head: bigint | undefined;
}

/**
 * {@link fetchLogs} from one request, whatever its answer is worth: what it says nothing of is asked for another time.
 *
 * @returns undefined where the machine that answered knows none of the blocks.
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are no logs.
 */
export async function fetchLogsOnce(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<FetchedLogsWithHead | undefined> {
  if (source.fetchWithCoverage) {
    const asked = { ...range, needsLast: false, retry: source.retry };
    const { wire, ...known } = await source.fetchWithCoverage(part, asked);
    if (known.head !== undefined) source.noteHead(known.head);
    return { ...checkRows(source, part, { ...range, wire }), ...known };
  }
  const { wire, ...known } = await getLogsNearHeadOnce(source, part, range);
  return wire && { ...checkRows(source, part, { ...range, wire }), ...known };
}

function checkRows(
  { filter, memory, unrequestedRows }: QueryContext,
  part: ServerFilter,
  { fromBlock, toBlock, wire }: FetchRange & { readonly wire: WireLogs },
): Omit<FetchedLogs, 'compared' | 'knownTo' | 'reorgAt' | 'startsAt'> {
  learnFromShape(memory, wire);
  const matching = wire.logs.filter(
    (log) => log.blockNumber >= fromBlock && log.blockNumber <= toBlock && matchesFilter(filter, log),
  );
  // A row that the whole filter lets through was asked for, unless the filter went out in parts.
  const mayHaveStrays = matching.length < wire.logs.length || filter.addresses.length > 1;
  const dialect = memory.current();
  const hasStrays = mayHaveStrays && unrequestedRows.check({ part, fromBlock, toBlock }, wire.logs, dialect);
  const removedAt = includesOrphans(dialect) ? wire.removedAt.filter((block) => block <= toBlock) : [];
  return {
    ...wire,
    matching,
    hasUnrequestedRows: hasStrays,
    uncertainAt: [...removedAt, ...findForkedBlocks(wire.logs)],
  };
}

/** An answer about blocks near the head, and how far it can be relied on. */
interface UnsettledLogs {
  readonly wire: WireLogs;
  /** Last block of the range that is known by it; below the first block asked for: none. */
  readonly knownTo: bigint;
  /** By several answers that were alike, and not by a machine's own word. */
  readonly compared: boolean;
}

/** Answers that have to be alike where no machine tells what it knows. */
const QUORUM = 3;

/**
 * Asks for logs near the head, where one of several machines behind an address may be some blocks behind the others. It
 * leaves out the rows of blocks that it does not know without a word, or refuses the range. So each is asked for its
 * head in the same request, and its answer counts up to there; where the server takes one call a request, answers near
 * the head count when several are alike. A machine that knows none of the blocks is asked again after a wait.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
async function getLogsNearHead(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<UnsettledLogs> {
  /** Without this block an answer is of no use. */
  const needed = range.after?.blockNumber ?? source.direction.span(range).first;
  const seen: Seen = { newest: 0n };
  let toBlock = range.toBlock;
  for (let attempt = 0; ; attempt++) {
    const asked = await getLogsWithHead(source, part, { ...range, toBlock });
    if (asked.head !== undefined) source.noteHead(asked.head);
    const answer =
      asked.head === undefined
        ? await withoutHead(source, part, { ...range, toBlock, needed, asked, seen })
        : withHead(asked, asked.head, toBlock);
    const { wire, knownTo } = answer;
    if (wire && knownTo >= needed) return { ...answer, wire };
    // Refused for the blocks that it does not know: the others can be had.
    if (knownTo >= needed) toBlock = knownTo;
    if (await waitForReplica(source.wait, attempt, range)) continue;
    return { ...answer, wire: wire ?? parseLogs([]), knownTo: bigintMin(knownTo, needed - 1n) };
  }
}

/** One answer, and what it is worth. */
export interface LogsNearHead {
  /** Undefined where the server refused blocks that it did not know. */
  readonly wire: WireLogs | undefined;
  /** Last block of the range that is known by it; below the first block asked for: none. */
  readonly knownTo: bigint;
  /** The newest block of the machine that answered, where it told. */
  readonly head: bigint | undefined;
}

/**
 * The same of one answer, which is not asked for again whatever it is worth. Where no machine tells its head, it counts
 * up to the block before its last row.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
async function getLogsNearHeadOnce(
  source: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<LogsNearHead> {
  const asked = await getLogsWithHead(source, part, range);
  const { head } = asked;
  if (head !== undefined) {
    source.noteHead(head);
    const { wire, knownTo } = withHead(asked, head, range.toBlock);
    return { wire, knownTo, head };
  }
  const wire = wireOf(asked);
  const newest = wire && newestIn(wire, range);
  const knownTo = newest !== undefined && newest > range.fromBlock ? newest - 1n : range.fromBlock - 1n;
  return { wire, knownTo, head };
}

/** What an answer is worth; without `wire` the server refused it. */
type Weighed = Omit<UnsettledLogs, 'wire'> & { readonly wire?: WireLogs };

/** A row proves that the machine knows the blocks before it, also where its own word for the head lags behind. */
function withHead(asked: GetLogsResult, head: bigint, toBlock: bigint): Weighed {
  if ('refusal' in asked) {
    if (head >= toBlock) throw asked.refusal;
    return { knownTo: head, compared: false };
  }
  const wire = parseLogs(asked.result);
  const last = wire.logs[wire.logs.length - 1];
  const proven = last && last.blockNumber > head ? last.blockNumber - 1n : head;
  return { wire, knownTo: bigintMin(proven, toBlock), compared: false };
}

interface Compared extends FetchRange {
  readonly needed: bigint;
  readonly asked: GetLogsResult;
  readonly seen: Seen;
}

/** The newest block of which any machine has given a row: one that gives none of it is behind. */
interface Seen {
  newest: bigint;
}

/** Without a word of what the machine knew, an answer is good for the blocks that each machine knows by now. */
async function withoutHead(
  source: QueryContext,
  part: ServerFilter,
  { needed, asked, seen, ...range }: Compared,
): Promise<Weighed> {
  const settled = source.unsettledFrom - 1n;
  if (needed <= settled) {
    const wire = wireOf(asked);
    if (!wire && 'refusal' in asked && range.toBlock <= settled) throw asked.refusal;
    return { ...(wire ? { wire } : {}), knownTo: bigintMin(settled, range.toBlock), compared: true };
  }
  // A full page is not taken for the end of the rows.
  const first = wireOf(asked);
  if (first && first.count === PAGE_LIMIT) return { wire: first, knownTo: range.toBlock, compared: true };
  // What each machine knows by now need not be compared.
  const fromBlock = range.after ? range.fromBlock : bigintMax(range.fromBlock, source.unsettledFrom);
  const others = Array.from({ length: QUORUM - 1 }, () => getLogs(source, part, { ...range, fromBlock }));
  const looks = (await Promise.all(others)).map(wireOf);
  for (const wire of [first, ...looks]) seen.newest = bigintMax(seen.newest, newestIn(wire, range));
  const rows = first?.logs.filter(({ blockNumber }) => blockNumber >= fromBlock) ?? [];
  const areAlike = looks.every((look) => look && isAlike(rows, look.logs));
  if (first && areAlike && newestIn(first, range) === seen.newest) {
    return { wire: first, knownTo: range.toBlock, compared: true };
  }
  return { knownTo: needed - 1n, compared: true };
}

function newestIn(wire: WireLogs | undefined, { toBlock }: FetchRange): bigint {
  return wire?.logs.findLast(({ blockNumber }) => blockNumber <= toBlock)?.blockNumber ?? 0n;
}

/** Undefined where the server refused blocks that it did not know. @throws what else it refused. */
function wireOf(asked: GetLogsResult): WireLogs | undefined {
  if (!('refusal' in asked)) return parseLogs(asked.result);
  if (isBeyondHead(asked.refusal)) return undefined;
  throw asked.refusal;
}

function isAlike(one: readonly Log[], other: readonly Log[]): boolean {
  return (
    one.length === other.length &&
    one.every((log, place) => {
      const same = other[place];
      return same?.blockHash === log.blockHash && same.logIndex === log.logIndex;
    })
  );
}

/**
 * Waits before a machine that is behind is asked again, in milliseconds: at once another may answer, then it gets the
 * time of some blocks.
 */
const REPLICA_BACKOFF_MS = [0, 250, 500, 1000, 2000, 3000, 3000];

/**
 * Waits before the try after number `attempt`, which counts from 0.
 *
 * @returns false when that was enough of them.
 * @throws AppError `aborted`.
 */
export async function waitForReplica(
  wait: WaitForBackoff,
  attempt: number,
  { signal }: Abortable,
): Promise<boolean> {
  const ms = REPLICA_BACKOFF_MS[attempt];
  if (ms === undefined) return false;
  try {
    if (ms > 0) await wait({ ms, byServer: false }, { signal });
    return true;
  } catch (cause) {
    throw new AppError('aborted', 'Cancelled.', { cause });
  }
}

import type { WaitForBackoff } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError } from '../../base/errors.ts';
import { bigintMax, bigintMin, pushAll } from '../../base/values.ts';
import { getBlockNumber } from '../../rpc/methods.ts';
import type { Log } from '../log.ts';
import { getBatchSupport, includesOrphans, mayRepeatOrphans, PAGE_LIMIT, repeatsOrphans } from './dialect.ts';
import { learnFromShape } from './dialectMemory.ts';
import {
  type FetchRange,
  type GetLogsResult,
  getLogs,
  getLogsWithHead,
  type QueryContext,
} from './getLogs.ts';
import { MAX_LAGGING } from './nodeHistory.ts';
import { keepOnePerPlace, notALog, parseLogs, type WireLogs } from './parseLogs.ts';
import { isBeyondHead } from './refusals.ts';
import { findForkedBlocks, findRepeatedIndexes } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';

/** The rows of one block range, and what is certain about them. */
export interface FetchedLogs extends WireLogs {
  /** Heights at which orphaned logs may look like canonical ones. */
  readonly uncertainAt: readonly bigint[];
  /** Those of {@link logs} that pass the complete filter and lie in the block range. */
  readonly matching: readonly Log[];
  /** Some of {@link logs} were not requested, so requested rows may be missing. */
  readonly hasUnrequestedRows: boolean;
  /**
   * Last block of the range that the responding replica has seen; rows above it may be missing. Below the first
   * requested block if no replica with that block was found.
   */
  readonly coveredTo: bigint;
  /** No replica reported its head, so several responses were compared instead. */
  readonly isByQuorum: boolean;
  /** From this block on, the rows belong to another chain than the rows read before. */
  readonly reorgAt?: bigint | undefined;
  /** First block that the server has, if the range begins below it. */
  readonly startsAt?: bigint | undefined;
}

/**
 * Fetches the rows of a block range for one part of the filter, with a single `eth_getLogs` request if all goes
 * well. Every row is checked against the complete filter. Near the head, it makes sure that the responding replica has
 * seen these blocks.
 *
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are not logs.
 */
export async function fetchLogs(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<FetchedLogs> {
  if (query.fetchWithCoverage) {
    const needsLast = query.direction.order === 'newestFirst';
    const coverageRange = { ...range, needsLast, retry: query.retry };
    const { wire, head, ...coverage } = await query.fetchWithCoverage(part, coverageRange);
    if (head !== undefined) query.heads.note(head);
    return { ...(await checkRows(query, part, { ...range, wire })), ...coverage, isByQuorum: false };
  }
  const takesBatches = getBatchSupport(query.memory.current()) !== 'refused';
  if (range.toBlock >= query.unsettledFrom || (range.toBlock >= query.headNeededFrom && takesBatches)) {
    const { wire, ...coverage } = await getLogsNearHead(query, part, range);
    return { ...(await checkRows(query, part, { ...range, wire })), ...coverage };
  }
  let response = await getLogs(query, part, range);
  // A replica that is far behind refuses blocks that others have.
  for (let attempt = 1; attempt < MAX_LAGGING && isRefusedAbove(response); attempt++)
    response = await getLogs(query, part, range);
  if ('error' in response) throw response.error;
  query.heads.noteHeadless(range.toBlock);
  const wire = parseLogs(response.result);
  return {
    ...(await checkRows(query, part, { ...range, wire })),
    coveredTo: range.toBlock,
    isByQuorum: range.toBlock >= query.headNeededFrom,
  };
}

/** One response near the head, with the head of the replica that sent it, if reported. */
interface FetchedLogsWithHead extends Omit<FetchedLogs, 'isByQuorum'> {
  readonly head: bigint | undefined;
}

/**
 * {@link fetchLogs} with a single request: blocks that the response does not cover are left to a later call.
 *
 * @returns undefined if the responding replica has seen none of the blocks.
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are not logs.
 */
export async function fetchLogsOnce(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<FetchedLogsWithHead | undefined> {
  if (query.fetchWithCoverage) {
    const coverageRange = { ...range, needsLast: false, retry: query.retry };
    const { wire, ...coverage } = await query.fetchWithCoverage(part, coverageRange);
    if (coverage.head !== undefined) query.heads.note(coverage.head);
    return { ...(await checkRows(query, part, { ...range, wire })), ...coverage };
  }
  const { wire, ...coverage } = await getLogsNearHeadOnce(query, part, range);
  return wire && { ...(await checkRows(query, part, { ...range, wire })), ...coverage };
}

/**
 * Milliseconds to wait before each retry after a lagging replica. The first retries are immediate, as another replica
 * may respond; the later ones leave time for some blocks.
 */
const REPLICA_BACKOFF_MS = [0, 0, 0, 250, 500, 1000, 2000, 3000, 3000];

/**
 * Waits before the retry that follows attempt number `attempt`, counted from 0.
 *
 * @returns false if all retries are used up.
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

async function checkRows(
  query: QueryContext,
  part: ServerFilter,
  { fromBlock, toBlock, wire, signal }: FetchRange & { readonly wire: WireLogs },
): Promise<Omit<FetchedLogs, 'isByQuorum' | 'coveredTo' | 'reorgAt' | 'startsAt'>> {
  const { filter, matches, memory, unrequestedRows, responseReasons } = query;
  // `155` may be block 155 or 341.
  if (wire.hasBareNumbers && memory.current().writesDecimals) throw notALog('blockNumber');
  learnFromShape(memory, wire);
  const repeatedIndexes = findRepeatedIndexes(wire.logs);
  if (repeatedIndexes.length > 0) await query.identify({ signal });
  const isRequested = (log: Log) =>
    log.blockNumber >= fromBlock && log.blockNumber <= toBlock && matches(log);
  const matching = wire.logs.every(isRequested) ? wire.logs : wire.logs.filter(isRequested);
  // A row that passes the complete filter was requested, unless the filter was sent in parts.
  const mayBeUnrequested = matching.length < wire.logs.length || filter.addresses.length > 1;
  const dialect = memory.current();
  const hasUnrequestedRows =
    mayBeUnrequested && unrequestedRows.check({ part, fromBlock, toBlock }, wire.logs, dialect);
  const hasOrphans = includesOrphans(dialect);
  const removedAt = hasOrphans ? wire.removedAt.filter((block) => block <= toBlock) : [];
  responseReasons.add([
    ...(hasUnrequestedRows ? [{ code: 'otherRows', block: fromBlock } as const] : []),
    ...(wire.isNull ? [{ code: 'noList', block: fromBlock } as const] : []),
    ...(wire.removedAt.length > 0 && !hasOrphans
      ? [{ code: 'blocklessRows', block: fromBlock } as const]
      : []),
    ...wire.repeatedAt.map((block) => ({ code: 'repeatedRows', block }) as const),
  ]);
  return {
    ...wire,
    matching: repeatsOrphans(dialect) ? keepOnePerPlace(matching) : matching,
    hasUnrequestedRows,
    uncertainAt: [
      ...removedAt,
      ...findForkedBlocks(wire.logs),
      ...(mayRepeatOrphans(dialect) ? repeatedIndexes : []),
    ],
  };
}

/** Logs near the head, and how far they can be relied on. */
interface UnsettledLogs {
  readonly wire: WireLogs;
  /** Last covered block of the range; below the first requested block if none is covered. */
  readonly coveredTo: bigint;
  /** Covered because several responses agree, not because a replica reported its head. */
  readonly isByQuorum: boolean;
}

/** Responses that must agree if no replica reports its head. */
export const QUORUM = 3;

/**
 * Fetches logs near the head, where an endpoint's load balancer may route to a lagging replica. Such a replica
 * silently omits rows of blocks that it has not seen, or refuses the range. So the head is requested in the same
 * batch, and the response counts up to that head. If the server takes no batches, responses near the head count
 * once several agree. If a replica has seen none of the blocks, the request is repeated after a wait.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
async function getLogsNearHead(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<UnsettledLogs> {
  /** A response that does not cover this block is useless. */
  const needed = range.after?.blockNumber ?? query.direction.span(range).first;
  const seenBlocks = new Set<bigint>();
  let toBlock = range.toBlock;
  for (let attempt = 0; ; attempt++) {
    const response = await getLogsWithHead(query, part, { ...range, toBlock });
    if (response.head !== undefined) query.heads.note(response.head);
    const assessed =
      response.head === undefined
        ? await assessWithoutHead(query, part, { ...range, toBlock, needed, response, seenBlocks, attempt })
        : assessWithHead(response, response.head, toBlock);
    const { wire, coveredTo } = assessed;
    if (wire && coveredTo >= needed) return { ...assessed, wire };
    // The server refused blocks that it has not seen. The others can still be fetched.
    if (coveredTo >= needed) toBlock = coveredTo;
    else if (attempt >= LOWER_AFTER && response.head === undefined) {
      const lowest = await fetchLowestHead(query, range);
      // If all replicas have seen the blocks, the refusal has another cause, such as pruned blocks.
      if ('error' in response && lowest >= toBlock && !query.heads.differ) throw response.error;
      if (lowest >= needed) toBlock = bigintMin(toBlock, lowest);
    }
    if (await waitForReplica(query.wait, attempt, range)) continue;
    return { ...assessed, wire: wire ?? parseLogs([]), coveredTo: bigintMin(coveredTo, needed - 1n) };
  }
}

/** Attempts after which the lagging replicas are no longer waited for, if they report their heads only alone. */
const LOWER_AFTER = 2;

/** The lowest head of the replicas that respond to a few requests. */
async function fetchLowestHead(query: QueryContext, { signal }: Abortable): Promise<bigint> {
  const requests = Array.from({ length: QUORUM }, () =>
    getBlockNumber(query.rpc, { ...query.retry, signal }),
  );
  const lowest = (await Promise.all(requests)).reduce(bigintMin);
  query.heads.note(lowest);
  return lowest;
}

/** One response near the head, and how much of it counts. */
interface LogsNearHead {
  /** Undefined if the server refused blocks that it has not seen. */
  readonly wire: WireLogs | undefined;
  /** Last covered block of the range; below the first requested block if none is covered. */
  readonly coveredTo: bigint;
  /** Head of the responding replica, if reported. */
  readonly head: bigint | undefined;
}

/**
 * {@link getLogsNearHead} with a single request. If the replica does not report its head, the response counts up to
 * the block before its last row.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
async function getLogsNearHeadOnce(
  query: QueryContext,
  part: ServerFilter,
  range: FetchRange,
): Promise<LogsNearHead> {
  const response = await getLogsWithHead(query, part, range);
  const { head } = response;
  if (head !== undefined) {
    query.heads.note(head);
    const { wire, coveredTo } = assessWithHead(response, head, range.toBlock);
    return { wire, coveredTo, head };
  }
  const wire = parseUnlessBeyondHead(response);
  const newest = wire && findNewestBlock(wire, range);
  const coveredTo = newest !== undefined && newest > range.fromBlock ? newest - 1n : range.fromBlock - 1n;
  return { wire, coveredTo, head };
}

/** The useful part of a response; without `wire`, the server refused the request. */
type AssessedLogs = Omit<UnsettledLogs, 'wire'> & { readonly wire?: WireLogs };

/** A row proves that the replica has seen all blocks before it, even if its reported head lags behind. */
function assessWithHead(response: GetLogsResult, head: bigint, toBlock: bigint): AssessedLogs {
  if ('error' in response) {
    if (head >= toBlock) throw response.error;
    return { coveredTo: head, isByQuorum: false };
  }
  const wire = parseLogs(response.result);
  const last = wire.logs[wire.logs.length - 1];
  const seenTo = last && last.blockNumber > head ? last.blockNumber - 1n : head;
  return { wire, coveredTo: bigintMin(seenTo, toBlock), isByQuorum: false };
}

interface HeadlessRequest extends FetchRange {
  readonly needed: bigint;
  readonly response: GetLogsResult;
  /** Blocks with a row from any replica. A replica without a row of the newest one is lagging. */
  readonly seenBlocks: Set<bigint>;
  readonly attempt: number;
}

/** Without a reported head, a response is valid for the blocks that every replica has seen by now. */
async function assessWithoutHead(
  query: QueryContext,
  part: ServerFilter,
  { needed, response, seenBlocks, attempt, ...range }: HeadlessRequest,
): Promise<AssessedLogs> {
  const settled = query.unsettledFrom - 1n;
  /** Blocks that are not compared, as nearly every replica has seen them. */
  const noteUncompared = () => {
    if (range.fromBlock <= settled) query.heads.noteHeadless(bigintMin(settled, range.toBlock));
  };
  if (needed <= settled) {
    const wire = parseUnlessBeyondHead(response);
    noteUncompared();
    const isLast = attempt + 1 >= MAX_LAGGING;
    if (!wire && 'error' in response && range.toBlock <= settled && isLast) throw response.error;
    return { ...(wire ? { wire } : {}), coveredTo: bigintMin(settled, range.toBlock), isByQuorum: true };
  }
  // A full page is not mistaken for the end of the rows, so it needs no comparison.
  const first = parseUnlessBeyondHead(response);
  if (first && first.count === PAGE_LIMIT) {
    noteUncompared();
    return { wire: first, coveredTo: range.toBlock, isByQuorum: true };
  }
  // Blocks that every replica has seen by now need not be compared.
  const fromBlock = range.after ? range.fromBlock : bigintMax(range.fromBlock, query.unsettledFrom);
  const compared = (wire: WireLogs) => wire.logs.filter(({ blockNumber }) => blockNumber >= fromBlock);
  const wires = [first];
  for (let round = 0; round < COMPARED_ROUNDS; round++) {
    // Requests take turns on replicas: with as many each time, the first may always reach the lagging one of three.
    const count = QUORUM - 1 + (attempt > 0 ? 1 : 0);
    const more = Array.from({ length: count }, () => getLogs(query, part, { ...range, fromBlock }));
    pushAll(wires, (await Promise.all(more)).map(parseUnlessBeyondHead));
    const given = wires.filter((wire) => wire !== undefined);
    const longest = given.reduce<readonly Log[]>((rows, wire) => {
      const others = compared(wire);
      return others.length > rows.length ? others : rows;
    }, []);
    for (const wire of given)
      for (const block of [findNewestBlock(wire, range), ...compared(wire).map((log) => log.blockNumber)])
        seenBlocks.add(block);
    // A lagging replica lacks the last rows and has all others. Anything else is another chain.
    if (!given.every((wire) => isStartOf(compared(wire), longest))) break;
    const whole = given.filter((wire) => compared(wire).length === longest.length);
    // Earlier responses may be of a range that ends later.
    const newestSeen = [...seenBlocks].filter((block) => block <= range.toBlock).reduce(bigintMax, 0n);
    const isNewest = findNewestBlock(first, range) === newestSeen;
    const areAlike = whole.length === wires.length;
    // The first request may have been refused for older blocks, which the others leave out.
    const isSameRequest = first !== undefined || fromBlock === range.fromBlock;
    if (isSameRequest && whole.length > 0 && !areAlike) query.heads.noteDifference();
    if (first && whole.includes(first) && isNewest && whole.length >= QUORUM) {
      // If some responses show lagging replicas, the others are not of those. If all are alike, all may be.
      if (!areAlike || (await isQuorum(query, range, wires.length))) {
        noteUncompared();
        return { wire: joinDoubts(first, given), coveredTo: range.toBlock, isByQuorum: true };
      }
    }
    // The first response alone has the rows that need no comparison.
    if (!first || !whole.includes(first)) break;
  }
  return { coveredTo: needed - 1n, isByQuorum: true };
}

/** Comparisons of a response with {@link QUORUM} - 1 others before the request is repeated. */
const COMPARED_ROUNDS = 3;

/**
 * Equal responses that count if some replicas are known to lag. If 30 % of the replicas do, seven responses are all from
 * lagging ones once in 4,600 times. The result is wrong only if the check at its end is wrong too.
 */
const LAGGING_QUORUM = 1 + COMPARED_ROUNDS * (QUORUM - 1);

/** Whether this many responses count if all are equal, so that none shows which replicas lag. */
async function isQuorum(query: QueryContext, range: FetchRange, responses: number): Promise<boolean> {
  if (responses >= LAGGING_QUORUM) return true;
  if (query.heads.differ) return false;
  const lowest = await fetchLowestHead(query, range);
  return lowest >= range.toBlock && !query.heads.differ;
}

function findNewestBlock(wire: WireLogs | undefined, { toBlock }: FetchRange): bigint {
  return wire?.logs.findLast(({ blockNumber }) => blockNumber <= toBlock)?.blockNumber ?? 0n;
}

/**
 * `wire` with what makes any of `others` doubtful: an entry that is left out, or null in place of a list, may come from
 * the only replica that has seen the last blocks.
 */
function joinDoubts(wire: WireLogs, others: readonly WireLogs[]): WireLogs {
  return {
    ...wire,
    removedAt: others.flatMap(({ removedAt }) => removedAt),
    isNull: others.some(({ isNull }) => isNull),
  };
}

/**
 * Undefined if the server refused blocks that it has not seen.
 *
 * @throws every other refusal.
 */
function parseUnlessBeyondHead(response: GetLogsResult): WireLogs | undefined {
  if (!('error' in response)) return parseLogs(response.result);
  if (isRefusedAbove(response)) return undefined;
  throw response.error;
}

/** Whether the server refused blocks that it has not seen. */
const isRefusedAbove = (response: GetLogsResult) => 'error' in response && isBeyondHead(response.error);

function isStartOf(rows: readonly Log[], longer: readonly Log[]): boolean {
  return rows.every((log, index) => {
    const counterpart = longer[index];
    return counterpart?.blockHash === log.blockHash && counterpart.logIndex === log.logIndex;
  });
}

import { type Abortable, forEachLimited } from '../../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../../base/errors.ts';
import { type BlockSpan, getMiddleBlock, type Log } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import {
  mayBeTruncated,
  mayRepeatOrphans,
  PAGE_LIMIT,
  repeatsOrphans,
  SURELY_COMPLETE_ROWS,
} from './dialect.ts';
import { getServerPaging, isCompleteResponse } from './dialectMemory.ts';
import { type FetchedLogs, fetchLogs } from './fetchLogs.ts';
import type { QueryContext } from './getLogs.ts';
import { createMemoryBudget, MAX_AHEAD_BYTES, MAX_BLOCK_BYTES, type MemoryBudget } from './limits.ts';
import { isBlockServed } from './nodeHistory.ts';
import { keepOnePerPlace, mergeLogs } from './parseLogs.ts';
import { createRangeNarrowing } from './rangeWidth.ts';
import { readBlock, readRefusedBlock } from './readBlock.ts';
import { mayConcernBlocks, parseListLimit, parseRangeLimitError } from './refusals.ts';
import { findRepeatedIndexes } from './rowChecks.ts';
import { countListValues, type ServerFilter, splitLists } from './serverFilters.ts';

/**
 * Every matching row of the blocks `from` through `through`, in reading order. They begin with the first requested
 * block, unless a page in order has the last ones.
 */
export interface LogWindow {
  readonly from: bigint;
  readonly through: bigint;
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
  /** Entries in its largest response, which is what a server's limit counts. */
  readonly entries: number;
  /** Approximate size of its rows in memory. */
  readonly bytes: number;
  /** The server refused more blocks without saying how many it would take. */
  readonly refused: boolean;
  /** Why its single block could not be read at all; undefined if some of it was read. */
  readonly error: unknown;
  /** All rows come from one response, so nothing can have changed between responses. */
  readonly isSingleResponse: boolean;
  /** The server returns no more. The rows still count, but {@link through} is the block before the first. */
  readonly endsQuery: boolean;
}

interface WindowRequest extends Abortable {
  /** The requests that together return every row. */
  readonly parts: readonly ServerFilter[];
  /** The window may end before the last block of the span. */
  readonly span: BlockSpan;
  /**
   * Called with a response that may be incomplete; returns true if it takes the response over as a page. The
   * default takes none.
   */
  readonly takePage?: (page: FetchedLogs) => boolean;
  /** Sends one request, and gives up if its response is neither complete nor a page in order. */
  readonly isTrial?: boolean;
  /**
   * Whether the window is the next one in order (the default). Other windows get a small budget, as there can be
   * many.
   */
  readonly isNext?: () => boolean;
}

/**
 * Reads the blocks of `span`, as far as one response to each of `parts` reaches: from its first block, or up to its
 * last one if a page in order has those. The range shrinks until every response is complete: the only way that loses
 * no row on any server. Memory is bounded. The query ends if a single block exceeds what a block can hold, or if the
 * server keeps responding with unrequested rows.
 *
 * @returns undefined if `takePage` took a response, if the window is too large to be read ahead, or if a trial failed.
 * @throws AppError as {@link fetchLogs} does.
 */
export async function readWindow(
  query: QueryContext,
  { parts, span, takePage = () => false, isTrial = false, isNext = () => true, signal }: WindowRequest,
): Promise<LogWindow | undefined> {
  const { direction } = query;
  const { first } = span;
  const rows = createWindowRows(query, span, () => (isNext() ? MAX_BLOCK_BYTES : MAX_AHEAD_BYTES));
  const { budget } = rows;
  const finalRows: (readonly Log[])[] = [];
  const narrowing = createRangeNarrowing(query, first);
  let openParts = parts;
  let unknownRefusals = 0;
  let state = 'reading' as 'reading' | 'stopped' | 'postponed' | 'ended';
  let endReason: VerdictReason | undefined;
  const serverReasons: VerdictReason[] = [];
  let refusal: unknown;
  let entries = 0;
  let fetches = 0;

  async function readPart(part: ServerFilter): Promise<void> {
    if (state !== 'reading') return;
    const end = rows.through;
    const maxBytes = isNext() ? undefined : MAX_AHEAD_BYTES;
    fetches++;
    let page: FetchedLogs;
    try {
      const retries = isTrial ? { retries: 0 } : {};
      const blocks = direction.blocks({ first, last: end });
      page = await fetchLogs(query, part, { ...blocks, ...retries, signal, maxBytes });
    } catch (error) {
      if (isTrial) {
        giveUpTrial(error, end);
        return;
      }
      const isTooMuchAhead = maxBytes !== undefined && end === first && isAppError(error, 'tooLarge');
      if (isTooMuchAhead) state = 'postponed';
      else await afterRefusal(part, error, end);
      return;
    }
    await acceptPage(part, page, end);
  }

  async function acceptPage(part: ServerFilter, page: FetchedLogs, end: bigint): Promise<void> {
    entries = Math.max(entries, page.count);
    if (page.isByQuorum) fetches++;
    if (page.hasUnrequestedRows && query.unrequestedRows.isProven) {
      finalRows.push(page.matching);
      endWith({ code: 'questionIgnored', block: first });
      return;
    }
    if (page.coveredTo < first) {
      endWith(
        page.isByQuorum
          ? { code: 'serversDiffer', block: direction.blocks({ first, last: end }).fromBlock }
          : { code: 'headWentBack' },
      );
      return;
    }
    if (direction.order === 'oldestFirst') rows.endAt(page.coveredTo);
    if (page.count >= SURELY_COMPLETE_ROWS || mayBeTruncated(page.count)) await query.identify({ signal });
    rows.addForks(page.uncertainAt);
    if (page.reorgAt !== undefined) serverReasons.push({ code: 'reorg', block: page.reorgAt });
    if (page.startsAt !== undefined) serverReasons.push({ code: 'startsLater', block: page.startsAt });
    if (isCompleteResponse(query.memory, part, page.count)) {
      budget.take(page.count, page.matching);
      acceptRows(part, { logs: page.matching, reasons: [] });
    } else if (!page.hasUnrequestedRows && takePage(page)) {
      state = 'stopped';
    } else if (isTrial && !isInOrder(part, page)) {
      state = 'stopped';
    } else if (end === first) {
      fetches++;
      rows.shrinkToFirstBlock();
      acceptRows(part, await readBlock({ query, part, block: end, budget, signal }, page));
    } else acceptFullPage(part, page, end);
  }

  function endWith(reason: VerdictReason): void {
    state = 'ended';
    endReason = reason;
  }

  function acceptRows(part: ServerFilter, complete: CompleteRows): void {
    rows.accept(part, complete);
    if (!budget.isExceeded) return;
    if (!budget.exceedsBlock) state = 'postponed';
    else endWith({ code: query.unrequestedRows.isProven ? 'questionIgnored' : 'endlessBlock', block: first });
  }

  async function afterRefusal(part: ServerFilter, error: unknown, end: bigint): Promise<void> {
    const { fromBlock, toBlock } = direction.blocks({ first, last: end });
    const listLimit = parseListLimit(error);
    if (listLimit && splitPart(part, listLimit.maxValues)) return;
    const limit = parseRangeLimitError(error, fromBlock);
    if (!limit) {
      if (!(await servesEnds(error, part, { fromBlock, toBlock })) || unknownRefusals > MAX_UNKNOWN) {
        await splitOrThrow(part, error, toBlock);
        return;
      }
      // The first time, the error may have been a passing one. After that, fewer blocks are requested.
      if (unknownRefusals++ > 0 && end !== first) rows.endAt(narrowing.afterError({ ofContent: false }, end));
      return;
    }
    if (end === first && !limit.ofContent) {
      await splitOrThrow(part, error, toBlock);
      return;
    }
    if (end === first) {
      rows.shrinkToFirstBlock();
      const block = await readRefusedBlock({ query, part, block: end, budget, signal });
      if (block.reasons.length > 0) refusal = error;
      acceptRows(part, block);
      return;
    }
    rows.endAt(narrowing.afterError(limit, end));
  }

  /** Remembers the limits that a refusal reveals. Any other error will come again if it matters. */
  function giveUpTrial(error: unknown, end: bigint): void {
    throwIfAborted(signal);
    const limit = parseRangeLimitError(error, direction.blocks({ first, last: end }).fromBlock);
    if (limit) narrowing.afterError(limit, end);
    state = 'stopped';
  }

  /**
   * Splits the lists of addresses and topics that the server refuses, whatever the blocks. False if there is none.
   *
   * @param named most values in one list according to the server.
   */
  function splitPart(part: ServerFilter, named?: number): boolean {
    const values = countListValues(part);
    if (values === 1) return false;
    const maxValues = named !== undefined && named < values ? named : Math.ceil(values / 2);
    query.memory.learn({ maxValues });
    openParts = openParts.flatMap((other) => (other === part ? splitLists(part, maxValues) : other));
    return true;
  }

  /** Splits the lists if the server may refuse their length in words that are not known; otherwise throws the error. */
  async function splitOrThrow(part: ServerFilter, error: unknown, block: bigint): Promise<void> {
    if (!(await servesOneValue(error, part, block)) || !splitPart(part)) throw error;
  }

  /** Whether the server returns the logs of one value of each list, so that the lists may be too long for it. */
  async function servesOneValue(error: unknown, part: ServerFilter, block: bigint): Promise<boolean> {
    if (countListValues(part) === 1 || query.fetchWithCoverage || !mayConcernBlocks(error)) return false;
    const firstOf = <T>(values: T | readonly T[]) => [values].flat()[0] as T;
    const { address, topics } = part;
    const one = {
      ...(address !== undefined && { address: firstOf(address) }),
      ...(topics && { topics: topics.map((values) => firstOf(values)) }),
    };
    return isBlockServed(query, one, block, { signal });
  }

  /** Whether the server returns the logs of the first and of the last block alone, so that it may return them all. */
  async function servesEnds(error: unknown, part: ServerFilter, ends: BlockBounds): Promise<boolean> {
    if (query.fetchWithCoverage || !mayConcernBlocks(error)) return false;
    if (unknownRefusals > 0) return true;
    const isServed = (block: bigint) => isBlockServed(query, part, block, { signal });
    return (
      (await isServed(ends.toBlock)) && (ends.toBlock === ends.fromBlock || (await isServed(ends.fromBlock)))
    );
  }

  /**
   * If a full page holds the lowest rows in order, every block below its last one is complete, and the next window
   * ends or starts there. Otherwise, or if the page does not have the server's page size, nothing is certain about
   * the missing rows, so a smaller range is requested.
   */
  function acceptFullPage(part: ServerFilter, page: FetchedLogs, end: bigint): void {
    const { fromBlock, toBlock } = direction.blocks({ first, last: end });
    const last = page.logs[page.logs.length - 1]?.blockNumber;
    const isDownward = direction.order === 'newestFirst';
    // A reorg can move the last row out of the range.
    const showsEdge = last !== undefined && last > fromBlock && (!isDownward || last <= toBlock);
    if (!isInOrder(part, page) || !showsEdge) {
      rows.endAt(narrowing.afterFullPage(page.logs, getServerPaging(query.memory, part).completeBelow, end));
    } else if (isDownward && openParts.length > 1) {
      // The pages of the parts end at different blocks.
      rows.endAt(narrowing.afterPageOfLast(page.logs, end));
    } else {
      if (isDownward) rows.startAt(last - 1n);
      else rows.endAt(last - 1n);
      budget.take(page.count, page.matching);
      acceptRows(part, { logs: page.matching, reasons: [] });
    }
  }

  const isInOrder = (part: ServerFilter, { count, hasUnrequestedRows }: FetchedLogs) =>
    getServerPaging(query.memory, part).isOrdered && count === PAGE_LIMIT && !hasUnrequestedRows;

  while (state === 'reading') {
    const missingParts = openParts.filter(rows.isMissing);
    if (missingParts.length === 0) break;
    await forEachLimited(missingParts, readPart, { limit: 4 });
  }
  if (state === 'stopped' || state === 'postponed') return undefined;
  const { logs, forkReasons } = await rows.join(finalRows);
  return {
    from: rows.from,
    through: endReason ? direction.onward(first, -1n) : rows.through,
    entries,
    bytes: budget.bytes,
    refused: narrowing.refused,
    error: logs.length === 0 ? refusal : undefined,
    isSingleResponse: fetches === 1,
    endsQuery: endReason !== undefined,
    logs,
    reasons: [...(endReason ? [endReason] : rows.listReasons()), ...forkReasons, ...serverReasons],
  };
}

/** Refusals of unknown kind in one window, with as many halvings of its blocks. */
const MAX_UNKNOWN = 40;

interface BlockBounds {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** All rows of one part of a window. */
interface CompleteRows {
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
}

/** The rows read so far of a window that may shrink while it is read. */
interface WindowRows {
  readonly budget: MemoryBudget;
  /** First block of the window, in reading order. */
  readonly from: bigint;
  /** Last block of the window, in reading order. */
  readonly through: bigint;
  isMissing(part: ServerFilter): boolean;
  /** If all responses together exceed the budget, halves the window; no block needs to be requested again. */
  accept(part: ServerFilter, complete: CompleteRows): void;
  /** Starts the window at `block`. */
  startAt(block: bigint): void;
  /** Ends the window at `block` at the latest. */
  endAt(block: bigint): void;
  /** Drops everything above the first block. */
  shrinkToFirstBlock(): void;
  listReasons(): readonly VerdictReason[];
  /** Adds heights that may have rows of a fork. */
  addForks(blocks: readonly bigint[]): void;
  /** The rows through {@link through}, with `more`, which are rows of incomplete parts. */
  join(more: readonly (readonly Log[])[]): Promise<JoinedRows>;
}

interface JoinedRows {
  /** In reading order. */
  readonly logs: readonly Log[];
  /** For the heights that may have rows of a fork. */
  readonly forkReasons: readonly VerdictReason[];
}

/** @param maxBytes as for {@link createMemoryBudget}. */
function createWindowRows(
  { direction, memory, clock }: Pick<QueryContext, 'clock' | 'direction' | 'memory'>,
  { first, last }: BlockSpan,
  maxBytes: () => number,
): WindowRows {
  const completeParts = new Map<ServerFilter, CompleteRows>();
  const budget = createMemoryBudget(maxBytes);
  const forkedAt = new Set<bigint>();
  let from = first;
  let through = last;
  let isOneBlock = first === last;
  const isBeyond = (block: bigint) =>
    direction.distance(through, block) > 0n || direction.distance(block, from) > 0n;

  function shrinkTo(block: bigint): void {
    through = block;
    for (const [part, { logs, reasons }] of completeParts)
      completeParts.set(part, { logs: dropBeyond(logs), reasons });
    budget.reset([...completeParts.values()].map(({ logs }) => logs));
  }

  function dropBeyond(logs: readonly Log[]): readonly Log[] {
    const outerRows = [logs[0], logs[logs.length - 1]];
    const reachesBeyond = outerRows.some((log) => log && isBeyond(log.blockNumber));
    return reachesBeyond ? logs.filter((log) => !isBeyond(log.blockNumber)) : logs;
  }

  return {
    budget,
    get from() {
      return from;
    },
    get through() {
      return through;
    },
    isMissing: (part) => !completeParts.has(part),
    accept(part, complete) {
      completeParts.set(part, complete);
      while (budget.isExceeded && through !== from)
        shrinkTo(getMiddleBlock(direction, { first: from, last: through }));
    },
    startAt(block) {
      from = block;
    },
    endAt(block) {
      through = direction.nearer(through, block);
    },
    shrinkToFirstBlock() {
      if (!isOneBlock) shrinkTo(first);
      isOneBlock = true;
    },
    listReasons: () => [...completeParts.values()].flatMap(({ reasons }) => reasons),
    addForks(blocks) {
      for (const block of blocks) forkedAt.add(block);
    },
    async join(more) {
      const parts = [...[...completeParts.values()].map(({ logs }) => logs), ...more];
      const merged = await mergeLogs(parts.map(dropBeyond), { clock });
      // Two parts may each have one of two logs at one index.
      const repeatedAt =
        parts.length > 1 && mayRepeatOrphans(memory.current()) ? findRepeatedIndexes(merged) : [];
      const forks = [...new Set([...forkedAt, ...repeatedAt])].filter((block) => !isBeyond(block));
      return {
        logs: direction.inOrder(repeatsOrphans(memory.current()) ? keepOnePerPlace(merged) : merged),
        forkReasons: forks.map((block) => ({ code: 'forkRows', block })),
      };
    },
  };
}

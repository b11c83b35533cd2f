import { type Abortable, forEachLimited } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { type BlockSpan, type Direction, getMiddleBlock, type Log } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { mayBeTruncated, PAGE_LIMIT, SURELY_COMPLETE_ROWS } from './dialect.ts';
import { getServerPaging, isCompleteResponse } from './dialectMemory.ts';
import { type FetchedLogs, fetchLogs } from './fetchLogs.ts';
import type { QueryContext } from './getLogs.ts';
import { createMemoryBudget, MAX_AHEAD_BYTES, MAX_BLOCK_BYTES, type MemoryBudget } from './limits.ts';
import { mergeLogs } from './parseLogs.ts';
import { createRangeNarrowing, parseRangeLimitError } from './rangeWidth.ts';
import { readBlock, readRefusedBlock } from './readBlock.ts';
import type { ServerFilter } from './serverFilters.ts';

/** Every matching row of the blocks from the first asked for through `through`, all in the order of reading. */
export interface LogWindow {
  readonly through: bigint;
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
  /** Entries in the fullest of its answers: what a server's limit counts. */
  readonly entries: number;
  /** Bytes that its rows take in memory, about. */
  readonly bytes: number;
  /** The server refused more blocks without saying what it would take. */
  readonly refused: boolean;
  /** Why nothing could be had of its one block; undefined where something was. */
  readonly refusal: unknown;
  /** It is the rows of one answer: nothing can have changed while it was read. */
  readonly atOnce: boolean;
  /** No more can be had of this server. The rows are kept, but {@link through} is the block before the first. */
  readonly ends: boolean;
}

interface WindowRequest extends Abortable {
  /** The requests that together give every row. */
  readonly parts: readonly ServerFilter[];
  /** The window may end before its last block. */
  readonly span: BlockSpan;
  /** Called with an answer that is not surely whole; may take it as a page. By default none is taken. */
  readonly takePage?: (page: FetchedLogs) => boolean;
  /** Whether the window is the next in order, as it is by default. One that is not holds little: there can be many. */
  readonly isNext?: () => boolean;
}

/** All rows of one part of a window. */
interface CompleteRows {
  readonly logs: readonly Log[];
  readonly reasons: readonly VerdictReason[];
}

/** What has come in of a window that gets shorter while it is read: the room that it takes counts its rows so far. */
interface WindowRows {
  readonly room: MemoryBudget;
  /** Last block of the window, in the order of reading. */
  readonly through: bigint;
  isMissing(part: ServerFilter): boolean;
  /** Where the answers together are too much, half of the blocks is enough, which need not be asked for again. */
  keep(part: ServerFilter, answer: CompleteRows): void;
  /** The window ends at `block`, or before it. */
  endAt(block: bigint): void;
  /** From here on only what is of the first block counts. */
  becomeOneBlock(): void;
  /** The rows of the blocks through {@link through} in the order of reading, with `more` that no part is whole by. */
  logs(more: readonly (readonly Log[])[]): readonly Log[];
  reasons(): readonly VerdictReason[];
  /** Heights at which rows of a fork may have come. */
  addForks(blocks: readonly bigint[]): void;
  /** Doubts about those through {@link through}. */
  forks(): readonly VerdictReason[];
}

/** @param mostBytes as {@link createMemoryBudget} takes it. */
function createWindowRows(
  direction: Direction,
  { first, last }: BlockSpan,
  mostBytes: () => number,
): WindowRows {
  const whole = new Map<ServerFilter, CompleteRows>();
  const room = createMemoryBudget(mostBytes);
  const forkedAt = new Set<bigint>();
  let through = last;
  let oneBlock = first === last;
  const isBeyond = (block: bigint) => direction.distance(through, block) > 0n;

  function shrinkTo(block: bigint): void {
    through = block;
    for (const [part, { logs, reasons }] of whole) whole.set(part, { logs: within(logs), reasons });
    room.reset([...whole.values()].map(({ logs }) => logs));
  }

  function within(logs: readonly Log[]): readonly Log[] {
    const ends = [logs[0], logs[logs.length - 1]];
    const reachesBeyond = ends.some((log) => log && isBeyond(log.blockNumber));
    return reachesBeyond ? logs.filter((log) => !isBeyond(log.blockNumber)) : logs;
  }

  return {
    room,
    get through() {
      return through;
    },
    isMissing: (part) => !whole.has(part),
    keep(part, answer) {
      whole.set(part, answer);
      while (room.over && through !== first) shrinkTo(getMiddleBlock(direction, { first, last: through }));
    },
    endAt(block) {
      through = direction.nearer(through, block);
    },
    becomeOneBlock() {
      if (!oneBlock) shrinkTo(first);
      oneBlock = true;
    },
    logs(more) {
      const parts = [...[...whole.values()].map(({ logs }) => logs), ...more];
      return direction.inOrder(mergeLogs(parts.map(within)));
    },
    reasons: () => [...whole.values()].flatMap(({ reasons }) => reasons),
    addForks(blocks) {
      for (const block of blocks) forkedAt.add(block);
    },
    forks: () =>
      [...forkedAt].filter((block) => !isBeyond(block)).map((block) => ({ code: 'forkRows', block })),
  };
}

/**
 * Reads the blocks of `span` from its first as far as one answer for each of `parts` reaches. The range shrinks until
 * every answer is whole: the one way that loses no row on any server. How much is held of it is bounded; a single block
 * that holds more than a block can, or answers to other questions, end the query.
 *
 * @returns undefined when `takePage` took an answer over, or the window holds too much to be read before it is next.
 * @throws AppError as {@link fetchLogs} does.
 */
export async function readWindow(
  source: QueryContext,
  { parts, span, takePage = () => false, isNext = () => true, signal }: WindowRequest,
): Promise<LogWindow | undefined> {
  const { direction } = source;
  const { first } = span;
  const rows = createWindowRows(direction, span, () => (isNext() ? MAX_BLOCK_BYTES : MAX_AHEAD_BYTES));
  const { room } = rows;
  const lastRows: (readonly Log[])[] = [];
  const smaller = createRangeNarrowing(source, first);
  let state = 'reading' as 'reading' | 'takenOver' | 'postponed' | 'ended';
  let endReason: VerdictReason | undefined;
  const told: VerdictReason[] = [];
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
      page = await fetchLogs(source, part, { ...direction.blocks({ first, last: end }), signal, maxBytes });
    } catch (error) {
      const isTooMuchAhead = maxBytes !== undefined && end === first && isAppError(error, 'tooLarge');
      if (isTooMuchAhead) state = 'postponed';
      else await afterRefusal(part, error, end);
      return;
    }
    await accept(part, page, end);
  }

  async function accept(part: ServerFilter, page: FetchedLogs, end: bigint): Promise<void> {
    entries = Math.max(entries, page.count);
    if (page.compared) fetches++;
    if (page.hasUnrequestedRows && source.unrequestedRows.proven) {
      lastRows.push(page.matching);
      endWith({ code: 'questionIgnored', block: first });
      return;
    }
    if (page.knownTo < first) {
      endWith(
        page.compared ? { code: 'serversDiffer', block: source.unsettledFrom } : { code: 'headWentBack' },
      );
      return;
    }
    if (direction.order === 'oldestFirst') rows.endAt(page.knownTo);
    if (page.count >= SURELY_COMPLETE_ROWS || mayBeTruncated(page.count)) await source.identify({ signal });
    rows.addForks(page.uncertainAt);
    if (page.reorgAt !== undefined) told.push({ code: 'reorg', block: page.reorgAt });
    if (page.startsAt !== undefined) told.push({ code: 'startsLater', block: page.startsAt });
    if (isCompleteResponse(source.memory, part, page.count)) {
      room.take(page.count, page.matching);
      keep(part, { logs: page.matching, reasons: [] });
    } else if (!page.hasUnrequestedRows && takePage(page)) {
      state = 'takenOver';
    } else if (end === first) {
      fetches++;
      rows.becomeOneBlock();
      keep(part, await readBlock({ source, part, block: end, budget: room, signal }, page));
    } else if (direction.order === 'newestFirst') await acceptDownwards(part, page, end);
    else shrinkAfterFullPage(part, page, end);
  }

  function endWith(reason: VerdictReason): void {
    state = 'ended';
    endReason = reason;
  }

  function keep(part: ServerFilter, answer: CompleteRows): void {
    rows.keep(part, answer);
    if (!room.over) return;
    if (!room.endless) state = 'postponed';
    else endWith({ code: source.unrequestedRows.proven ? 'questionIgnored' : 'endlessBlock', block: first });
  }

  /** A smaller range, as the server says or half of it; of one block that holds too much, what can be had. */
  async function afterRefusal(part: ServerFilter, error: unknown, end: bigint): Promise<void> {
    const limit = parseRangeLimitError(error, direction.blocks({ first, last: end }).fromBlock);
    if (!limit || (end === first && !limit.ofContent)) throw error;
    if (end === first) {
      rows.becomeOneBlock();
      const block = await readRefusedBlock({ source, part, block: end, budget: room, signal });
      if (block.reasons.length > 0) refusal = error;
      keep(part, block);
      return;
    }
    rows.endAt(smaller.afterRefusal(limit, end));
  }

  /**
   * Where a full page holds the first rows in order, all below its last block is whole already, and the next window
   * restarts there. Elsewhere, and where a page has not the size of that server's, it says nothing of what is missing,
   * so a smaller range is asked for anew.
   */
  function shrinkAfterFullPage(part: ServerFilter, page: FetchedLogs, end: bigint): void {
    const last = page.logs[page.logs.length - 1]?.blockNumber;
    if (isInOrder(part, page) && last !== undefined && last > first) {
      rows.endAt(last - 1n);
      room.take(page.count, page.matching);
      keep(part, { logs: page.matching, reasons: [] });
      return;
    }
    rows.endAt(smaller.afterFullPage(page.logs, getServerPaging(source.memory, part).wholeBelow, end));
  }

  const isInOrder = (part: ServerFilter, { count, hasUnrequestedRows }: FetchedLogs) =>
    getServerPaging(source.memory, part).ordered && count === PAGE_LIMIT && !hasUnrequestedRows;

  /** A full page in order has the rows that come last: those above it are asked for where they may be few. */
  async function acceptDownwards(part: ServerFilter, page: FetchedLogs, end: bigint): Promise<void> {
    // Of the blocks that remain this page says little.
    entries = 0;
    if (!isInOrder(part, page)) {
      shrinkAfterFullPage(part, page, end);
      return;
    }
    const maxBytes = isNext() ? undefined : MAX_AHEAD_BYTES;
    const asked = { part, ...direction.blocks({ first, last: end }), signal, maxBytes };
    const { answers, logs, full } = await readAbove(source, asked, page);
    fetches += answers.length - 1;
    for (const { uncertainAt } of answers) rows.addForks(uncertainAt);
    if (!logs) {
      rows.endAt(smaller.afterPageOfLast(full.page.logs, full.fromBlock));
      return;
    }
    entries = logs.length;
    for (const { count, matching } of answers) room.take(count, matching);
    keep(part, { logs, reasons: [] });
  }

  while (state === 'reading') {
    const open = parts.filter(rows.isMissing);
    if (open.length === 0) break;
    await forEachLimited(open, readPart, { limit: 4 });
  }
  if (state === 'takenOver' || state === 'postponed') return undefined;
  const logs = rows.logs(lastRows);
  return {
    through: endReason ? direction.onward(first, -1n) : rows.through,
    entries,
    bytes: room.bytes,
    refused: smaller.refused,
    refusal: logs.length === 0 ? refusal : undefined,
    atOnce: fetches === 1,
    ends: endReason !== undefined,
    logs,
    reasons: [...(endReason ? [endReason] : rows.reasons()), ...rows.forks(), ...told],
  };
}

interface AboveRequest extends Abortable {
  readonly part: ServerFilter;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly maxBytes?: number | undefined;
}

/** What came of reading on: every row of the range, or a page of which the rows above are still too many. */
interface RowsAbove {
  readonly answers: readonly FetchedLogs[];
  /** Undefined where the range holds too much. */
  readonly logs: readonly Log[] | undefined;
  /** The last page that was full, and the first block of the range that it is an answer to. */
  readonly full: { readonly page: FetchedLogs; readonly fromBlock: bigint };
}

/** Pages that one window is read in, at most. */
const MAX_PAGES = 3;

/**
 * Reads on where the answer to a range, `first`, is a full page of its lowest rows in order: from the last block of that
 * page, as long as the blocks that are left may well fit into a page too.
 *
 * @throws AppError as {@link fetchLogs} does, but for refusals of the range.
 */
async function readAbove(
  source: QueryContext,
  { part, toBlock, signal, maxBytes, ...asked }: AboveRequest,
  first: FetchedLogs,
): Promise<RowsAbove> {
  const answers = [first];
  const below: (readonly Log[])[] = [];
  let full = { page: first, fromBlock: asked.fromBlock };
  while (answers.length < MAX_PAGES) {
    const { page } = full;
    const edge = page.logs[page.logs.length - 1]?.blockNumber ?? full.fromBlock;
    const isMuch = toBlock - edge > (edge - full.fromBlock) * 2n;
    if (isMuch || edge === full.fromBlock) break;
    const above = await fetchUnlessRefused(source, part, { fromBlock: edge, toBlock, signal, maxBytes });
    if (!above) break;
    answers.push(above);
    if (above.hasUnrequestedRows || above.knownTo < toBlock) break;
    below.push(page.matching.filter(({ blockNumber }) => blockNumber < edge));
    if (isCompleteResponse(source.memory, part, above.count)) {
      return { answers, logs: mergeLogs([...below, above.matching]), full };
    }
    if (above.count !== PAGE_LIMIT) break;
    full = { page: above, fromBlock: edge };
  }
  return { answers, logs: undefined, full };
}

async function fetchUnlessRefused(
  source: QueryContext,
  part: ServerFilter,
  range: Omit<AboveRequest, 'part'>,
): Promise<FetchedLogs | undefined> {
  try {
    return await fetchLogs(source, part, range);
  } catch (error) {
    if (!parseRangeLimitError(error, range.fromBlock)) throw error;
    return undefined;
  }
}

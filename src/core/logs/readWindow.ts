import { isAppError } from '../errors.ts';
import { lesser } from '../values/lesser.ts';
import {
  type DialectMemory,
  mayBeCutOff,
  PAGE_LIMIT,
  type PagingTraits,
  pagingTraits,
  SURELY_WHOLE,
} from './dialect.ts';
import { type FetchedLogs, fetchLogs, type LogSource } from './fetchLogs.ts';
import type { Log } from './log.ts';
import { mapLimited } from './mapLimited.ts';
import { mergeLogs } from './mergeLogs.ts';
import { type RangeRefusal, rangeRefusal } from './rangeRefusal.ts';
import { readBlock } from './readBlock.ts';
import { readRefusedBlock } from './readRefusedBlock.ts';
import { createRoom, MOST_AHEAD_BYTES, MOST_BLOCK_BYTES } from './room.ts';
import type { ServerFilter } from './serverFilters.ts';
import type { VerdictReason } from './verdict.ts';

/** Every matching row of the blocks from the one asked for through `through`. */
export interface LogWindow {
  readonly through: bigint;
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
  /** Entries in the fullest of its answers: what a server's limit counts. */
  readonly entries: number;
  /** Bytes that its rows take in memory, about. */
  readonly bytes: number;
  /** The server refused more blocks without saying what it would take. */
  readonly refused: boolean;
  /** It is the rows of one answer: nothing can have changed while it was read. */
  readonly atOnce: boolean;
  /** No more can be had of this server. The rows are kept, but {@link through} is the block before the first. */
  readonly ends: boolean;
}

/** Called with an answer that is not surely whole; may take it as a page. */
export type OnFullPage = (ask: ServerFilter, page: FetchedLogs) => boolean;

interface WholeAnswer {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
}

const ASKS_AT_ONCE = 4;
/** Ranges that a server says it would take, and refuses: after so many the range is halved besides. */
const MOST_SUGGESTIONS = 8;

/**
 * Reads the block range from `fromBlock` as far as one answer for each of `asks` reaches, but not beyond `toBlock`.
 * The range shrinks until every answer is whole: the one way that loses no row on any server. How much is held of it is
 * bounded; a single block that holds more than a block can, or answers to other questions, end the query.
 *
 * @param isNext whether the window is the next in order. One that is not holds little, as there can be many.
 * @returns undefined when `onFullPage` took an answer over, or the window holds too much to be read before it is next.
 * @throws AppError as {@link fetchLogs} does.
 */
export async function readWindow(
  source: LogSource,
  asks: readonly ServerFilter[],
  fromBlock: bigint,
  toBlock: bigint,
  onFullPage: OnFullPage,
  signal: AbortSignal | undefined,
  isNext: () => boolean = () => true,
): Promise<LogWindow | undefined> {
  const whole = new Map<ServerFilter, WholeAnswer>();
  const rest: (readonly Log[])[] = [];
  const room = createRoom(() => (isNext() ? MOST_BLOCK_BYTES : MOST_AHEAD_BYTES));
  const doubtfulAt = new Set<bigint>();
  let through = toBlock;
  let state = 'reading' as 'reading' | 'takenOver' | 'postponed' | 'ended';
  let oneBlock = fromBlock === toBlock;
  let splits = 0;
  let suggestions = 0;
  let entries = 0;
  let refused = false;
  let fetches = 0;

  async function readAsk(ask: ServerFilter): Promise<void> {
    if (state !== 'reading') return;
    const end = through;
    const maxBytes = isNext() ? undefined : MOST_AHEAD_BYTES;
    fetches++;
    let page: FetchedLogs;
    try {
      page = await fetchLogs(source, ask, { fromBlock, toBlock: end, signal, maxBytes });
    } catch (error) {
      const isTooMuchAhead = maxBytes !== undefined && end === fromBlock && isAppError(error, 'tooLarge');
      if (isTooMuchAhead) state = 'postponed';
      else await afterRefusal(ask, error, end);
      return;
    }
    entries = Math.max(entries, page.count);
    if (page.hasStrays && source.strays.proven) {
      rest.push(page.matching);
      state = 'ended';
      return;
    }
    if (page.count >= SURELY_WHOLE || mayBeCutOff(page.count)) await source.identify(signal);
    for (const block of page.doubtfulAt) doubtfulAt.add(block);
    if (!isWhole(page, ask) && !page.hasStrays && onFullPage(ask, page)) {
      state = 'takenOver';
      return;
    }
    if (isWhole(page, ask)) {
      room.take(page.count, page.matching);
      keep(ask, { logs: page.matching, doubts: [] });
    } else if (end === fromBlock) {
      fetches++;
      becomeOneBlock();
      keep(ask, await readBlock(source, ask, end, page, room, signal));
    } else shrinkAfterFullPage(ask, page, end);
  }

  /** Where the answers together are too much, half of the blocks is enough, which need not be asked for again. */
  function keep(ask: ServerFilter, answer: WholeAnswer): void {
    whole.set(ask, answer);
    while (room.over && through > fromBlock) shrinkTo(middleOf(fromBlock, through));
    if (room.over) state = room.endless ? 'ended' : 'postponed';
  }

  function shrinkTo(block: bigint): void {
    through = block;
    for (const [ask, { logs, doubts }] of whole) whole.set(ask, { logs: upTo(logs, block), doubts });
    room.takeAnew([...whole.values()].map(({ logs }) => logs));
  }

  /** From here on only what is of that block counts. */
  function becomeOneBlock(): void {
    if (!oneBlock) shrinkTo(fromBlock);
    oneBlock = true;
  }

  /** A smaller range, as the server says or half of it; of one block that holds too much, what can be had. */
  async function afterRefusal(ask: ServerFilter, error: unknown, end: bigint): Promise<void> {
    const refusal = rangeRefusal(error, fromBlock);
    if (!refusal || (end === fromBlock && !refusal.ofContent)) throw error;
    if (end === fromBlock) {
      becomeOneBlock();
      const block = await readRefusedBlock(source, ask, end, room, signal);
      if (block.logs.length === 0 && block.doubts.length > 0) source.refusedBlocks.note(error);
      keep(ask, block);
      return;
    }
    const told = learnFromRefusal(source.memory, refusal, fromBlock, end);
    refused ||= told === undefined && refusal.maxLogs === undefined;
    const half = middleOf(fromBlock, end);
    const next = told !== undefined && suggestions++ < MOST_SUGGESTIONS ? told : lesser(told ?? half, half);
    through = lesser(through, next);
  }

  /**
   * Where a full page holds the first rows in order, all below its last block is whole already, and the next window
   * restarts there. Elsewhere, and where a page has not the size of that server's, it says nothing of what is missing,
   * so a smaller range is asked for anew.
   */
  function shrinkAfterFullPage(ask: ServerFilter, page: FetchedLogs, end: bigint): void {
    const last = page.logs[page.logs.length - 1]?.blockNumber;
    const { ordered, wholeBelow } = traitsOf(source.memory, ask);
    const inItsOrder = ordered && page.count === PAGE_LIMIT && !page.hasStrays;
    if (inItsOrder && last !== undefined && last > fromBlock) {
      through = lesser(through, last - 1n);
      room.take(page.count, page.matching);
      keep(ask, { logs: page.matching, doubts: [] });
      return;
    }
    // By turns where the page's own rows point to and in the middle: the one finds a few crowded blocks in a wide
    // range at once, the other many rows below a page of the newest.
    const middle = middleOf(fromBlock, end);
    const crowded =
      splits++ % 2 === 0 ? blockBelowShare(page.logs, wholeBelow / PAGE_LIMIT, fromBlock) : middle;
    through = lesser(through, lesser(crowded, end - 1n));
  }

  function isWhole(page: FetchedLogs, ask: ServerFilter): boolean {
    if (mayBeCutOff(page.count)) return false;
    return page.count > PAGE_LIMIT || page.count < traitsOf(source.memory, ask).wholeBelow;
  }

  while (state === 'reading') {
    const open = asks.filter((ask) => !whole.has(ask));
    if (open.length === 0) break;
    await mapLimited(open, ASKS_AT_ONCE, readAsk);
  }
  if (state === 'takenOver' || state === 'postponed') return undefined;
  const ends = state === 'ended';
  const answers = [...whole.values()];
  const all = [...answers.map(({ logs }) => logs), ...rest].map((logs) => upTo(logs, through));
  const doubts = answers.flatMap((answer) => answer.doubts);
  return {
    through: ends ? fromBlock - 1n : through,
    entries,
    bytes: room.bytes,
    refused,
    atOnce: fetches === 1,
    ends,
    logs: mergeLogs(all),
    doubts: [...(ends ? [endOf(source, fromBlock)] : doubts), ...forksUpTo(doubtfulAt, through)],
  };
}

/** Why nothing can be had from `block` on. */
function endOf({ strays }: LogSource, block: bigint): VerdictReason {
  return { code: strays.proven ? 'questionIgnored' : 'endlessBlock', block };
}

function middleOf(fromBlock: bigint, end: bigint): bigint {
  return fromBlock + (end - fromBlock) / 2n;
}

export function traitsOf(memory: DialectMemory, ask: ServerFilter): PagingTraits {
  return pagingTraits(memory.current(), ask.address !== undefined);
}

/** The last block below which `logs` hold no more than a share of themselves, but not before `fromBlock`. */
function blockBelowShare(logs: readonly Log[], share: number, fromBlock: bigint): bigint {
  const row = logs[Math.floor(logs.length * Math.min(share, 1) * 0.9)];
  return row && row.blockNumber > fromBlock ? row.blockNumber - 1n : fromBlock;
}

/** Keeps the limits that the refusal tells of; returns the last block that should do by its words. */
function learnFromRefusal(
  memory: DialectMemory,
  { suggestedEnd, maxBlocks, maxLogs }: RangeRefusal,
  fromBlock: bigint,
  end: bigint,
): bigint | undefined {
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const widest = maxBlocks === undefined ? end : fromBlock + maxBlocks - 1n;
  if (widest < end) memory.learn({ maxBlocks });
  if (suggestedEnd !== undefined && suggestedEnd < end) return suggestedEnd;
  return widest < end ? widest : undefined;
}

function forksUpTo(blocks: ReadonlySet<bigint>, through: bigint): readonly VerdictReason[] {
  return [...blocks].filter((block) => block <= through).map((block) => ({ code: 'forkRows', block }));
}

function upTo(logs: readonly Log[], through: bigint): readonly Log[] {
  const last = logs[logs.length - 1];
  return last && last.blockNumber > through ? logs.filter((log) => log.blockNumber <= through) : logs;
}

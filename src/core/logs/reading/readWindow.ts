import { isAppError } from '../../base/errors.ts';
import { lesser } from '../../values/lesser.ts';
import { createRoom, MOST_AHEAD_BYTES, MOST_BLOCK_BYTES } from '../guards/room.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import {
  type DialectMemory,
  mayBeCutOff,
  PAGE_LIMIT,
  type PagingTraits,
  pagingTraits,
  SURELY_WHOLE,
} from '../server/dialect.ts';
import { rangeRefusal } from '../server/rangeRefusal.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { type FetchedLogs, fetchLogs, type LogSource } from './fetchLogs.ts';
import { mapLimited } from './mapLimited.ts';
import { mergeLogs } from './mergeLogs.ts';
import { readBlock } from './readBlock.ts';
import { readRefusedBlock } from './readRefusedBlock.ts';
import { createSmallerRange, middleOf } from './smallerRange.ts';

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
  /** Why nothing could be had of its one block; undefined where something was. */
  readonly refusal: unknown;
  /** It is the rows of one answer: nothing can have changed while it was read. */
  readonly atOnce: boolean;
  /** No more can be had of this server. The rows are kept, but {@link through} is the block before the first. */
  readonly ends: boolean;
}

export interface WindowQuestion {
  readonly asks: readonly ServerFilter[];
  readonly fromBlock: bigint;
  /** The window may end before it. */
  readonly toBlock: bigint;
  /** Called with an answer that is not surely whole; may take it as a page. By default none is taken. */
  readonly takePage?: (page: FetchedLogs) => boolean;
  /** Whether the window is the next in order, as it is by default. One that is not holds little: there can be many. */
  readonly isNext?: () => boolean;
  readonly signal: AbortSignal | undefined;
}

interface WholeAnswer {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
}

const ASKS_AT_ONCE = 4;

/**
 * Reads the blocks from `fromBlock` as far as one answer for each of `asks` reaches, but not beyond `toBlock`. The range
 * shrinks until every answer is whole: the one way that loses no row on any server. How much is held of it is bounded;
 * a single block that holds more than a block can, or answers to other questions, end the query.
 *
 * @returns undefined when `takePage` took an answer over, or the window holds too much to be read before it is next.
 * @throws AppError as {@link fetchLogs} does.
 */
export async function readWindow(
  source: LogSource,
  { asks, fromBlock, toBlock, takePage = () => false, isNext = () => true, signal }: WindowQuestion,
): Promise<LogWindow | undefined> {
  const whole = new Map<ServerFilter, WholeAnswer>();
  const lastRows: (readonly Log[])[] = [];
  const room = createRoom(() => (isNext() ? MOST_BLOCK_BYTES : MOST_AHEAD_BYTES));
  const smaller = createSmallerRange(source.memory, fromBlock);
  const doubtfulAt = new Set<bigint>();
  let through = toBlock;
  let state = 'reading' as 'reading' | 'takenOver' | 'postponed' | 'ended';
  let oneBlock = fromBlock === toBlock;
  let refusal: unknown;
  let entries = 0;
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
      lastRows.push(page.matching);
      state = 'ended';
      return;
    }
    if (page.count >= SURELY_WHOLE || mayBeCutOff(page.count)) await source.identify(signal);
    for (const block of page.doubtfulAt) doubtfulAt.add(block);
    if (!isWhole(page, ask) && !page.hasStrays && takePage(page)) {
      state = 'takenOver';
      return;
    }
    if (isWhole(page, ask)) {
      room.take(page.count, page.matching);
      keep(ask, { logs: page.matching, doubts: [] });
    } else if (end === fromBlock) {
      fetches++;
      becomeOneBlock();
      keep(ask, await readBlock({ source, ask, block: end, room, signal }, page));
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
    const limit = rangeRefusal(error, fromBlock);
    if (!limit || (end === fromBlock && !limit.ofContent)) throw error;
    if (end === fromBlock) {
      becomeOneBlock();
      const block = await readRefusedBlock({ source, ask, block: end, room, signal });
      if (block.doubts.length > 0) refusal = error;
      keep(ask, block);
      return;
    }
    through = lesser(through, smaller.afterRefusal(limit, end));
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
    through = lesser(through, smaller.afterFullPage(page.logs, wholeBelow / PAGE_LIMIT, end));
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
  const logs = mergeLogs(
    [...answers.map((answer) => answer.logs), ...lastRows].map((part) => upTo(part, through)),
  );
  const doubts = answers.flatMap((answer) => answer.doubts);
  return {
    through: ends ? fromBlock - 1n : through,
    entries,
    bytes: room.bytes,
    refused: smaller.refused,
    refusal: logs.length === 0 ? refusal : undefined,
    atOnce: fetches === 1,
    ends,
    logs,
    doubts: [...(ends ? [endOf(source, fromBlock)] : doubts), ...forksUpTo(doubtfulAt, through)],
  };
}

/** Why nothing can be had from `block` on. */
function endOf({ strays }: LogSource, block: bigint): VerdictReason {
  return { code: strays.proven ? 'questionIgnored' : 'endlessBlock', block };
}

export function traitsOf(memory: DialectMemory, ask: ServerFilter): PagingTraits {
  return pagingTraits(memory.current(), ask.address !== undefined);
}

function forksUpTo(blocks: ReadonlySet<bigint>, through: bigint): readonly VerdictReason[] {
  return [...blocks].filter((block) => block <= through).map((block) => ({ code: 'forkRows', block }));
}

function upTo(logs: readonly Log[], through: bigint): readonly Log[] {
  const last = logs[logs.length - 1];
  return last && last.blockNumber > through ? logs.filter((log) => log.blockNumber <= through) : logs;
}

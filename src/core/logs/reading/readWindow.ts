import { eachLimited } from '../../base/eachLimited.ts';
import { isAppError } from '../../base/errors.ts';
import { type FetchedLogs, fetchLogs } from '../asking/fetchLogs.ts';
import type { LogSource } from '../asking/logSource.ts';
import { MOST_AHEAD_BYTES, MOST_BLOCK_BYTES } from '../guards/room.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { isWholeAnswer, pagingTraitsOf } from '../server/dialectMemory.ts';
import { mayBeCutOff, PAGE_LIMIT, SURELY_WHOLE } from '../server/pageLimits.ts';
import { rangeRefusal } from '../server/rangeRefusal.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import type { LogWindow, WindowQuestion } from './logWindow.ts';
import { readAbove } from './readAbove.ts';
import { readBlock } from './readBlock.ts';
import { readRefusedBlock } from './readRefusedBlock.ts';
import { createSmallerRange } from './smallerRange.ts';
import { createWindowRows, type WholeAnswer } from './windowRows.ts';

/**
 * Reads the blocks of `span` from its first as far as one answer for each of `parts` reaches. The range shrinks until
 * every answer is whole: the one way that loses no row on any server. How much is held of it is bounded; a single block
 * that holds more than a block can, or answers to other questions, end the query.
 *
 * @returns undefined when `takePage` took an answer over, or the window holds too much to be read before it is next.
 * @throws AppError as {@link fetchLogs} does.
 */
export async function readWindow(
  source: LogSource,
  { parts, span, takePage = () => false, isNext = () => true, signal }: WindowQuestion,
): Promise<LogWindow | undefined> {
  const { direction } = source;
  const { first } = span;
  const rows = createWindowRows(direction, span, () => (isNext() ? MOST_BLOCK_BYTES : MOST_AHEAD_BYTES));
  const { room } = rows;
  const lastRows: (readonly Log[])[] = [];
  const smaller = createSmallerRange(source, first);
  let state = 'reading' as 'reading' | 'takenOver' | 'postponed' | 'ended';
  let endReason: VerdictReason | undefined;
  const told: VerdictReason[] = [];
  let refusal: unknown;
  let entries = 0;
  let fetches = 0;

  async function readPart(part: ServerFilter): Promise<void> {
    if (state !== 'reading') return;
    const end = rows.through;
    const maxBytes = isNext() ? undefined : MOST_AHEAD_BYTES;
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
    if (page.hasStrays && source.strays.proven) {
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
    if (page.count >= SURELY_WHOLE || mayBeCutOff(page.count)) await source.identify({ signal });
    rows.addForks(page.doubtfulAt);
    if (page.reorgAt !== undefined) told.push({ code: 'reorg', block: page.reorgAt });
    if (page.startsAt !== undefined) told.push({ code: 'startsLater', block: page.startsAt });
    if (isWholeAnswer(source.memory, part, page.count)) {
      room.take(page.count, page.matching);
      keep(part, { logs: page.matching, doubts: [] });
    } else if (!page.hasStrays && takePage(page)) {
      state = 'takenOver';
    } else if (end === first) {
      fetches++;
      rows.becomeOneBlock();
      keep(part, await readBlock({ source, part, block: end, room, signal }, page));
    } else if (direction.order === 'newestFirst') await acceptDownwards(part, page, end);
    else shrinkAfterFullPage(part, page, end);
  }

  function endWith(reason: VerdictReason): void {
    state = 'ended';
    endReason = reason;
  }

  function keep(part: ServerFilter, answer: WholeAnswer): void {
    rows.keep(part, answer);
    if (!room.over) return;
    if (!room.endless) state = 'postponed';
    else endWith({ code: source.strays.proven ? 'questionIgnored' : 'endlessBlock', block: first });
  }

  /** A smaller range, as the server says or half of it; of one block that holds too much, what can be had. */
  async function afterRefusal(part: ServerFilter, error: unknown, end: bigint): Promise<void> {
    const limit = rangeRefusal(error, direction.blocks({ first, last: end }).fromBlock);
    if (!limit || (end === first && !limit.ofContent)) throw error;
    if (end === first) {
      rows.becomeOneBlock();
      const block = await readRefusedBlock({ source, part, block: end, room, signal });
      if (block.doubts.length > 0) refusal = error;
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
      keep(part, { logs: page.matching, doubts: [] });
      return;
    }
    rows.endAt(smaller.afterFullPage(page.logs, pagingTraitsOf(source.memory, part).wholeBelow, end));
  }

  const isInOrder = (part: ServerFilter, { count, hasStrays }: FetchedLogs) =>
    pagingTraitsOf(source.memory, part).ordered && count === PAGE_LIMIT && !hasStrays;

  /** A full page in order has the rows that come last: those above it are asked for where they may be few. */
  async function acceptDownwards(part: ServerFilter, page: FetchedLogs, end: bigint): Promise<void> {
    // Of the blocks that remain this page says little.
    entries = 0;
    if (!isInOrder(part, page)) {
      shrinkAfterFullPage(part, page, end);
      return;
    }
    const maxBytes = isNext() ? undefined : MOST_AHEAD_BYTES;
    const asked = { part, ...direction.blocks({ first, last: end }), signal, maxBytes };
    const { answers, logs, full } = await readAbove(source, asked, page);
    fetches += answers.length - 1;
    for (const { doubtfulAt } of answers) rows.addForks(doubtfulAt);
    if (!logs) {
      rows.endAt(smaller.afterPageOfLast(full.page.logs, full.fromBlock));
      return;
    }
    entries = logs.length;
    for (const { count, matching } of answers) room.take(count, matching);
    keep(part, { logs, doubts: [] });
  }

  while (state === 'reading') {
    const open = parts.filter(rows.isMissing);
    if (open.length === 0) break;
    await eachLimited(open, readPart, { limit: 4 });
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
    doubts: [...(endReason ? [endReason] : rows.doubts()), ...rows.forks(), ...told],
  };
}

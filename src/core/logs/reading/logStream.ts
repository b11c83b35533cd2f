import { isAppError } from '../../base/errors.ts';
import { lesser } from '../../values/lesser.ts';
import { createDoubts } from '../guards/doubts.ts';
import { createRefusedBlocks } from '../guards/refusedBlocks.ts';
import { MOST_BLOCK_ROWS } from '../guards/room.ts';
import { createRowPrints } from '../guards/rowPrints.ts';
import { compareLogs, type Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { PAGE_LIMIT } from '../server/dialect.ts';
import { dependsOnServer, type ServerFilter, serverFilters } from '../server/serverFilters.ts';
import type { ServerWatch } from '../server/serverWatch.ts';
import { checkEnd, firstUnsettledBlock } from './checkEnd.ts';
import { type Effort, type FetchedLogs, fetchLogs, type LogSource } from './fetchLogs.ts';
import { mergeLogs } from './mergeLogs.ts';
import { readParallel } from './readParallel.ts';
import { type LogWindow, readWindow, traitsOf } from './readWindow.ts';
import { createWindowWidth } from './windowWidth.ts';

/** A block range in numbers, inclusive, within the chain as far as the server knows it. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The server's newest block when the range was resolved. */
  readonly head: bigint;
}

/** Rows of a range from its first block on, answer by answer, in order and none twice. */
export interface LogStream {
  readonly range: BlockRange;
  /** The next rows; may be none although more follow. A call that throws leaves the position where it was. */
  next(signal: AbortSignal | undefined): Promise<readonly Log[]>;
  /**
   * All rows that remain, window by window, several read at once. `onWindow` hears of the blocks of each as it comes
   * in, in any order. Stopping leaves the position behind the last rows given.
   */
  rest(options: RestOptions): AsyncGenerator<readonly Log[]>;
  finished(): boolean;
  doubts(): readonly VerdictReason[];
  /** Last block of which every row has been given; undefined before any. */
  readThrough(): bigint | undefined;
}

export interface RestOptions {
  /** For the windows that are read several at once. */
  readonly effort: Effort;
  readonly onWindow: (blocks: bigint) => void;
  readonly signal: AbortSignal | undefined;
}

export interface LogStreamOptions {
  readonly source: LogSource;
  readonly server: ServerWatch;
  readonly range: BlockRange;
}

/**
 * Opens a stream that pages by the server's cursor where that is known to be right, and by block ranges elsewhere.
 * What the server is gets asked at the first answer for which it matters, and once more at the end.
 */
export function openLogStream({ source, server, range }: LogStreamOptions): LogStream {
  const { memory, filter } = source;
  const width = createWindowWidth(range);
  const doubts = createDoubts();
  const unsettled = createRowPrints();
  const refusedBlocks = createRefusedBlocks();
  let nextBlock = range.fromBlock;
  let after: Log | undefined;
  let lastGiven: Log | undefined;
  let cursorFailed = false;
  let answers = 0;
  let readAtOnce = false;
  let rangeRead = range.fromBlock > range.toBlock;
  let endChecked = rangeRead;
  let ended = false;
  let rowsOfBlock = 0;

  async function asksOf(signal: AbortSignal | undefined): Promise<readonly ServerFilter[]> {
    if (dependsOnServer(filter, memory.current())) await source.identify(signal);
    const dialect = memory.current();
    const asks = serverFilters(filter, dialect);
    return asks.length > 0 ? asks : serverFilters(filter, { ...dialect, family: 'blockscout' });
  }

  function followsCursor(asks: readonly ServerFilter[]): ServerFilter | undefined {
    const [only, ...others] = asks;
    if (!only || others.length > 0 || cursorFailed) return undefined;
    return traitsOf(memory, only).cursor ? only : undefined;
  }

  async function nextByWindow(asks: readonly ServerFilter[], signal: AbortSignal | undefined) {
    let page: FetchedLogs | undefined;
    const takePage = (full: FetchedLogs) => {
      const servesPages =
        after === undefined && followsCursor(asks) !== undefined && full.count === PAGE_LIMIT;
      if (servesPages) page = full;
      return servesPages;
    };
    const { maxBlocks } = memory.current();
    const blocks = lesser(width.current(), maxBlocks ?? width.current());
    const toBlock = lesser(range.toBlock, nextBlock + blocks - 1n);
    const window = await readWindow(source, { asks, fromBlock: nextBlock, toBlock, takePage, signal });
    if (page) return acceptPage(page);
    if (!window) return [];
    if (!window.ends) learnWidth(window, toBlock - nextBlock + 1n, window.through - nextBlock + 1n);
    return acceptWindow(window);
  }

  function learnWidth(
    { entries, refused }: Pick<LogWindow, 'entries' | 'refused'>,
    asked: bigint,
    blocks: bigint,
  ) {
    width.learn({ asked, blocks, entries, refused, maxLogs: memory.current().maxLogs });
  }

  function acceptWindow(window: LogWindow): readonly Log[] {
    refusedBlocks.look(window.refusal);
    doubts.add(window.doubts);
    const fresh = beyond(lastGiven, window.logs);
    if (window.ends) end();
    readAtOnce = window.atOnce;
    nextBlock = window.through + 1n;
    after = undefined;
    rangeRead = ended || nextBlock > range.toBlock;
    return fresh;
  }

  /** Nothing more can be had of this server, nor is there anything to look at again. */
  function end(): void {
    ended = true;
    rangeRead = true;
    endChecked = true;
  }

  async function nextByCursor(ask: ServerFilter, signal: AbortSignal | undefined) {
    try {
      const { fromBlock, toBlock } = range;
      const page = await fetchLogs(source, ask, { fromBlock, toBlock, after, signal });
      if (traitsOf(memory, ask).cursor) return acceptPage(page);
      restartByWindows();
      return [];
    } catch (error) {
      // A query that the server cannot run is HTTP 500 on Blockscout, which other releases answered well.
      if (!after || !isAppError(error, 'rpc', 'server')) throw error;
      leaveCursor(error.details.serverMessage ?? '');
      return [];
    }
  }

  /** A server that wants `0x` in its cursor is tried so once; one that refuses both is read by ranges. */
  function leaveCursor(serverMessage: string): void {
    const { prefixedCursor } = memory.current();
    const dislikesForm = /invalid (?:block number|log index)/i.test(serverMessage);
    if (dislikesForm && !prefixedCursor) memory.learn({ prefixedCursor: true });
    else restartByWindows();
  }

  function restartByWindows(): void {
    cursorFailed = true;
    nextBlock = after?.blockNumber ?? nextBlock;
    after = undefined;
  }

  function acceptPage(page: FetchedLogs): readonly Log[] {
    const first = page.logs[0];
    const last = page.logs[page.logs.length - 1];
    const stuck = after !== undefined && first !== undefined && compareLogs(first, after) <= 0;
    if (stuck || (page.count >= PAGE_LIMIT && !last) || !page.inOrder || page.hasStrays) {
      restartByWindows();
      return [];
    }
    if (after && first?.blockNumber === after.blockNumber && first.blockHash !== after.blockHash) {
      doubts.add([{ code: 'reorg', block: after.blockNumber }]);
    }
    doubts.add(page.doubtfulAt.map((block) => ({ code: 'forkRows', block })));
    readAtOnce = true;
    rangeRead = page.count < PAGE_LIMIT;
    if (last) {
      const blocks = last.blockNumber - nextBlock + 1n;
      learnWidth({ entries: page.count, refused: false }, blocks, blocks);
    }
    const isOneBlock = first !== undefined && first.blockNumber === last?.blockNumber;
    rowsOfBlock = page.count + (isOneBlock && first.blockNumber === nextBlock ? rowsOfBlock : 0);
    after = last ?? after;
    nextBlock = rangeRead ? range.toBlock + 1n : (after?.blockNumber ?? nextBlock);
    if (isOneBlock && rowsOfBlock > MOST_BLOCK_ROWS) {
      doubts.add([{ code: 'endlessBlock', block: first.blockNumber }]);
      end();
    }
    return beyond(lastGiven, mergeLogs([page.matching]));
  }

  async function lookAgain(signal: AbortSignal | undefined): Promise<readonly Log[]> {
    const asks = await asksOf(signal);
    const [found] = await Promise.all([
      checkEnd(source, asks, range, unsettled.all(), signal),
      server.changed(signal),
    ]);
    doubts.add(found);
    if (server.hasChanged()) doubts.add([{ code: 'serverChanged' }]);
    endChecked = true;
    return [];
  }

  function give(logs: readonly Log[]): readonly Log[] {
    lastGiven = logs[logs.length - 1] ?? lastGiven;
    const settledBelow = firstUnsettledBlock(range);
    if (lastGiven && lastGiven.blockNumber >= settledBelow) {
      for (const log of logs) if (log.blockNumber >= settledBelow) unsettled.add(log);
    }
    return logs;
  }

  async function readNext(signal: AbortSignal | undefined): Promise<readonly Log[]> {
    const asks = await asksOf(signal);
    const byCursor = after && followsCursor(asks);
    const logs = byCursor ? await nextByCursor(byCursor, signal) : await nextByWindow(asks, signal);
    endChecked ||= rangeRead && answers === 0 && readAtOnce;
    if (answers === 0) server.begin();
    answers++;
    return give(logs);
  }

  async function next(signal: AbortSignal | undefined): Promise<readonly Log[]> {
    const step = rangeRead ? lookAgain : readNext;
    try {
      return await step(signal);
    } catch (error) {
      if (!(await isOfAnotherServer(error, signal))) throw error;
      return step(signal);
    }
  }

  /** Whether a refusal comes from a server that took the place of the one that was asked, and speaks otherwise. */
  async function isOfAnotherServer(error: unknown, signal: AbortSignal | undefined): Promise<boolean> {
    return isAppError(error, 'rpc') && (await server.changed(signal));
  }

  async function* remaining({ effort, onWindow, signal }: RestOptions) {
    if (ended) return;
    const asks = await asksOf(signal);
    const span = { fromBlock: nextBlock, toBlock: range.toBlock, width };
    const options = { source: { ...source, effort }, asks, ...span, onWindow };
    for await (const window of readParallel(options, signal)) yield give(acceptWindow(window));
  }

  return {
    range,
    next,
    async *rest(options) {
      const { onWindow, signal } = options;
      if (nextBlock === range.fromBlock && !after && !rangeRead) {
        const logs = await next(signal);
        onWindow(nextBlock - range.fromBlock);
        yield logs;
      }
      nextBlock = rangeRead ? nextBlock : (after?.blockNumber ?? nextBlock);
      after = undefined;
      try {
        yield* remaining(options);
      } catch (error) {
        if (!(await isOfAnotherServer(error, signal))) throw error;
        yield* remaining(options);
      }
      if (!endChecked) await next(signal);
    },
    finished: () => rangeRead && endChecked,
    doubts: () => [...doubts.list(), ...straysOf(source)],
    readThrough: () => (nextBlock > range.fromBlock ? nextBlock - 1n : undefined),
  };
}

function straysOf({ strays }: LogSource): readonly VerdictReason[] {
  return strays.askedFrom.map((block) => ({ code: 'otherRows', block }));
}

function beyond(given: Log | undefined, logs: readonly Log[]): readonly Log[] {
  const [first] = logs;
  if (!given || !first || compareLogs(first, given) > 0) return logs;
  return logs.filter((log) => compareLogs(log, given) > 0);
}

import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { getBlockNumber } from '../../rpc/methods.ts';
import { compareLogs, countBlocks, type Log, type LogOrder } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { type BlockRange, getFirstUnsettledBlock } from './blockRange.ts';
import { PAGE_LIMIT, reportsHead } from './dialect.ts';
import { type DialectMemory, getMaxCompleteRows, getServerPaging } from './dialectMemory.ts';
import { type FetchedLogs, fetchLogs, waitForReplica } from './fetchLogs.ts';
import { type QueryContext, type RetryPolicy, resolveServerFilters } from './getLogs.ts';
import { MAX_BLOCK_ROWS } from './limits.ts';
import { mergeLogs } from './parseLogs.ts';
import type { ServerWatch } from './probeServer.ts';
import { createWindowWidth, STREAM_TARGET_ROWS } from './rangeWidth.ts';
import { readParallel } from './readParallel.ts';
import { type LogWindow, readWindow } from './readWindow.ts';
import type { RowKey, RowKeys } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';
import {
  addReasons,
  beginStream,
  emitRows,
  endStream,
  filterNewRows,
  leaveCursor,
  type StreamContext,
  type StreamState,
} from './streamState.ts';

/** Rows of a range in the order of reading, answer by answer, none twice. */
export interface LogStream {
  readonly range: BlockRange;
  readonly order: LogOrder;
  /** The next rows; may be none although more follow. A call that throws leaves the position where it was. */
  next(options: Abortable): Promise<readonly Log[]>;
  /**
   * All rows that remain, window by window, several read at once. `onWindow` hears of the blocks of each as it comes
   * in, in any order. Stopping leaves the position behind the last rows given.
   */
  rest(options: RestOptions): AsyncGenerator<readonly Log[]>;
  /** Whether every block has been read, if not looked at again at the end. */
  rangeRead(): boolean;
  finished(): boolean;
  reasons(): readonly VerdictReason[];
  addReason(reason: VerdictReason): void;
  /** Last block, in the order of reading, of which every row has been given; undefined before any. */
  readThrough(): bigint | undefined;
  /** The last block of which every row has been given where `waiting` is the first that has not. */
  readBefore(waiting: Log): bigint | undefined;
  /** Blocks of which every row has been given. */
  blocksRead(): bigint;
}

interface RestOptions extends Abortable {
  /** For the windows that are read several at once. */
  readonly retry: RetryPolicy;
  readonly onWindow: (blocks: bigint) => void;
}

interface LogStreamOptions {
  readonly source: QueryContext;
  readonly server: ServerWatch;
  readonly range: BlockRange;
}

/**
 * Opens a stream that pages by the server's cursor where that is known to be right, and by block ranges elsewhere.
 * What the server is gets asked at the first answer for which it matters, and once more at the end.
 */
export function openLogStream({ source, server, range }: LogStreamOptions): LogStream {
  const { unrequestedRows } = source;
  const state = beginStream(range, source);
  const { direction, span } = state;
  const context = { source, state };

  const blockBefore = (block: bigint) =>
    direction.distance(span.first, block) > 0n ? direction.onward(block, -1n) : undefined;

  const blocksRead = () => direction.distance(span.first, state.nextBlock);

  const partsOf = (options: Abortable) => resolveServerFilters(source, options);

  async function readNext(options: Abortable): Promise<readonly Log[]> {
    const parts = await partsOf(options);
    const byCursor = state.after && cursorPart(context, parts);
    const logs = byCursor
      ? await readByCursor(context, byCursor, options)
      : await readByWindow(context, parts, options);
    state.endChecked ||= state.rangeRead && state.answers === 0 && state.readAtOnce;
    if (state.answers === 0) server.begin();
    state.answers++;
    return emitRows(state, logs);
  }

  async function lookAgain({ signal }: Abortable): Promise<readonly Log[]> {
    const parts = await partsOf({ signal });
    const given = state.unsettled;
    const [found] = await Promise.all([
      checkEnd(source, { parts, range, given, signal }),
      server.changed({ signal }),
    ]);
    addReasons(state, found);
    if (server.hasChanged()) state.reasons.add([{ code: 'serverChanged' }]);
    state.endChecked = true;
    return [];
  }

  async function next(options: Abortable): Promise<readonly Log[]> {
    const step = state.rangeRead ? lookAgain : readNext;
    try {
      return await step(options);
    } catch (error) {
      if (!(await isOfAnotherServer(error, options))) throw error;
      return step(options);
    }
  }

  /** Whether a refusal comes from a server that took the place of the one that was asked, and speaks otherwise. */
  async function isOfAnotherServer(error: unknown, options: Abortable): Promise<boolean> {
    return isAppError(error, 'rpc') && (await server.changed(options));
  }

  async function* remaining({ retry, onWindow, signal }: RestOptions) {
    if (state.ended) return;
    const parts = await partsOf({ signal });
    const left = { first: state.nextBlock, last: span.last };
    const reading = { ...source, retry };
    const options = { source: reading, parts, span: left, width: state.width, onWindow, signal };
    for await (const window of readParallel(options)) yield emitRows(state, acceptWindow(state, window));
  }

  async function* rest(options: RestOptions) {
    const { onWindow, signal } = options;
    if (state.nextBlock === span.first && !state.after && !state.rangeRead) {
      const logs = await next({ signal });
      onWindow(blocksRead());
      yield logs;
    }
    if (!state.rangeRead) leaveCursor(state);
    state.after = undefined;
    try {
      yield* remaining(options);
    } catch (error) {
      if (!(await isOfAnotherServer(error, { signal }))) throw error;
      yield* remaining(options);
    }
    if (!state.endChecked) await next({ signal });
  }

  return {
    range,
    order: direction.order,
    next,
    rest,
    rangeRead: () => state.rangeRead,
    finished: () => state.rangeRead && state.endChecked,
    addReason: (reason) => state.reasons.add([reason]),
    reasons: () => [
      ...state.reasons.list(),
      ...unrequestedRows.askedFrom.map((block) => ({ code: 'otherRows', block }) as const),
    ],
    readThrough: () => blockBefore(state.nextBlock),
    readBefore: ({ blockNumber }) => blockBefore(blockNumber),
    blocksRead,
  };
}

/** The next window of blocks, or the first page of a server whose cursor can be followed from there. */
async function readByWindow(
  context: StreamContext,
  parts: readonly ServerFilter[],
  { signal }: Abortable,
): Promise<readonly Log[]> {
  const { source, state } = context;
  const { direction, width, nextBlock: first } = state;
  let page: FetchedLogs | undefined;
  const takePage = (full: FetchedLogs) => {
    const servesPages =
      state.after === undefined && cursorPart(context, parts) !== undefined && full.count === PAGE_LIMIT;
    if (servesPages) page = full;
    return servesPages;
  };
  const blocks = bigintMin(width.current(), source.memory.current().maxBlocks ?? width.current());
  const last = direction.nearer(state.span.last, direction.onward(first, blocks - 1n));
  const window = await readWindow(source, { parts, span: { first, last }, takePage, signal });
  if (page) return acceptPage(state, page);
  if (!window) return [];
  if (!window.ends) {
    const { entries, refused, through } = window;
    width.learn({
      asked: countBlocks(direction, { first, last }),
      blocks: countBlocks(direction, { first, last: through }),
      entries,
      refused,
      mostWhole: getMaxCompleteRows(source.memory, parts),
    });
  }
  return acceptWindow(state, window);
}

/** Moves the state behind `window`; returns its rows that are new. @throws what a server refuses block after block. */
function acceptWindow(state: StreamState, window: LogWindow): readonly Log[] {
  state.refusedBlocks.check(window.refusal);
  const fresh = filterNewRows(state, window.logs);
  if (window.ends) endStream(state);
  state.readAtOnce = window.atOnce;
  state.nextBlock = state.direction.onward(window.through, 1n);
  state.after = undefined;
  state.rangeRead = state.ended || window.through === state.span.last;
  addReasons(state, window.reasons);
  return fresh;
}

/**
 * The one filter of which the server's cursor may be followed; undefined where block ranges are the way: also downwards,
 * as every cursor goes up.
 */
function cursorPart(
  { source, state }: StreamContext,
  parts: readonly ServerFilter[],
): ServerFilter | undefined {
  const [only, ...others] = parts;
  if (!only || others.length > 0 || state.cursorFailed) return undefined;
  if (source.direction.order === 'newestFirst') return undefined;
  return getServerPaging(source.memory, only).cursor ? only : undefined;
}

/** The page behind the cursor; none, and a state that goes on by block ranges, where the server fails on its cursor. */
async function readByCursor(
  { source, state }: StreamContext,
  part: ServerFilter,
  { signal }: Abortable,
): Promise<readonly Log[]> {
  const { after, range } = state;
  const { fromBlock, toBlock } = range;
  try {
    const page = await fetchLogs(source, part, { fromBlock, toBlock, after, signal });
    if (getServerPaging(source.memory, part).cursor) return acceptPage(state, page);
    giveUpCursor(state);
  } catch (error) {
    // A query that the server cannot run is HTTP 500 on Blockscout, which other releases answered well.
    if (!after || !isAppError(error, 'rpc', 'server')) throw error;
    afterFailure(state, source.memory, error.details.serverMessage ?? '');
  }
  return [];
}

/** A server that wants `0x` in its cursor is tried so once; one that refuses both is read by ranges. */
function afterFailure(state: StreamState, memory: DialectMemory, serverMessage: string): void {
  const { prefixedCursor } = memory.current();
  const dislikesForm = /invalid (?:block number|log index)/i.test(serverMessage);
  if (dislikesForm && !prefixedCursor) memory.learn({ prefixedCursor: true });
  else giveUpCursor(state);
}

function giveUpCursor(state: StreamState): void {
  state.cursorFailed = true;
  leaveCursor(state);
}

/** Moves the state behind `page`; returns its rows that are new. */
function acceptPage(state: StreamState, page: FetchedLogs): readonly Log[] {
  const { after, range } = state;
  const first = page.logs[0];
  const last = page.logs[page.logs.length - 1];
  const stuck = after !== undefined && first !== undefined && compareLogs(first, after) <= 0;
  if (stuck || (page.count >= PAGE_LIMIT && !last) || !page.inOrder || page.hasUnrequestedRows) {
    giveUpCursor(state);
    return [];
  }
  if (after && first?.blockNumber === after.blockNumber && first.blockHash !== after.blockHash) {
    state.reasons.add([{ code: 'reorg', block: after.blockNumber }]);
  }
  state.reasons.add(page.uncertainAt.map((block) => ({ code: 'forkRows', block })));
  if (page.count < PAGE_LIMIT && page.knownTo < range.toBlock) return acceptKnownPart(state, page);
  state.readAtOnce = !page.compared;
  state.rangeRead = page.count < PAGE_LIMIT;
  if (last) {
    const blocks = last.blockNumber - state.nextBlock + 1n;
    state.width.learn({
      ...{ asked: blocks, blocks, entries: page.count, refused: false },
      mostWhole: PAGE_LIMIT,
    });
  }
  countRowsOfBlock(state, page);
  state.after = last ?? after;
  state.nextBlock = state.rangeRead ? range.toBlock + 1n : (state.after?.blockNumber ?? state.nextBlock);
  if (first && state.rowsOfBlock > MAX_BLOCK_ROWS) {
    state.reasons.add([{ code: 'endlessBlock', block: first.blockNumber }]);
    endStream(state);
  }
  return filterNewRows(state, mergeLogs([page.matching]));
}

/** The last page, of a machine that does not know the end of the range: from there on block ranges are the way. */
function acceptKnownPart(state: StreamState, { matching, knownTo }: FetchedLogs): readonly Log[] {
  leaveCursor(state);
  if (knownTo >= state.nextBlock) state.nextBlock = knownTo + 1n;
  return filterNewRows(state, mergeLogs([matching.filter(({ blockNumber }) => blockNumber <= knownTo)]));
}

/** Of pages that are all of one block; one that reaches beyond has come to its end. */
function countRowsOfBlock(state: StreamState, { logs, count }: FetchedLogs): void {
  const first = logs[0];
  const isOneBlock = first !== undefined && first.blockNumber === logs[logs.length - 1]?.blockNumber;
  const goesOn = isOneBlock && first.blockNumber === state.nextBlock;
  state.rowsOfBlock = isOneBlock ? count + (goesOn ? state.rowsOfBlock : 0) : 0;
}

interface EndRequest extends Abortable {
  readonly parts: readonly ServerFilter[];
  readonly range: BlockRange;
  /** The rows given from {@link getFirstUnsettledBlock} on, in the order of reading. */
  readonly given: RowKeys;
}

/** Several requests are under way at once: on a server that fails now and then, one of them fails often in a row. */
const RETRIES = 8;

/**
 * Looks again at the end of the chain after a query of several answers, for what changed while they came: a head
 * below the range, or other rows in the last blocks than those given. All of these blocks are read: rows that came
 * before a reorg may stand below rows that came after it.
 *
 * @throws AppError of any network kind, from whichever of the two questions.
 */
async function checkEnd(source: QueryContext, question: EndRequest): Promise<readonly VerdictReason[]> {
  const patient = { ...source, retry: { ...source.retry, retries: RETRIES } };
  const [reaches, again] = await Promise.allSettled([
    headReaches(patient, question),
    compareAgain(patient, question),
  ]);
  if (reaches.status === 'rejected') throw reaches.reason;
  // A node refuses blocks above its head, so that this goes before what became of reading them.
  if (!reaches.value) return [{ code: 'headWentBack' }];
  if (again.status === 'rejected') throw again.reason;
  return again.value;
}

/** Asks for the head only where reading the last blocks again does not tell it as well. */
async function headReaches(source: QueryContext, { range, signal }: EndRequest): Promise<boolean> {
  const readsAgain = range.toBlock >= getFirstUnsettledBlock(range);
  if (readsAgain && reportsHead(source.memory.current())) return true;
  for (let attempt = 0; ; attempt++) {
    const head = await getBlockNumber(source.rpc, { ...source.retry, signal });
    if (head >= range.toBlock) return true;
    if (!(await waitForReplica(source.wait, attempt, { signal }))) return false;
  }
}

/** Compares row by row as they come, so that the end of the chain is not held in memory again. */
async function compareAgain(
  source: QueryContext,
  { parts, range, given, signal }: EndRequest,
): Promise<readonly VerdictReason[]> {
  const { direction } = source;
  const span = direction.span({ fromBlock: getFirstUnsettledBlock(range), toBlock: range.toBlock });
  const blocks = countBlocks(direction, span);
  const width = createWindowWidth(blocks, source.fetchWithCoverage && { rows: STREAM_TARGET_ROWS });
  // As dense as before, most likely: what does not fit into one answer is asked for side by side.
  width.learn({
    ...{ asked: blocks, blocks, entries: given.length, refused: false },
    mostWhole: getMaxCompleteRows(source.memory, parts),
  });
  const options = { source, parts, span, width, onWindow: () => undefined, signal };
  const before = given.all()[Symbol.iterator]();
  for await (const { logs, reasons, ends } of readParallel(options)) {
    if (ends) return reasons;
    for (const now of logs) {
      const old: RowKey | undefined = before.next().value;
      if (!isSame(old, now)) return [differenceOf(source, old, now)];
    }
  }
  const old: RowKey | undefined = before.next().value;
  return old ? [differenceOf(source, old, undefined)] : [];
}

/** A row that came or went is a reorg, unless a machine that is behind may have answered that does not tell. */
function differenceOf(
  { memory, direction, unsettledFrom }: QueryContext,
  old: RowKey | undefined,
  now: RowKey | undefined,
): VerdictReason {
  const isOtherBlock = old?.blockNumber === now?.blockNumber && old?.blockHash !== now?.blockHash;
  const isReorg = isOtherBlock || reportsHead(memory.current());
  if (!isReorg) return { code: 'serversDiffer', block: unsettledFrom };
  const block = old && now ? direction.nearer(old.blockNumber, now.blockNumber) : (old ?? now)?.blockNumber;
  return { code: 'reorg', ...(block === undefined ? {} : { block }) };
}

function isSame(old: RowKey | undefined, now: RowKey): boolean {
  return old?.blockHash === now.blockHash && old.logIndex === now.logIndex;
}

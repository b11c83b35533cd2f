import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { getBlockNumber } from '../../rpc/methods.ts';
import { compareLogs, countBlocks, type Log, type LogOrder } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { type BlockRange, getFirstUnsettledBlock } from './blockRange.ts';
import { PAGE_LIMIT, reportsHead } from './dialect.ts';
import { type DialectMemory, getMaxCompleteRows, getServerPaging } from './dialectMemory.ts';
import { type FetchedLogs, fetchLogs, QUORUM, waitForReplica } from './fetchLogs.ts';
import { type QueryContext, type RetryPolicy, resolveServerFilters } from './getLogs.ts';
import { MAX_BLOCK_ROWS } from './limits.ts';
import { findMissingLogs } from './missingLogs.ts';
import { findFirstServedBlock } from './nodeHistory.ts';
import { dropRepeatedLogs } from './parseLogs.ts';
import type { ServerWatch } from './probeServer.ts';
import { createWindowWidth, STREAM_TARGET_ROWS } from './rangeWidth.ts';
import { readDownwards } from './readDownwards.ts';
import { readWindow } from './readWindow.ts';
import { mayConcernBlocks } from './refusals.ts';
import type { RowKey, RowKeys } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';
import {
  acceptWindow,
  addReasons,
  createStreamState,
  emitRows,
  endStream,
  filterNewRows,
  getFirstBlock,
  leaveCursor,
  openReader,
  type StreamContext,
  type StreamState,
} from './streamState.ts';
import { createWindowReader, readWindows } from './windowReader.ts';

/** The rows of a range in reading order, response by response, without duplicates. */
export interface LogStream {
  readonly range: BlockRange;
  readonly order: LogOrder;
  /** The next rows; may be empty although more follow. If a call throws, the position stays. */
  next(options: NextOptions): Promise<readonly Log[]>;
  /**
   * All remaining rows, window by window, read in parallel. `onWindow` receives the number of blocks of each window
   * on arrival, in any order. If the caller stops early, the position is behind the last emitted rows.
   */
  rest(options: RestOptions): AsyncGenerator<readonly Log[]>;
  /** Whether every block has been read; the check of the chain's end may still be due. */
  isRangeRead(): boolean;
  isFinished(): boolean;
  /** The next rows may take the server long: those that have been read need not wait for them. */
  isSlow(): boolean;
  reasons(): readonly VerdictReason[];
  addReason(reason: VerdictReason): void;
  /** Last block, in reading order, with all rows emitted; undefined before any. */
  readThrough(): bigint | undefined;
  /** Last block with all rows emitted if `waiting` is the first row that is not emitted. */
  readBefore(waiting: Log): bigint | undefined;
  /** Number of blocks with all rows emitted. */
  blocksRead(): bigint;
}

interface NextOptions extends Abortable {
  /** The user waits for a page of rows. Default: all rows are wanted. */
  readonly isForPage?: boolean;
}

interface RestOptions extends Abortable {
  /** For the windows that are read in parallel. */
  readonly retry: RetryPolicy;
  readonly onWindow: (blocks: bigint) => void;
}

interface LogStreamOptions {
  readonly query: QueryContext;
  readonly server: ServerWatch;
  readonly range: BlockRange;
}

/**
 * Opens a stream that pages by the server's cursor if that is known to be reliable, and by block ranges otherwise.
 * The server is probed at the first response for which its kind matters, and once more at the end.
 */
export function openLogStream({ query, server, range }: LogStreamOptions): LogStream {
  const state = createStreamState(range, query);
  const { direction } = state;
  const { first } = state.span;
  const context = { query, state };
  let recoveries = 0;

  const blockBefore = (block: bigint) =>
    direction.distance(first, block) > 0n ? direction.onward(block, -1n) : undefined;

  const blocksRead = () => direction.distance(first, state.nextBlock);

  const resolveFilters = (options: Abortable) => resolveServerFilters(query, options);

  async function readNext({ isForPage = false, ...options }: NextOptions): Promise<readonly Log[]> {
    const parts = await resolveFilters(options);
    const cursorFilter = state.after && findCursorFilter(context, parts);
    const logs = cursorFilter
      ? await readByCursor(context, cursorFilter, options)
      : direction.order === 'newestFirst'
        ? await readDownwards(context, { parts, isForPage, ...options })
        : await readByWindow(context, parts, options);
    state.isEndChecked ||= state.isRangeRead && state.steps === 0 && state.isSingleResponse;
    if (state.steps === 0) server.begin();
    state.steps++;
    const rows = emitRows(state, logs);
    // The rows stay, and the check is made later, if the call is cancelled meanwhile.
    if (state.isRangeRead && state.isEndChecked) await checkStartOnce(options).catch(() => undefined);
    return rows;
  }

  async function checkEndOnce({ signal }: Abortable): Promise<void> {
    if (state.isEndChecked) return;
    const parts = await resolveFilters({ signal });
    const emittedRows = state.unsettledRows;
    const [reasons] = await Promise.all([
      // Without blocks that the server turned out not to have.
      checkEnd(query, { parts, range: { ...range, fromBlock: getFirstBlock(state) }, emittedRows, signal }),
      server.checkChanged({ signal }),
    ]);
    addReasons(state, reasons);
    const missingFrom = query.heads.getMissingFrom();
    if (missingFrom !== undefined && missingFrom <= range.toBlock)
      addReasons(state, [{ code: 'serversDiffer', block: missingFrom }]);
    if (server.hasChanged()) state.reasons.add([{ code: 'serverChanged' }]);
    state.isEndChecked = true;
  }

  /** Of a node, whether it has the logs of old blocks, unless it has shown that. */
  async function checkStartOnce({ signal }: Abortable): Promise<void> {
    if (state.isStartChecked) return;
    await query.identify({ signal });
    const { toBlock } = range;
    const fromBlock = getFirstBlock(state);
    const reason = await findMissingLogs(
      query,
      { fromBlock, toBlock },
      { lowestRow: state.lowestRow, hasRow: state.rowBlocks.has, signal },
    );
    if (reason) state.reasons.add([reason]);
    state.isStartChecked = true;
  }

  async function check(options: Abortable): Promise<readonly Log[]> {
    await Promise.all([checkEndOnce(options), checkStartOnce(options)]);
    return [];
  }

  async function next(options: NextOptions): Promise<readonly Log[]> {
    for (;;) {
      try {
        return await (state.isRangeRead ? check(options) : readNext(options));
      } catch (error) {
        if (!(await recover(error, options))) throw error;
      }
    }
  }

  /** Whether reading can go on after an error: another server refused the request, or the server lacks old blocks. */
  async function recover(error: unknown, options: Abortable): Promise<boolean> {
    if (recoveries++ === MAX_RECOVERIES) return false;
    if (isAppError(error, 'rpc') && (await server.checkChanged(options))) return true;
    return !state.isRangeRead && mayConcernBlocks(error) && skipMissingBlocks(options);
  }

  /** Continues with the blocks that the server has. */
  async function skipMissingBlocks(options: Abortable): Promise<boolean> {
    const [part] = await resolveFilters(options);
    if (!part || query.fetchWithCoverage) return false;
    const isUpward = direction.order === 'oldestFirst';
    // Downward, the last block read is known to be served.
    const from = isUpward ? state.nextBlock : (blockBefore(state.nextBlock) ?? state.nextBlock);
    const unread = direction.blocks({ first: from, last: state.span.last });
    const block = await findFirstServedBlock(query, part, unread, options);
    if (block === undefined) return false;
    leaveCursor(state);
    state.startsAt = block;
    if (isUpward) state.nextBlock = block;
    else state.span = { first, last: block };
    state.isRangeRead = direction.distance(state.nextBlock, state.span.last) < 0n;
    state.reasons.add([{ code: 'startsLater', block }]);
    return true;
  }

  async function* readRemaining({ retry, onWindow, signal }: RestOptions) {
    if (state.hasEnded) return;
    const parts = await resolveFilters({ signal });
    const reader = openReader(context);
    onWindow(reader.blocksWaiting);
    const options = { query: { ...query, retry }, parts, onWindow, signal };
    for await (const window of readWindows(reader, options))
      yield emitRows(state, acceptWindow(state, window));
  }

  async function* rest(options: RestOptions) {
    const { onWindow, signal } = options;
    const isUnread = state.nextBlock === first && !state.after && !state.isRangeRead;
    if (isUnread || state.whole?.window) {
      const blocksBefore = blocksRead();
      const logs = await next({ signal });
      onWindow(blocksRead() - blocksBefore);
      yield logs;
    }
    state.whole?.stop();
    state.whole = undefined;
    if (!state.isRangeRead) leaveCursor(state);
    state.after = undefined;
    while (!state.isRangeRead) {
      try {
        yield* readRemaining(options);
      } catch (error) {
        if (!(await recover(error, { signal }))) throw error;
      }
    }
    if (!isFinished()) await next({ signal });
  }

  const isFinished = () => state.isRangeRead && state.isEndChecked && state.isStartChecked;

  return {
    range,
    order: direction.order,
    next,
    rest,
    isRangeRead: () => state.isRangeRead,
    isFinished,
    isSlow: () => state.whole !== undefined && !state.whole.window && !openReader(context).isNextReady,
    addReason: (reason) => state.reasons.add([reason]),
    reasons: () => [...state.reasons.list(), ...query.responseReasons.list()],
    readThrough: () => blockBefore(state.nextBlock),
    readBefore: ({ blockNumber }) => blockBefore(blockNumber),
    blocksRead,
  };
}

/** Reads the next window of blocks, or the first page if the server's cursor can be followed from there. */
async function readByWindow(
  context: StreamContext,
  parts: readonly ServerFilter[],
  { signal }: Abortable,
): Promise<readonly Log[]> {
  const { query, state } = context;
  const { direction, width, nextBlock: first } = state;
  let page: FetchedLogs | undefined;
  const takePage = (full: FetchedLogs) => {
    const servesPages =
      state.after === undefined &&
      findCursorFilter(context, parts) !== undefined &&
      full.count === PAGE_LIMIT;
    if (servesPages) page = full;
    return servesPages;
  };
  const blocks = bigintMin(width.current(), query.memory.current().maxBlocks ?? width.current());
  const last = direction.nearer(state.span.last, direction.onward(first, blocks - 1n));
  const window = await readWindow(query, { parts, span: { first, last }, takePage, signal });
  if (page) return acceptPage(state, page);
  if (!window) return [];
  if (!window.endsQuery) {
    const { entries, refused, through } = window;
    width.learn({
      requestedBlocks: countBlocks(direction, { first, last }),
      coveredBlocks: countBlocks(direction, { first, last: through }),
      entries,
      refused,
      maxCompleteRows: getMaxCompleteRows(query.memory, parts),
    });
  }
  return acceptWindow(state, window);
}

/**
 * The single filter whose cursor may be followed; undefined if the stream must read by block ranges. That includes
 * reading downwards, as every cursor moves up.
 */
function findCursorFilter(
  { query, state }: StreamContext,
  parts: readonly ServerFilter[],
): ServerFilter | undefined {
  const [only, ...others] = parts;
  if (!only || others.length > 0 || state.cursorFailed) return undefined;
  if (query.direction.order === 'newestFirst') return undefined;
  return getServerPaging(query.memory, only).hasReliableCursor ? only : undefined;
}

/**
 * Reads the page behind the cursor. If the server fails on its cursor, returns no rows and continues by block
 * ranges.
 */
async function readByCursor(
  { query, state }: StreamContext,
  part: ServerFilter,
  { signal }: Abortable,
): Promise<readonly Log[]> {
  const { after, range } = state;
  const { fromBlock, toBlock } = range;
  try {
    const page = await fetchLogs(query, part, { fromBlock, toBlock, after, signal });
    if (getServerPaging(query.memory, part).hasReliableCursor) return acceptPage(state, page);
    giveUpCursor(state);
  } catch (error) {
    // Some Blockscout releases respond with HTTP 500 to a cursor query that other releases can run.
    if (!after || !isAppError(error, 'rpc', 'server')) throw error;
    handleCursorError(state, query.memory, error.details.serverMessage ?? '');
  }
  return [];
}

/** If the server requires `0x` in its cursor, retries once in that form. If it refuses both forms, reads by ranges. */
function handleCursorError(state: StreamState, memory: DialectMemory, serverMessage: string): void {
  const { prefixedCursor } = memory.current();
  const dislikesForm = /invalid (?:block number|log index)/i.test(serverMessage);
  if (dislikesForm && !prefixedCursor) memory.learn({ prefixedCursor: true });
  else giveUpCursor(state);
}

function giveUpCursor(state: StreamState): void {
  state.cursorFailed = true;
  leaveCursor(state);
}

/** Moves the state behind `page` and returns its new rows. */
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
  if (page.count < PAGE_LIMIT && page.coveredTo < range.toBlock) return acceptCoveredPart(state, page);
  state.isSingleResponse = !page.isByQuorum;
  state.isRangeRead = page.count < PAGE_LIMIT;
  if (last) {
    const blocks = last.blockNumber - state.nextBlock + 1n;
    state.width.learn({
      requestedBlocks: blocks,
      coveredBlocks: blocks,
      entries: page.count,
      refused: false,
      maxCompleteRows: PAGE_LIMIT,
    });
  }
  countRowsOfBlock(state, page);
  state.after = last ?? after;
  state.nextBlock = state.isRangeRead ? range.toBlock + 1n : (state.after?.blockNumber ?? state.nextBlock);
  if (first && state.rowsOfBlock > MAX_BLOCK_ROWS) {
    state.reasons.add([{ code: 'endlessBlock', block: first.blockNumber }]);
    endStream(state);
  }
  return filterNewRows(state, dropRepeatedLogs(page.matching));
}

/** Accepts the last page of a replica that has not seen the end of the range, and continues by block ranges. */
function acceptCoveredPart(state: StreamState, { matching, coveredTo }: FetchedLogs): readonly Log[] {
  leaveCursor(state);
  if (coveredTo >= state.nextBlock) state.nextBlock = coveredTo + 1n;
  return filterNewRows(
    state,
    dropRepeatedLogs(matching.filter(({ blockNumber }) => blockNumber <= coveredTo)),
  );
}

/**
 * Counts rows over consecutive pages that lie within one block. A page that reaches beyond that block ends the
 * count.
 */
function countRowsOfBlock(state: StreamState, { logs, count }: FetchedLogs): void {
  const first = logs[0];
  const isOneBlock = first !== undefined && first.blockNumber === logs[logs.length - 1]?.blockNumber;
  const isContinued = isOneBlock && first.blockNumber === state.nextBlock;
  state.rowsOfBlock = isOneBlock ? count + (isContinued ? state.rowsOfBlock : 0) : 0;
}

/** Of one stream: a change of the server, or blocks that it turns out not to have. */
const MAX_RECOVERIES = 3;

interface EndRequest extends Abortable {
  readonly parts: readonly ServerFilter[];
  readonly range: BlockRange;
  /** The emitted rows from {@link getFirstUnsettledBlock} on, in reading order. */
  readonly emittedRows: RowKeys;
}

/** Several requests run at once, so on a flaky server one of them often fails several times in a row. */
const RETRIES = 8;

/**
 * Checks the end of the chain again after a query of several responses, for changes that happened meanwhile: a head
 * below the range, or other rows in the last blocks than those emitted. Reads all of these blocks, since rows from
 * before a reorg may lie below rows from after it.
 *
 * @throws AppError of any network kind, from either of the two requests.
 */
async function checkEnd(query: QueryContext, request: EndRequest): Promise<readonly VerdictReason[]> {
  const patientQuery = { ...query, retry: { ...query.retry, retries: RETRIES } };
  const [inChain, differences] = await Promise.allSettled([
    isRangeInChain(patientQuery, request),
    compareLastBlocks(patientQuery, request),
  ]);
  if (inChain.status === 'rejected') throw inChain.reason;
  // A node refuses blocks above its head, so a lower head takes precedence over a failed read.
  if (!inChain.value) return [{ code: 'headWentBack' }];
  if (differences.status === 'rejected') throw differences.reason;
  return differences.value;
}

/**
 * Whether the head still reaches the range's end. Requests the head only if reading the last blocks again does not
 * report it anyway.
 */
async function isRangeInChain(query: QueryContext, { range, signal }: EndRequest): Promise<boolean> {
  const readsAgain = range.toBlock >= getFirstUnsettledBlock(range);
  if (readsAgain && reportsHead(query.memory.current())) return true;
  // Without a head beside each response, several heads show whether a replica is far behind.
  const isHeadless = !reportsHead(query.memory.current()) && range.toBlock >= query.headNeededFrom;
  for (let attempt = 0; ; attempt++) {
    const requests = Array.from({ length: isHeadless && attempt === 0 ? QUORUM : 1 }, () =>
      getBlockNumber(query.rpc, { ...query.retry, signal }),
    );
    const heads = await Promise.all(requests);
    for (const head of heads) query.heads.note(head);
    const head = heads.reduce(bigintMax);
    if (head >= range.toBlock) return true;
    if (!(await waitForReplica(query.wait, attempt, { signal }))) return false;
  }
}

/** Compares row by row on arrival, so that the rows are not in memory twice. */
async function compareLastBlocks(
  query: QueryContext,
  { parts, range, emittedRows, signal }: EndRequest,
): Promise<readonly VerdictReason[]> {
  const { direction } = query;
  const span = direction.span({ fromBlock: getFirstUnsettledBlock(range), toBlock: range.toBlock });
  const blocks = countBlocks(direction, span);
  const width = createWindowWidth(blocks, query.fetchWithCoverage && { rows: STREAM_TARGET_ROWS });
  // The blocks are probably as dense as before: what does not fit into one response is read in parallel.
  width.learn({
    requestedBlocks: blocks,
    coveredBlocks: blocks,
    entries: emittedRows.length,
    refused: false,
    maxCompleteRows: getMaxCompleteRows(query.memory, parts),
  });
  const reader = createWindowReader({ direction, memory: query.memory, span, width });
  const emitted = emittedRows.all()[Symbol.iterator]();
  for await (const { logs, reasons, endsQuery } of readWindows(reader, { query, parts, signal })) {
    if (endsQuery) return reasons;
    for (const current of logs) {
      const previous: RowKey | undefined = emitted.next().value;
      if (!isSameRow(previous, current)) return [toReason(query, previous, current)];
    }
  }
  const previous: RowKey | undefined = emitted.next().value;
  return previous ? [toReason(query, previous, undefined)] : [];
}

/**
 * A row that appeared or disappeared is a reorg, unless the response may come from a lagging replica that does not
 * report its head.
 */
function toReason(
  { memory, direction, unsettledFrom }: QueryContext,
  previous: RowKey | undefined,
  current: RowKey | undefined,
): VerdictReason {
  const isOtherBlock =
    previous?.blockNumber === current?.blockNumber && previous?.blockHash !== current?.blockHash;
  const isReorg = isOtherBlock || reportsHead(memory.current());
  if (!isReorg) return { code: 'serversDiffer', block: unsettledFrom };
  const block =
    previous && current
      ? direction.nearer(previous.blockNumber, current.blockNumber)
      : (previous ?? current)?.blockNumber;
  return { code: 'reorg', ...(block === undefined ? {} : { block }) };
}

function isSameRow(previous: RowKey | undefined, current: RowKey): boolean {
  return previous?.blockHash === current.blockHash && previous.logIndex === current.logIndex;
}

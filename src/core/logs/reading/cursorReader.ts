import type { Abortable } from '../../base/abortable.ts';
import { isAppError } from '../../base/errors.ts';
import { type FetchedLogs, fetchLogs } from '../asking/fetchLogs.ts';
import { mergeLogs } from '../asking/mergeLogs.ts';
import { MOST_BLOCK_ROWS } from '../guards/room.ts';
import { compareLogs, type Log } from '../query/log.ts';
import { type DialectMemory, pagingTraitsOf } from '../server/dialectMemory.ts';
import { PAGE_LIMIT } from '../server/pageLimits.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { endStream, freshRows, leaveCursor, type StreamContext, type StreamState } from './streamState.ts';

/**
 * The one filter of which the server's cursor may be followed; undefined where block ranges are the way: also downwards,
 * as every cursor goes up.
 */
export function cursorPart(
  { source, state }: StreamContext,
  parts: readonly ServerFilter[],
): ServerFilter | undefined {
  const [only, ...others] = parts;
  if (!only || others.length > 0 || state.cursorFailed) return undefined;
  if (source.direction.order === 'newestFirst') return undefined;
  return pagingTraitsOf(source.memory, only).cursor ? only : undefined;
}

/** The page behind the cursor; none, and a state that goes on by block ranges, where the server fails on its cursor. */
export async function readByCursor(
  { source, state }: StreamContext,
  part: ServerFilter,
  { signal }: Abortable,
): Promise<readonly Log[]> {
  const { after, range } = state;
  const { fromBlock, toBlock } = range;
  try {
    const page = await fetchLogs(source, part, { fromBlock, toBlock, after, signal });
    if (pagingTraitsOf(source.memory, part).cursor) return acceptPage(state, page);
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
export function acceptPage(state: StreamState, page: FetchedLogs): readonly Log[] {
  const { after, range } = state;
  const first = page.logs[0];
  const last = page.logs[page.logs.length - 1];
  const stuck = after !== undefined && first !== undefined && compareLogs(first, after) <= 0;
  if (stuck || (page.count >= PAGE_LIMIT && !last) || !page.inOrder || page.hasStrays) {
    giveUpCursor(state);
    return [];
  }
  if (after && first?.blockNumber === after.blockNumber && first.blockHash !== after.blockHash) {
    state.doubts.add([{ code: 'reorg', block: after.blockNumber }]);
  }
  state.doubts.add(page.doubtfulAt.map((block) => ({ code: 'forkRows', block })));
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
  if (first && state.rowsOfBlock > MOST_BLOCK_ROWS) {
    state.doubts.add([{ code: 'endlessBlock', block: first.blockNumber }]);
    endStream(state);
  }
  return freshRows(state, mergeLogs([page.matching]));
}

/** The last page, of a machine that does not know the end of the range: from there on block ranges are the way. */
function acceptKnownPart(state: StreamState, { matching, knownTo }: FetchedLogs): readonly Log[] {
  leaveCursor(state);
  if (knownTo >= state.nextBlock) state.nextBlock = knownTo + 1n;
  return freshRows(state, mergeLogs([matching.filter(({ blockNumber }) => blockNumber <= knownTo)]));
}

/** Of pages that are all of one block; one that reaches beyond has come to its end. */
function countRowsOfBlock(state: StreamState, { logs, count }: FetchedLogs): void {
  const first = logs[0];
  const isOneBlock = first !== undefined && first.blockNumber === logs[logs.length - 1]?.blockNumber;
  const goesOn = isOneBlock && first.blockNumber === state.nextBlock;
  state.rowsOfBlock = isOneBlock ? count + (goesOn ? state.rowsOfBlock : 0) : 0;
}

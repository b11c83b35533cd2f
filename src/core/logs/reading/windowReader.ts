import type { Abortable } from '../../base/abortable.ts';
import { lesser } from '../../values/lesser.ts';
import type { FetchedLogs } from '../asking/fetchLogs.ts';
import { blocksIn } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import { mostWhole } from '../server/dialectMemory.ts';
import { PAGE_LIMIT } from '../server/pageLimits.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { acceptPage, cursorPart } from './cursorReader.ts';
import type { LogWindow } from './logWindow.ts';
import { readWindow } from './readWindow.ts';
import { addDoubts, endStream, freshRows, type StreamContext, type StreamState } from './streamState.ts';

/** The next window of blocks, or the first page of a server whose cursor can be followed from there. */
export async function readByWindow(
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
  const blocks = lesser(width.current(), source.memory.current().maxBlocks ?? width.current());
  const last = direction.nearer(state.span.last, direction.onward(first, blocks - 1n));
  const window = await readWindow(source, { parts, span: { first, last }, takePage, signal });
  if (page) return acceptPage(state, page);
  if (!window) return [];
  if (!window.ends) {
    const { entries, refused, through } = window;
    width.learn({
      asked: blocksIn(direction, { first, last }),
      blocks: blocksIn(direction, { first, last: through }),
      entries,
      refused,
      mostWhole: mostWhole(source.memory, parts),
    });
  }
  return acceptWindow(state, window);
}

/** Moves the state behind `window`; returns its rows that are new. @throws what a server refuses block after block. */
export function acceptWindow(state: StreamState, window: LogWindow): readonly Log[] {
  state.refusedBlocks.look(window.refusal);
  const fresh = freshRows(state, window.logs);
  if (window.ends) endStream(state);
  state.readAtOnce = window.atOnce;
  state.nextBlock = state.direction.onward(window.through, 1n);
  state.after = undefined;
  state.rangeRead = state.ended || window.through === state.span.last;
  addDoubts(state, window.doubts);
  return fresh;
}

import type { Abortable } from '../../base/abortable.ts';
import { isAppError } from '../../base/errors.ts';
import type { Effort } from '../asking/effort.ts';
import type { LogSource } from '../asking/logSource.ts';
import { partsToAsk } from '../asking/partsToAsk.ts';
import type { LogOrder } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import type { ServerWatch } from '../server/serverWatch.ts';
import type { BlockRange } from './blockRange.ts';
import { checkEnd } from './checkEnd.ts';
import { cursorPart, readByCursor } from './cursorReader.ts';

import { readParallel } from './readParallel.ts';
import { addDoubts, beginStream, giveRows, leaveCursor } from './streamState.ts';
import { acceptWindow, readByWindow } from './windowReader.ts';

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
  doubts(): readonly VerdictReason[];
  doubt(reason: VerdictReason): void;
  /** Last block, in the order of reading, of which every row has been given; undefined before any. */
  readThrough(): bigint | undefined;
  /** The last block of which every row has been given where `waiting` is the first that has not. */
  readBefore(waiting: Log): bigint | undefined;
  /** Blocks of which every row has been given. */
  blocksRead(): bigint;
}

interface RestOptions extends Abortable {
  /** For the windows that are read several at once. */
  readonly effort: Effort;
  readonly onWindow: (blocks: bigint) => void;
}

interface LogStreamOptions {
  readonly source: LogSource;
  readonly server: ServerWatch;
  readonly range: BlockRange;
}

/**
 * Opens a stream that pages by the server's cursor where that is known to be right, and by block ranges elsewhere.
 * What the server is gets asked at the first answer for which it matters, and once more at the end.
 */
export function openLogStream({ source, server, range }: LogStreamOptions): LogStream {
  const { strays } = source;
  const state = beginStream(range, source);
  const { direction, span } = state;
  const context = { source, state };

  const blockBefore = (block: bigint) =>
    direction.distance(span.first, block) > 0n ? direction.onward(block, -1n) : undefined;

  const blocksRead = () => direction.distance(span.first, state.nextBlock);

  const partsOf = (options: Abortable) => partsToAsk(source, options);

  async function readNext(options: Abortable): Promise<readonly Log[]> {
    const parts = await partsOf(options);
    const byCursor = state.after && cursorPart(context, parts);
    const logs = byCursor
      ? await readByCursor(context, byCursor, options)
      : await readByWindow(context, parts, options);
    state.endChecked ||= state.rangeRead && state.answers === 0 && state.readAtOnce;
    if (state.answers === 0) server.begin();
    state.answers++;
    return giveRows(state, logs);
  }

  async function lookAgain({ signal }: Abortable): Promise<readonly Log[]> {
    const parts = await partsOf({ signal });
    const given = state.unsettled;
    const [found] = await Promise.all([
      checkEnd(source, { parts, range, given, signal }),
      server.changed({ signal }),
    ]);
    addDoubts(state, found);
    if (server.hasChanged()) state.doubts.add([{ code: 'serverChanged' }]);
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

  async function* remaining({ effort, onWindow, signal }: RestOptions) {
    if (state.ended) return;
    const parts = await partsOf({ signal });
    const left = { first: state.nextBlock, last: span.last };
    const reading = { ...source, effort };
    const options = { source: reading, parts, span: left, width: state.width, onWindow, signal };
    for await (const window of readParallel(options)) yield giveRows(state, acceptWindow(state, window));
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
    doubt: (reason) => state.doubts.add([reason]),
    doubts: () => [
      ...state.doubts.list(),
      ...strays.askedFrom.map((block) => ({ code: 'otherRows', block }) as const),
    ],
    readThrough: () => blockBefore(state.nextBlock),
    readBefore: ({ blockNumber }) => blockBefore(blockNumber),
    blocksRead,
  };
}

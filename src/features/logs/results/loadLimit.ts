import {
  type Clock,
  createTimeSlices,
  type LogPage,
  type LogStore,
  type Verdict,
} from '../../../core/index.ts';

/** The limit in rows bounds memory too, at this many bytes a row: a log of which nothing repeats takes some 250. */
const BYTES_A_ROW = 512;
const LEAST_BYTES = 64 * 1024 * 1024;

export interface LoadLimit {
  /** The store that the pages go into. */
  readonly rows: Pick<LogStore, 'length' | 'bytes'>;
  /** Loading stops at every multiple of so many rows, and after what so many usual ones take. */
  readonly most: number;
  readonly clock: Clock;
  /** Called when it stops there, before the last block was read. */
  readonly onStop: () => void;
}

/** The pages up to the limit, with breaks between them for everything else that runs on this thread. */
export async function* pagesUpTo(limit: LoadLimit, pages: AsyncIterable<LogPage>): AsyncGenerator<LogPage> {
  const { rows, most } = limit;
  const stopAt = (Math.floor(rows.length / most) + 1) * most;
  const stopAtBytes = rows.bytes + Math.max(LEAST_BYTES, most * BYTES_A_ROW);
  const slices = createTimeSlices(limit.clock);
  for await (const page of pages) {
    yield page;
    const isMuch = rows.length >= stopAt || rows.bytes >= stopAtBytes;
    if (isMuch && hasBlocksToRead(page.verdict)) return limit.onStop();
    if (slices.isOver()) await slices.rest();
  }
}

/** Otherwise what is missing is at most the look back at the end, which brings no rows. */
function hasBlocksToRead({ state, order, fromBlock, toBlock, readThrough }: Verdict): boolean {
  const last = order === 'newestFirst' ? fromBlock : toBlock;
  return state === 'more' && readThrough !== last;
}

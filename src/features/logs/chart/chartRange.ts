import type { ChartSpan, LogStore, Verdict } from '../../../core/index.ts';
import { rowFromOldest } from '../../../core/index.ts';
import { readBlocks } from '../words/readBlocks.ts';

/** The blocks that bars stand over, and what is beside them. */
export interface ChartRange extends ChartSpan {
  readonly before: Beside | undefined;
  readonly after: Beside | undefined;
}

interface Beside extends ChartSpan {
  readonly kind: 'unread' | 'none';
}

/** Of what is read so much without logs at an end is left out, else the logs would stand in a corner. */
const MOST_EMPTY = 0.5;
/** What stays of it, as a share of the blocks with logs. */
const MARGIN = 0.05;

type Rows = Pick<LogStore, 'length' | 'order' | 'blockNumberAt'>;

/** The first and the last block of the rows; undefined where there are not two. */
export function blocksOfRows(rows: Rows): ChartSpan | undefined {
  if (rows.length < 2) return undefined;
  const first = rows.blockNumberAt(rowFromOldest(rows, 0));
  const last = rows.blockNumberAt(rowFromOldest(rows, rows.length - 1));
  return first < last ? { first, last } : undefined;
}

/** What is read stands to scale, logs of a block that is read in part too. What is not read yet never looks empty. */
export function chartRange(logs: ChartSpan, verdict: Verdict | undefined): ChartRange {
  const read = verdict && readBlocks(verdict);
  const low = Math.min(logs.first, read ? Number(read.first) : logs.first);
  const high = Math.max(logs.last, read ? Number(read.last) : logs.last);
  const kept = withoutEmptyEnds(logs, { first: low, last: high });
  const from = Number(verdict?.fromBlock ?? low);
  const to = Number(verdict?.toBlock ?? high);
  const isDownward = verdict?.order === 'newestFirst';
  return {
    ...kept,
    before:
      isDownward && from < low
        ? { kind: 'unread', first: from, last: low - 1 }
        : emptySpan(low, kept.first - 1),
    after:
      verdict && !isDownward && to > high
        ? { kind: 'unread', first: high + 1, last: to }
        : emptySpan(kept.last + 1, high),
  };
}

function emptySpan(first: number, last: number): Beside | undefined {
  return first <= last ? { kind: 'none', first, last } : undefined;
}

function withoutEmptyEnds(logs: ChartSpan, read: ChartSpan): ChartSpan {
  const most = (read.last - read.first) * MOST_EMPTY;
  const margin = Math.ceil((logs.last - logs.first) * MARGIN);
  return {
    first: logs.first - read.first > most ? logs.first - margin : read.first,
    last: read.last - logs.last > most ? logs.last + margin : read.last,
  };
}

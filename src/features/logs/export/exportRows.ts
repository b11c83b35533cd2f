import {
  type BackoffControl,
  type ChainClient,
  type Clock,
  createTimeSlices,
  type ExportDecoding,
  type ExportOrder,
  type Log,
  type LogFilter,
  type LogStore,
  type Network,
  type Verdict,
} from '../../../core/index.ts';
import type { ExportTimes } from './exportTimes.ts';

/** Rows that are loaded, in one order. */
export type ExportedRows = Pick<LogStore, 'length' | 'slice'>;

/** The rows that a panel shows of those that it has loaded. */
export interface FilteredRows {
  readonly rows: ExportedRows;
  /** As it was typed. */
  readonly filter: string;
  /** What the rows are sorted by, where they are not in the order in which they were loaded. */
  readonly sort: ExportOrder | undefined;
}

/** An answer as it stands, and how to ask for it anew. */
export interface ExportableAnswer {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'>;
  readonly filter: LogFilter;
  readonly rows: ExportedRows;
  /** Those that pass the filter, as they are shown; undefined where all do. */
  readonly filtered?: FilteredRows | undefined;
  readonly verdict: Verdict;
  /** Its network is not to be asked any more. */
  readonly onlyLoaded?: boolean;
  /** Undefined where logs are written without their times. */
  readonly times?: ExportTimes | undefined;
  /** Undefined where the logs are to be written as they are. */
  readonly decoding?: ExportDecoding | undefined;
}

/** The rows of an export, in their order, and what they are worth once they have all come. */
interface ExportRows {
  readonly pages: AsyncIterable<readonly Log[]>;
  verdict(): Verdict;
}

/** Told the share of the work that is done, from 0 to 1, as it goes on. */
type OnShare = (share: number) => void;

const PAGE = 1000;

/** The order of rows that are not sorted, which the first and the last of them tell; undefined where there are none. */
export function chainOrder(first: Log | undefined, last: Log | undefined): ExportOrder | undefined {
  if (!first || !last) return undefined;
  const isDescending =
    first.blockNumber > last.blockNumber ||
    (first.blockNumber === last.blockNumber && first.logIndex > last.logIndex);
  return { by: 'block', descending: isDescending };
}

/** The rows that are loaded now; what is loaded later is not of them. Makes breaks for what else the thread does. */
export function loadedRows(
  { rows, verdict }: { readonly rows: ExportedRows; readonly verdict: Verdict },
  clock: Clock,
  onShare: OnShare,
): ExportRows {
  const { length } = rows;
  async function* pages() {
    const slices = createTimeSlices(clock);
    for (let start = 0; start < length; start += PAGE) {
      yield rows.slice(start, Math.min(PAGE, length - start));
      onShare(Math.min(1, (start + PAGE) / length));
      if (slices.isOver()) await slices.rest();
    }
  }
  return { pages: pages(), verdict: () => verdict };
}

/**
 * The answer asked anew from its first block. The rows that are loaded are not taken over: their head is an older one,
 * and one file should hold one state of the chain.
 */
export function wholeQuery(
  { client, filter }: Pick<ExportableAnswer, 'client' | 'filter'>,
  onShare: OnShare,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits?: BackoffControl },
): ExportRows {
  const query = client.openLogQuery(filter, { waits });
  async function* pages() {
    const onProgress = ({ blocksDone, blocks }: { blocksDone: bigint; blocks: bigint }) =>
      onShare(blocks === 0n ? 1 : Number(blocksDone) / Number(blocks));
    for await (const { logs } of query.rest({ signal, onProgress })) yield logs;
  }
  return {
    pages: pages(),
    verdict() {
      if (!query.verdict) throw new Error('The query has not come to its end.');
      return query.verdict;
    },
  };
}

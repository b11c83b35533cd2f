import {
  type ChainClient,
  type Clock,
  createTimeSlices,
  type ExportDecoding,
  type Log,
  type LogFilter,
  type LogStore,
  type Network,
  type Verdict,
  type Waits,
} from '../../../core/index.ts';

/** An answer as it stands, and how to ask for it anew. */
export interface ExportableAnswer {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'>;
  readonly filter: LogFilter;
  readonly rows: Pick<LogStore, 'length' | 'slice'>;
  readonly verdict: Verdict;
  /** Undefined where the logs are to be written as they are. */
  readonly decoding?: ExportDecoding | undefined;
}

/** The rows of an export, in the order of the chain, and what they are worth once they have all come. */
interface ExportRows {
  readonly pages: AsyncIterable<readonly Log[]>;
  verdict(): Verdict;
}

/** Told the share of the work that is done, from 0 to 1, as it goes on. */
type OnShare = (share: number) => void;

const PAGE = 1000;

/** The rows that are loaded now; what is loaded later is not of them. Makes breaks for what else the thread does. */
export function loadedRows(
  { rows, verdict }: Pick<ExportableAnswer, 'rows' | 'verdict'>,
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
  { signal, waits }: { readonly signal: AbortSignal; readonly waits?: Waits },
): ExportRows {
  const query = client.openLogQuery(filter, waits);
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

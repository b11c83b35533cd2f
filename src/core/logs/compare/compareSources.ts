import type { Abortable } from '../../base/abortable.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { lesser } from '../../values/lesser.ts';
import type { LogFilter } from '../query/logFilter.ts';
import type { LogSource } from '../query/logQuery.ts';
import { askBoth, createReasons, type FoundReasons } from './askBoth.ts';
import { compareWindow } from './compareWindow.ts';
import { createRowsApart, type RowsApart } from './rowsApart.ts';
import { type BlockWindow, type SampleSize, sampleWindows } from './sampleWindows.ts';
import type { SecondOpinion } from './secondOpinion.ts';

/** A source of logs, with what tells whether it is of the same chain, and how far. */
export interface ComparedSource extends LogSource {
  latestBlock(options?: Abortable): Promise<bigint>;
  /** Undefined where it does not tell. */
  chainId(options?: Abortable): Promise<number | undefined>;
}

export interface CompareOptions extends Abortable {
  readonly filter: LogFilter;
  /** The range of the answer that is compared. */
  readonly range: BlockWindow;
  /** Default: all blocks of the range. */
  readonly sample?: SampleSize | undefined;
  /** Blocks below either head that are not compared, as a reorg may still change them; default 128. */
  readonly unsettled?: bigint | undefined;
  /** Differing rows that are kept of each kind; default 100. */
  readonly mostRows?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: bigint; readonly of: bigint }) => void) | undefined;
}

const UNSETTLED_BLOCKS = 128n;
const MOST_ROWS = 100;

/**
 * Asks two sources for the same logs and compares them row by row, as they come. Says that they agree only where the
 * answers of both are complete.
 *
 * @throws AppError `aborted` only: what else either fails with is a reason.
 * @example
 * const { state, onlyThere } = await compareSources(client, other, { filter, range: verdict });
 */
export async function compareSources(
  here: ComparedSource,
  there: ComparedSource,
  options: CompareOptions,
): Promise<SecondOpinion> {
  const { filter, range, sample, signal, mostRows = MOST_ROWS } = options;
  const apart = createRowsApart(mostRows);
  const reasons = createReasons({ signal });
  const settled = await settledRange(here, there, { ...options, reasons });
  const windows = settled ? (sample ? sampleWindows(settled, sample) : [settled]) : [];
  const all = windows.reduce((sum, window) => sum + lengthOf(window), 0n);
  let blocks = 0n;
  for (const window of windows) {
    throwIfAborted(signal);
    await compareWindow(here, there, { filter, window, apart, reasons, signal });
    if (!reasons.areNone) break;
    blocks += lengthOf(window);
    options.onProgress?.({ done: blocks, of: all });
  }
  return {
    ...opinionOf(apart, reasons),
    ...(settled ?? { fromBlock: range.fromBlock, toBlock: range.fromBlock - 1n }),
    ...{ sample: windows.length > 1, blocks },
  };
}

/** The blocks of the range that no reorg changes any more on either, where both are of one chain; else a reason. */
async function settledRange(
  here: ComparedSource,
  there: ComparedSource,
  {
    range,
    reasons,
    signal,
    unsettled = UNSETTLED_BLOCKS,
  }: CompareOptions & { readonly reasons: FoundReasons },
): Promise<BlockWindow | undefined> {
  const { fromBlock } = range;
  if (range.toBlock < fromBlock) {
    reasons.add({ code: 'nothingRead' });
    return undefined;
  }
  const asking = { signal };
  const [idHere, idThere] = await askBoth(
    reasons,
    () => here.chainId(asking),
    () => there.chainId(asking),
  );
  if (idHere !== undefined && idThere !== undefined && idHere !== idThere) {
    reasons.add({ code: 'otherChain', chainIds: { here: idHere, there: idThere } });
  }
  if (!reasons.areNone) return undefined;
  const [headHere, headThere] = await askBoth(
    reasons,
    () => here.latestBlock(asking),
    () => there.latestBlock(asking),
  );
  if (headHere === undefined || headThere === undefined) return undefined;
  const toBlock = lesser(range.toBlock, lesser(headHere, headThere) - unsettled);
  if (toBlock < fromBlock) {
    reasons.add({ code: 'nothingSettled' });
    return undefined;
  }
  if (toBlock < range.toBlock) reasons.add({ code: 'notSettled' });
  return { fromBlock, toBlock };
}

function opinionOf({ counts, alike, rows }: RowsApart, reasons: FoundReasons) {
  const differs = counts.onlyHere + counts.onlyThere + counts.different > 0;
  const state: SecondOpinion['state'] = reasons.areNone ? (differs ? 'differ' : 'agree') : 'unknown';
  return { state, ...counts, alike, rows, reasons: reasons.list };
}

function lengthOf({ fromBlock, toBlock }: BlockWindow): bigint {
  return toBlock - fromBlock + 1n;
}

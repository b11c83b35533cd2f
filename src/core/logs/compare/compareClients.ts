import type { Abortable } from '../../base/concurrency.ts';
import { asAppError, throwIfAborted } from '../../base/errors.ts';
import { sanitizeText } from '../../base/text.ts';
import { bigintMin } from '../../base/values.ts';
import { getDirection, type Log, type LogOrder } from '../log.ts';
import type { LogFilter } from '../query/filter.ts';
import type { LogClient, LogPage, LogQuery } from '../query/logQuery.ts';
import type { Verdict } from '../query/verdict.ts';
import type { LogStore } from '../store/logStore.ts';
import {
  type BlockWindow,
  createRowDifferences,
  type OpinionReason,
  pickSampleWindows,
  type RowDifferences,
  type SampleSize,
  type SecondOpinion,
} from './secondOpinion.ts';

/** A source of logs, with what tells whether it is of the same chain, and how far. */
export interface ComparedClient extends LogClient {
  getBlockNumber(options?: Abortable): Promise<bigint>;
  /** Undefined where it does not tell. */
  getChainId(options?: Abortable): Promise<number | undefined>;
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
const MAX_ROWS = 100;

/**
 * Asks two sources for the same logs and compares them row by row, as they come. Says that they agree only where the
 * answers of both are complete.
 *
 * @throws AppError `aborted` only: what else either fails with is a reason.
 * @example
 * const { state, onlyThere } = await compareClients(client, other, { filter, range: verdict });
 */
export async function compareClients(
  here: ComparedClient,
  there: ComparedClient,
  options: CompareOptions,
): Promise<SecondOpinion> {
  const { filter, range, sample, signal, mostRows = MAX_ROWS } = options;
  const apart = createRowDifferences(mostRows);
  const reasons = createReasonCollector({ signal });
  const settled = await settledRange(here, there, { ...options, reasons });
  const windows = settled ? (sample ? pickSampleWindows(settled, sample) : [settled]) : [];
  const all = windows.reduce((sum, window) => sum + lengthOf(window), 0n);
  let blocks = 0n;
  for (const window of windows) {
    throwIfAborted(signal);
    await compareWindow(here, there, { filter, window, differences: apart, reasons, signal });
    if (!reasons.allowsClaim) break;
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
  here: ComparedClient,
  there: ComparedClient,
  {
    range,
    reasons,
    signal,
    unsettled = UNSETTLED_BLOCKS,
  }: CompareOptions & { readonly reasons: ReasonCollector },
): Promise<BlockWindow | undefined> {
  const { fromBlock } = range;
  if (range.toBlock < fromBlock) {
    reasons.add({ code: 'nothingRead' });
    return undefined;
  }
  const asking = { signal };
  const [idHere, idThere] = await fetchBoth(
    reasons,
    () => here.getChainId(asking),
    () => there.getChainId(asking),
  );
  if (idHere !== undefined && idThere !== undefined && idHere !== idThere) {
    reasons.add({ code: 'otherChain', chainIds: { here: idHere, there: idThere } });
  }
  if (!reasons.allowsClaim) return undefined;
  const [headHere, headThere] = await fetchBoth(
    reasons,
    () => here.getBlockNumber(asking),
    () => there.getBlockNumber(asking),
  );
  if (headHere === undefined || headThere === undefined) return undefined;
  const toBlock = bigintMin(range.toBlock, bigintMin(headHere, headThere) - unsettled);
  if (toBlock < fromBlock) {
    reasons.add({ code: 'nothingSettled' });
    return undefined;
  }
  if (toBlock < range.toBlock) reasons.add({ code: 'notSettled' });
  return { fromBlock, toBlock };
}

function opinionOf({ counts, alike, rows }: RowDifferences, reasons: ReasonCollector) {
  const differs = counts.onlyHere + counts.onlyThere + counts.different > 0;
  const state: SecondOpinion['state'] = reasons.allowsClaim ? (differs ? 'differ' : 'agree') : 'unknown';
  return { state, ...counts, alike, rows, reasons: reasons.list };
}

function lengthOf({ fromBlock, toBlock }: BlockWindow): bigint {
  return toBlock - fromBlock + 1n;
}

interface WindowOptions extends Abortable {
  readonly filter: LogFilter;
  readonly window: BlockWindow;
  readonly differences: RowDifferences;
  readonly reasons: ReasonCollector;
}

/**
 * Compares the rows of some blocks. What keeps that from being certain goes to the reasons. @throws AppError `aborted`.
 */
async function compareWindow(
  here: LogClient,
  there: LogClient,
  { filter, window, differences: apart, reasons, signal }: WindowOptions,
): Promise<void> {
  const asked = { ...filter, ...window };
  const [a, b] = [here.openLogQuery(asked), there.openLogQuery(asked)];

  async function* rowsOf(
    query: LogQuery,
    code: 'failedHere' | 'failedThere',
  ): AsyncGenerator<readonly Log[]> {
    try {
      for await (const { logs } of query.rest({ signal })) yield logs;
    } catch (cause) {
      reasons.addFailure(code, cause);
      throw cause;
    }
  }

  try {
    await apart.compare(rowsOf(a, 'failedHere'), rowsOf(b, 'failedThere'));
  } catch (cause) {
    // Of a source it has been taken down.
    if (reasons.allowsClaim) throw cause;
    return;
  }
  if (!isWhole(a, window)) reasons.add({ code: 'notWholeHere' });
  if (!isWhole(b, window)) reasons.add({ code: 'notWholeThere' });
}

function isWhole({ verdict }: LogQuery, { fromBlock, toBlock }: BlockWindow): boolean {
  return verdict?.state === 'complete' && verdict.fromBlock <= fromBlock && verdict.toBlock >= toBlock;
}

/** Whom a failure is of. */
type Failure = 'failedHere' | 'failedThere';

/** Why nothing, or not all, can be said of two sources: found while they are asked. */
interface ReasonCollector {
  readonly list: readonly OpinionReason[];
  /** None stands in the way of a claim. */
  readonly allowsClaim: boolean;
  add(reason: OpinionReason): void;
  /** Takes down that a source failed, once. @throws AppError `aborted` where the caller has ended it. */
  addFailure(code: Failure, cause: unknown): void;
}

const MAX_MESSAGE_CHARS = 300;

function createReasonCollector({ signal }: Abortable): ReasonCollector {
  const list: OpinionReason[] = [];
  return {
    list,
    get allowsClaim() {
      // That newer blocks were left out says nothing against the others.
      return list.every(({ code }) => code === 'notSettled');
    },
    add: (reason) => void list.push(reason),
    addFailure(code, cause) {
      throwIfAborted(signal);
      if (list.some((reason) => reason.code === code)) return;
      list.push({ code, words: sanitizeText(asAppError(cause).message, MAX_MESSAGE_CHARS) });
    },
  };
}

/** The same of both, side by side; undefined, and a reason, of one that fails. */
function fetchBoth<T>(
  reasons: ReasonCollector,
  here: () => Promise<T>,
  there: () => Promise<T>,
): Promise<readonly [T | undefined, T | undefined]> {
  async function ask(code: Failure, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      reasons.addFailure(code, cause);
      return undefined;
    }
  }
  return Promise.all([ask('failedHere', here), ask('failedThere', there)]);
}

type LoadedRows = Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;

const ROWS_PER_PAGE = 1000;

/**
 * The blocks of which every row is loaded; none, with the last below the first, before there is one.
 *
 * @example const { fromBlock, toBlock } = getLoadedBlocks(verdict);
 */
export function getLoadedBlocks({ order, fromBlock, toBlock, readThrough }: Verdict): BlockWindow {
  if (readThrough === undefined) return { fromBlock, toBlock: fromBlock - 1n };
  return order === 'newestFirst' ? { fromBlock: readThrough, toBlock } : { fromBlock, toBlock: readThrough };
}

/** The rows of some blocks, oldest first, in pages. */
type RowsOfBlocks = (window: BlockWindow) => Generator<readonly Log[]>;

/** Finds the rows of some blocks among those that are loaded in this order. */
export function createLoadedRows(rows: LoadedRows, order: LogOrder): RowsOfBlocks {
  const isDown = order === 'newestFirst';
  const { distance } = getDirection(order);

  /** The first row that is of `block`, or comes after it in the order of reading. */
  function placeOf(block: bigint): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (distance(block, BigInt(rows.blockNumberAt(middle))) < 0n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function* slicesOf({ fromBlock, toBlock }: BlockWindow): Generator<readonly Log[]> {
    const start = placeOf(isDown ? toBlock : fromBlock);
    const end = placeOf(isDown ? fromBlock - 1n : toBlock + 1n);
    if (isDown) {
      for (let at = end; at > start; at -= ROWS_PER_PAGE) {
        const first = Math.max(start, at - ROWS_PER_PAGE);
        yield rows.slice(first, at - first).toReversed();
      }
    } else
      for (let at = start; at < end; at += ROWS_PER_PAGE)
        yield rows.slice(at, Math.min(ROWS_PER_PAGE, end - at));
  }

  return slicesOf;
}

/**
 * Rows that are loaded already, as a source that can be compared with another: what was given is what is held against
 * it.
 *
 * @param asked the endpoint that gave them.
 * @param rows in the order of the verdict.
 * @example compareClients(createLoadedClient(client, store, verdict), other, { filter, range: getLoadedBlocks(verdict) });
 */
export function createLoadedClient(
  asked: Pick<ComparedClient, 'getChainId' | 'getBlockNumber'>,
  rows: LoadedRows,
  verdict: Verdict,
): ComparedClient {
  const loaded = getLoadedBlocks(verdict);
  const slicesOf = createLoadedRows(rows, verdict.order);

  function openLogQuery({ fromBlock, toBlock }: LogFilter): LogQuery {
    const window = { fromBlock: fromBlock as bigint, toBlock: toBlock as bigint };
    const isLoaded = window.fromBlock >= loaded.fromBlock && window.toBlock <= loaded.toBlock;
    const isWhole = isLoaded && verdict.state !== 'uncertain' && verdict.reasons.length === 0;
    const told: Verdict = { ...verdict, ...window, state: isWhole ? 'complete' : 'uncertain' };
    async function* rest(): AsyncGenerator<LogPage> {
      for (const logs of slicesOf(window)) yield { logs, verdict: told };
    }
    return {
      verdict: told,
      rest,
      nextPage: async () => ({ logs: [...slicesOf(window)].flat(), verdict: told }),
    };
  }

  return {
    openLogQuery,
    getBlockNumber: (options?: Abortable) => asked.getBlockNumber(options),
    getChainId: (options?: Abortable) => asked.getChainId(options),
  };
}

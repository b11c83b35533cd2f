import type { Abortable } from '../../base/concurrency.ts';
import { asAppError, throwIfAborted } from '../../base/errors.ts';
import { sanitizeText } from '../../base/text.ts';
import { bigintMin } from '../../base/values.ts';
import type { Hex } from '../../eth/hex.ts';
import { getDirection, type Log, type LogOrder, UNSETTLED_BLOCKS } from '../log.ts';
import type { LogFilter } from '../query/filter.ts';
import type { LogClient, LogPage, LogQuery } from '../query/logQuery.ts';
import { createVerdict, isUnreached, type Verdict } from '../query/verdict.ts';
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

/** A log client that also reports its chain and its head. */
export interface ComparedClient extends LogClient {
  getBlockNumber(options?: Abortable): Promise<bigint>;
  /** Undefined if it does not know the block. */
  getBlockHash(block: bigint, options?: Abortable): Promise<Hex | undefined>;
  /** Undefined if it does not report it. */
  getChainId(options?: Abortable): Promise<number | undefined>;
}

export interface CompareOptions extends Abortable {
  readonly filter: LogFilter;
  /** The range of the result to compare. */
  readonly range: BlockWindow;
  /** Default: all blocks of the range. */
  readonly sample?: SampleSize | undefined;
  /** Blocks below either head to leave out, as a reorg may still change them; default 128. */
  readonly unsettled?: bigint | undefined;
  /** Differing rows of each kind in the result; default 100. */
  readonly maxRows?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: bigint; readonly of: bigint }) => void) | undefined;
}

const MAX_ROWS = 100;

/**
 * Requests the same logs from two endpoints and compares them row by row, as they arrive. The state is `agree` only
 * if both results are complete.
 *
 * @throws AppError `aborted` only: any other error of either client becomes a reason.
 * @example
 * const { state, onlyThere } = await compareClients(client, other, { filter, range: verdict });
 */
export async function compareClients(
  here: ComparedClient,
  there: ComparedClient,
  options: CompareOptions,
): Promise<SecondOpinion> {
  const { filter, range, sample, signal, maxRows = MAX_ROWS } = options;
  const differences = createRowDifferences(maxRows);
  const reasons = createReasonCollector({ signal });
  const settledBlocks = await findSettledRange(here, there, { ...options, reasons });
  const windows = settledBlocks ? (sample ? pickSampleWindows(settledBlocks, sample) : [settledBlocks]) : [];
  const totalBlocks = windows.reduce((sum, window) => sum + countWindowBlocks(window), 0n);
  let blocks = 0n;
  for (const window of windows) {
    throwIfAborted(signal);
    await compareWindow(here, there, { filter, window, differences, reasons, signal });
    if (!reasons.allowsClaim) break;
    blocks += countWindowBlocks(window);
    options.onProgress?.({ done: blocks, of: totalBlocks });
  }
  return {
    ...toOpinion(differences, reasons),
    ...(settledBlocks ?? { fromBlock: range.fromBlock, toBlock: range.fromBlock - 1n }),
    sample: windows.length > 1,
    blocks,
  };
}

/**
 * Already loaded rows as a client, so that exactly what the user saw is compared.
 *
 * @param client the endpoint that returned them.
 * @param rows in the order of the verdict.
 * @example compareClients(createLoadedClient(client, store, verdict), other, { filter, range: getLoadedBlocks(verdict) });
 */
export function createLoadedClient(
  client: Pick<ComparedClient, 'getBlockHash' | 'getBlockNumber' | 'getChainId'>,
  rows: LoadedRows,
  verdict: Verdict,
): ComparedClient {
  const loaded = getLoadedBlocks(verdict);
  const iterateSlices = createLoadedRows(rows, verdict.order);

  function openLogQuery({ fromBlock, toBlock }: LogFilter): LogQuery {
    const window = { fromBlock: fromBlock as bigint, toBlock: toBlock as bigint };
    const isLoaded = window.fromBlock >= loaded.fromBlock && window.toBlock <= loaded.toBlock;
    const { order, head, rows: count, requests } = verdict;
    const windowVerdict = createVerdict({
      ...window,
      ...{ order, head, requests, rows: count },
      readThrough: order === 'oldestFirst' ? window.toBlock : window.fromBlock,
      isRead: isLoaded,
      reasons: verdict.reasons.filter((reason) => !isUnreached(reason)),
    });
    async function* rest(): AsyncGenerator<LogPage> {
      for (const logs of iterateSlices(window)) yield { logs, verdict: windowVerdict };
    }
    return {
      verdict: windowVerdict,
      rest,
      nextPage: async () => ({ logs: [...iterateSlices(window)].flat(), verdict: windowVerdict }),
    };
  }

  return {
    openLogQuery,
    getBlockNumber: (options?: Abortable) => client.getBlockNumber(options),
    getBlockHash: (block: bigint, options?: Abortable) => client.getBlockHash(block, options),
    getChainId: (options?: Abortable) => client.getChainId(options),
  };
}

/**
 * The blocks whose rows are all loaded; if there are none, the last is below the first.
 *
 * @example const { fromBlock, toBlock } = getLoadedBlocks(verdict);
 */
export function getLoadedBlocks({ order, fromBlock, toBlock, readThrough }: Verdict): BlockWindow {
  if (readThrough === undefined) return { fromBlock, toBlock: fromBlock - 1n };
  return order === 'newestFirst' ? { fromBlock: readThrough, toBlock } : { fromBlock, toBlock: readThrough };
}

type LoadedRows = Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;

const ROWS_PER_PAGE = 1000;

/** The rows of some blocks, oldest first, in pages. */
type RowsOfBlocks = (window: BlockWindow) => Generator<readonly Log[]>;

/** Reads the rows of some blocks from loaded rows in this order. */
export function createLoadedRows(rows: LoadedRows, order: LogOrder): RowsOfBlocks {
  const isDown = order === 'newestFirst';
  const { distance } = getDirection(order);

  /** The first row in `block` or after it, in reading order. */
  function findRow(block: bigint): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (distance(block, BigInt(rows.blockNumberAt(middle))) < 0n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function* iterateSlices({ fromBlock, toBlock }: BlockWindow): Generator<readonly Log[]> {
    const start = findRow(isDown ? toBlock : fromBlock);
    const end = findRow(isDown ? fromBlock - 1n : toBlock + 1n);
    if (isDown) {
      for (let at = end; at > start; at -= ROWS_PER_PAGE) {
        const first = Math.max(start, at - ROWS_PER_PAGE);
        yield rows.slice(first, at - first).toReversed();
      }
    } else
      for (let at = start; at < end; at += ROWS_PER_PAGE)
        yield rows.slice(at, Math.min(ROWS_PER_PAGE, end - at));
  }

  return iterateSlices;
}

/** The blocks of the range that are settled on both sides, if both are on one chain; otherwise adds a reason. */
async function findSettledRange(
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
  const options = { signal };
  const [idHere, idThere] = await fetchBoth(
    reasons,
    () => here.getChainId(options),
    () => there.getChainId(options),
  );
  if (idHere !== undefined && idThere !== undefined && idHere !== idThere) {
    reasons.add({ code: 'otherChain', chainIds: { here: idHere, there: idThere } });
  }
  if (!reasons.allowsClaim) return undefined;
  if (await addOtherChain([0n, fromBlock])) return undefined;
  const [headHere, headThere] = await fetchBoth(
    reasons,
    () => here.getBlockNumber(options),
    () => there.getBlockNumber(options),
  );
  if (headHere === undefined || headThere === undefined) return undefined;
  const toBlock = bigintMin(range.toBlock, bigintMin(headHere, headThere) - unsettled);
  if (toBlock < fromBlock) {
    reasons.add({ code: 'nothingSettled' });
    return undefined;
  }
  // Forks of one chain are the same up to the block where they began.
  if (await addOtherChain([toBlock])) return undefined;
  if (toBlock < range.toBlock) reasons.add({ code: 'notSettled' });
  return { fromBlock, toBlock };

  async function addOtherChain(blocks: readonly bigint[]): Promise<boolean> {
    const block = await findDifferentBlock(here, there, blocks, signal);
    if (block !== undefined) reasons.add({ code: 'sameChainId', block });
    return block !== undefined;
  }
}

/**
 * The first of these blocks that has another hash on the other side. Two development chains have one chain ID, and a
 * fork has the first block of its chain. A server that cannot return a block is not compared at it.
 *
 * @throws AppError `aborted`.
 */
async function findDifferentBlock(
  here: ComparedClient,
  there: ComparedClient,
  blocks: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  for (const block of new Set(blocks)) {
    const [hashHere, hashThere] = await Promise.all(
      [here, there].map((client) => client.getBlockHash(block, { signal }).catch(() => undefined)),
    );
    throwIfAborted(signal);
    if (hashHere !== undefined && hashThere !== undefined && hashHere !== hashThere) return block;
  }
  return undefined;
}

function toOpinion({ counts, alike, rows }: RowDifferences, reasons: ReasonCollector) {
  const differs = counts.onlyHere + counts.onlyThere + counts.different > 0;
  const state: SecondOpinion['state'] = reasons.allowsClaim ? (differs ? 'differ' : 'agree') : 'unknown';
  return { state, ...counts, alike, rows, reasons: reasons.list };
}

function countWindowBlocks({ fromBlock, toBlock }: BlockWindow): bigint {
  return toBlock - fromBlock + 1n;
}

interface WindowOptions extends Abortable {
  readonly filter: LogFilter;
  readonly window: BlockWindow;
  readonly differences: RowDifferences;
  readonly reasons: ReasonCollector;
}

/**
 * Compares the rows of some blocks. Adds a reason for everything that makes the comparison uncertain.
 *
 * @throws AppError `aborted`.
 */
async function compareWindow(
  here: LogClient,
  there: LogClient,
  { filter, window, differences, reasons, signal }: WindowOptions,
): Promise<void> {
  const windowFilter = { ...filter, ...window, deployments: undefined };
  const [a, b] = [here.openLogQuery(windowFilter), there.openLogQuery(windowFilter)];

  async function* readRows(
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
    await differences.compare(readRows(a, 'failedHere'), readRows(b, 'failedThere'));
  } catch (cause) {
    // An error of a client has already become a reason.
    if (reasons.allowsClaim) throw cause;
    return;
  }
  if (!isComplete(a, window)) reasons.add({ code: 'notWholeHere' });
  if (!isComplete(b, window)) reasons.add({ code: 'notWholeThere' });
}

function isComplete({ verdict }: LogQuery, { fromBlock, toBlock }: BlockWindow): boolean {
  return verdict?.state === 'complete' && verdict.fromBlock <= fromBlock && verdict.toBlock >= toBlock;
}

type Failure = 'failedHere' | 'failedThere';

/** Collects why two results cannot be compared, or not completely. */
interface ReasonCollector {
  readonly list: readonly OpinionReason[];
  /** No reason prevents a claim about the compared blocks. */
  readonly allowsClaim: boolean;
  add(reason: OpinionReason): void;
  /**
   * Adds the failure of a client, once.
   *
   * @throws AppError `aborted` if the caller has cancelled.
   */
  addFailure(code: Failure, cause: unknown): void;
}

const MAX_MESSAGE_CHARS = 300;

function createReasonCollector({ signal }: Abortable): ReasonCollector {
  const list: OpinionReason[] = [];
  return {
    list,
    get allowsClaim() {
      // Newer blocks that were left out do not affect the others.
      return list.every(({ code }) => code === 'notSettled');
    },
    add: (reason) => void list.push(reason),
    addFailure(code, cause) {
      throwIfAborted(signal);
      if (list.some((reason) => reason.code === code)) return;
      list.push({ code, message: sanitizeText(asAppError(cause).message, MAX_MESSAGE_CHARS) });
    },
  };
}

/** Fetches from both clients in parallel; undefined, and a reason, for one that fails. */
function fetchBoth<T>(
  reasons: ReasonCollector,
  here: () => Promise<T>,
  there: () => Promise<T>,
): Promise<readonly [T | undefined, T | undefined]> {
  async function fetchOne(code: Failure, fetch: () => Promise<T>): Promise<T | undefined> {
    try {
      return await fetch();
    } catch (cause) {
      reasons.addFailure(code, cause);
      return undefined;
    }
  }
  return Promise.all([fetchOne('failedHere', here), fetchOne('failedThere', there)]);
}

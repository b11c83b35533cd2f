import type { Abortable } from '../../base/abortable.ts';
import { directionOf, type LogOrder } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import type { LogFilter } from '../query/logFilter.ts';
import type { LogPage, LogQuery } from '../query/logQuery.ts';
import type { Verdict } from '../query/verdict.ts';
import type { LogStore } from '../store/logStore.ts';
import type { ComparedSource } from './compareSources.ts';
import type { BlockWindow } from './sampleWindows.ts';

type LoadedRows = Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;

const AT_ONCE = 1000;

/**
 * The blocks of which every row is loaded; none, with the last below the first, before there is one.
 *
 * @example const { fromBlock, toBlock } = loadedBlocks(verdict);
 */
export function loadedBlocks({ order, fromBlock, toBlock, readThrough }: Verdict): BlockWindow {
  if (readThrough === undefined) return { fromBlock, toBlock: fromBlock - 1n };
  return order === 'newestFirst' ? { fromBlock: readThrough, toBlock } : { fromBlock, toBlock: readThrough };
}

/** The rows of some blocks, oldest first, in pages. */
type RowsOfBlocks = (window: BlockWindow) => Generator<readonly Log[]>;

/** Finds the rows of some blocks among those that are loaded in this order. */
export function loadedRows(rows: LoadedRows, order: LogOrder): RowsOfBlocks {
  const isDown = order === 'newestFirst';
  const { distance } = directionOf(order);

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
      for (let at = end; at > start; at -= AT_ONCE) {
        const first = Math.max(start, at - AT_ONCE);
        yield rows.slice(first, at - first).toReversed();
      }
    } else for (let at = start; at < end; at += AT_ONCE) yield rows.slice(at, Math.min(AT_ONCE, end - at));
  }

  return slicesOf;
}

/**
 * Rows that are loaded already, as a source that can be compared with another: what was given is what is held against
 * it.
 *
 * @param asked the endpoint that gave them.
 * @param rows in the order of the verdict.
 * @example compareSources(loadedSource(client, store, verdict), other, { filter, range: loadedBlocks(verdict) });
 */
export function loadedSource(
  asked: Pick<ComparedSource, 'chainId' | 'latestBlock'>,
  rows: LoadedRows,
  verdict: Verdict,
): ComparedSource {
  const loaded = loadedBlocks(verdict);
  const slicesOf = loadedRows(rows, verdict.order);

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
    latestBlock: (options?: Abortable) => asked.latestBlock(options),
    chainId: (options?: Abortable) => asked.chainId(options),
  };
}

import type { ChainPlace } from '../abi/codeVersions.ts';
import type { Log } from '../logs/query/log.ts';

/** Where logs stand, in the order of the chain. */
export function comparePlaces(a: ChainPlace, b: ChainPlace): number {
  return a.block - b.block || a.transaction - b.transaction || a.log - b.log;
}

/** Block numbers of logs are exact as numbers: their reader refuses higher ones. */
export function placeOf({ blockNumber, transactionIndex, logIndex }: LogPlace): ChainPlace {
  return { block: Number(blockNumber), transaction: transactionIndex, log: logIndex };
}

export type LogPlace = Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/** The number of the last of `places`, which are in order, at or before one; -1 where all come later. */
export function lastBefore(places: readonly ChainPlace[], at: ChainPlace): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces(places[middle] as ChainPlace, at) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

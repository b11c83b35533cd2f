/** Entries in a full page of Blockscout, a constant of every version. */
export const PAGE_LIMIT = 1000;

/**
 * Share of a page taken as surely whole where the limit is applied before orphaned rows are dropped: holds as
 * long as a range has no more than three orphaned rows for each of the main chain.
 */
export const SURELY_WHOLE = PAGE_LIMIT / 4;

/**
 * Whether an answer of `count` entries may have been cut off there without a word: at a number that people choose for
 * a limit. Taken as whole it would be wrong for ever; asking again for less costs two requests in the few cases where
 * it was whole.
 *
 * @example mayBeCutOff(2000) // true
 */
export function mayBeCutOff(count: number): boolean {
  return count >= 100 && (count % 100 === 0 || count % 1024 === 0 || count === 512 || count === 256);
}

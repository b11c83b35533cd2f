import { parseQuantity } from '../values/hex.ts';

/**
 * What told when a block was made: the rows of `eth_getLogs`, its header (`stream` of a portal), or one of an explorer's
 * routes. Nothing of it is reckoned from other blocks.
 */
export type TimeSource =
  | 'eth_getLogs'
  | 'eth_getBlockByNumber'
  | 'stream'
  | 'module=logs'
  | 'api/v2/blocks'
  | 'getblocknobytime';

/** When a block was made. */
export interface KnownTime {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly source: TimeSource;
}

/** Blocks that one question may be about: as many as every node takes in one request. */
export const MOST_BLOCK_TIMES = 100;
/** The end of the year 9999: what is later was in milliseconds, or is no time. */
const LAST_SECOND = 253_402_300_799n;

/**
 * A time as nodes and explorers write that of a block, in milliseconds: seconds since the Unix epoch as a quantity, or in
 * decimal, a number or digits without `0x` (of a time no server writes those as hex). Undefined for what is none, or is
 * after the year 9999.
 *
 * @example readSeconds('0x65937f45') // 1704165189000
 */
export function readSeconds(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\d{1,20}$/.test(value);
  const seconds = isDecimal ? BigInt(value) : parseQuantity(value);
  return seconds === undefined || seconds > LAST_SECOND ? undefined : Number(seconds) * 1000;
}

import type { EventParameter } from '../abiType.ts';

/** Characters of an item as text: five times the longest of those in use, which have structs in structs. */
export const LONGEST_ITEM = 16_384;

/** Of one ABI: far more than a contract of 24 KiB can have. */
export const MOST_ITEMS = 5_000;

/** A log has four topics, of which the first is the event's own unless it is anonymous. */
export function fitsTopics(inputs: readonly EventParameter[], anonymous: boolean): boolean {
  return inputs.filter(({ indexed }) => indexed).length <= (anonymous ? 4 : 3);
}

/** Numbers keys from 0, in order of first appearance. */
export interface KeyNumbers {
  /** The number of a key, which is added if it is new. */
  numberOf(key: string | number): number;
}

/** A map copies itself as it grows. Copying one part of a million keys takes about a millisecond. */
const PARTS = 64;

/**
 * Creates numbers of keys, in parts, so that a million keys do not block the thread while a map grows.
 *
 * @param counter shared by those whose numbers must be different.
 * @example createKeyNumbers().numberOf('0x12') // 0
 */
export function createKeyNumbers(counter: KeyCounter = { count: 0 }): KeyNumbers {
  const parts = Array.from({ length: PARTS }, () => new Map<string | number, number>());
  return {
    numberOf(key) {
      const part = parts[getPart(key)];
      const known = part?.get(key);
      if (known !== undefined) return known;
      part?.set(key, counter.count);
      return counter.count++;
    },
  };
}

interface KeyCounter {
  count: number;
}

/** Amounts often end with zeros, and hex often begins alike. */
function getPart(key: string | number): number {
  if (typeof key === 'number') return (key ^ (key / PARTS)) & (PARTS - 1);
  const { length } = key;
  const middle = key.charCodeAt(length >> 1) * 31 + key.charCodeAt((length >> 1) + 1);
  return (middle * 31 + key.charCodeAt(length - 1) * 7 + key.charCodeAt(length >> 2)) & (PARTS - 1);
}

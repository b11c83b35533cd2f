import type { ArgumentReader } from './argumentReader.ts';
import { isExactKey } from './packed/storedWord.ts';

/**
 * Compares rows by an argument; those that do not have it come last in either direction. Of the rows from `from` to
 * `through`, which are compared most, a number each is kept at hand, so that their bytes are read only where two are
 * nearly the same.
 */
export function argumentOrder(
  reader: ArgumentReader,
  { from, through, sign }: { readonly from: number; readonly through: number; readonly sign: 1 | -1 },
): (a: number, b: number) => number {
  const keys = new Float64Array(through - from).fill(Number.NaN);

  function keyOf(row: number): number {
    const kept = row < from ? undefined : keys[row - from];
    if (kept !== undefined && !Number.isNaN(kept)) return kept;
    const key = reader.keyOf(row);
    if (kept !== undefined) keys[row - from] = key;
    return key;
  }

  return (a, b) => {
    const keyA = keyOf(a);
    const keyB = keyOf(b);
    if (keyA === keyB) {
      const isSame = keyA === Number.POSITIVE_INFINITY || (reader.hasExactKeys && isExactKey(keyA));
      return isSame ? 0 : sign * reader.compare(a, b);
    }
    if (keyA === Number.POSITIVE_INFINITY) return 1;
    if (keyB === Number.POSITIVE_INFINITY) return -1;
    return keyA < keyB ? -sign : sign;
  };
}

/** A list of numbers in pieces of 64 KiB: what is there stays where it is as it grows. */
export interface GrowingArray {
  readonly length: number;
  push(value: number): void;
  /** The number at `index`, which must be below `length`. */
  at(index: number): number;
}

const PIECE_BYTES = 64 * 1024;

/** Numbers of 32 bits without sign. */
export function createUint32List(): GrowingArray {
  return createList(PIECE_BYTES / 4, (size) => new Uint32Array(size));
}

/** Numbers up to 2^53. */
export function createFloat64List(): GrowingArray {
  return createList(PIECE_BYTES / 8, (size) => new Float64Array(size));
}

/** @param size of a piece, a power of 2. */
function createList<T extends Uint32Array | Float64Array>(
  size: number,
  allocate: (size: number) => T,
): GrowingArray {
  const shift = Math.log2(size);
  const mask = size - 1;
  const pieces: T[] = [];
  let last = allocate(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if ((length & mask) === 0) {
        last = allocate(size);
        pieces.push(last);
      }
      last[length++ & mask] = value;
    },
    at: (index) => pieces[index >>> shift]?.[index & mask] ?? 0,
  };
}

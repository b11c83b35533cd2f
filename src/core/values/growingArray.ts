/** A list of numbers in pieces of up to 64 KiB: what is in a whole piece stays where it is as the list grows. */
export interface GrowingArray {
  readonly length: number;
  push(value: number): void;
  /** The number at `index`, which must be below `length`. */
  at(index: number): number;
}

const PIECE_BYTES = 64 * 1024;
/** The first piece begins with so many numbers, and doubles: there are many short lists. */
const FIRST = 16;

/**
 * Numbers of 32 bits without sign.
 *
 * @example createUint32List().length // 0
 */
export function createUint32List(): GrowingArray {
  return createList(PIECE_BYTES / 4, (size) => new Uint32Array(size));
}

/**
 * Numbers up to 2^53.
 *
 * @example createFloat64List().length // 0
 */
export function createFloat64List(): GrowingArray {
  return createList(PIECE_BYTES / 8, (size) => new Float64Array(size));
}

/** @param size of a whole piece, a power of 2. */
function createList<T extends Uint32Array | Float64Array>(
  size: number,
  allocate: (size: number) => T,
): GrowingArray {
  const shift = Math.log2(size);
  const mask = size - 1;
  const pieces: T[] = [];
  let last = allocate(FIRST);
  pieces.push(last);
  let length = 0;

  function addRoom(): void {
    if (last.length === size) {
      last = allocate(size);
      pieces.push(last);
      return;
    }
    const larger = allocate(last.length * 2);
    larger.set(last);
    last = larger;
    pieces[0] = last;
  }

  return {
    get length() {
      return length;
    },
    push(value) {
      const place = length & mask;
      if (length > 0 && (place === 0 || place === last.length)) addRoom();
      last[place] = value;
      length++;
    },
    at: (index) => pieces[index >>> shift]?.[index & mask] ?? 0,
  };
}

/** A list of numbers in a typed array that doubles as it fills. */
export interface GrowingArray {
  readonly length: number;
  push(value: number): void;
  /** The number at `index`, which must be below `length`. */
  at(index: number): number;
}

/**
 * Numbers of 32 bits without sign.
 *
 * @example createUint32List().length // 0
 */
export function createUint32List(): GrowingArray {
  return createList((size) => new Uint32Array(size));
}

/**
 * Numbers up to 2^53.
 *
 * @example createFloat64List().length // 0
 */
export function createFloat64List(): GrowingArray {
  return createList((size) => new Float64Array(size));
}

function createList<T extends Uint32Array | Float64Array>(allocate: (size: number) => T): GrowingArray {
  let values = allocate(64);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = allocate(length + Math.max(64, length >> 1));
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index) => values[index] ?? 0,
  };
}

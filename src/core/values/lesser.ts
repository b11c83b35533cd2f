/**
 * The lesser of two bigints, which `Math.min` does not take.
 *
 * @example lesser(2n, 1n) // 1n
 */
export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * The greater of two bigints, which `Math.max` does not take.
 *
 * @example greater(2n, 1n) // 2n
 */
export function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

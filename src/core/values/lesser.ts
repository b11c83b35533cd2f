/**
 * The lesser of two bigints, which `Math.min` does not take.
 *
 * @example lesser(2n, 1n) // 1n
 */
export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

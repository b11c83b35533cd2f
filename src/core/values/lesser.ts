/** The lesser of two bigints, which `Math.min` does not take. */
export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

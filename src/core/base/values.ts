export type PlainRecord = Readonly<Record<string, unknown>>;

/** `value` if it is an object with members, else one without. */
export function asRecord(value: unknown): PlainRecord {
  return isRecord(value) ? value : {};
}

/**
 * Whether a value is an object with members, not a list.
 *
 * @example isRecord([]) // false
 */
export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Orders texts by their code units, the same on every machine, and integers by their size: the least first.
 *
 * @example ['b', 'B', 'a'].sort(compareValues) // ['B', 'a', 'b']
 */
export function compareValues<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The lesser of two bigints, which `Math.min` does not take.
 *
 * @example bigintMin(2n, 1n) // 1n
 */
export function bigintMin(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * The greater of two bigints, which `Math.max` does not take.
 *
 * @example bigintMax(2n, 1n) // 2n
 */
export function bigintMax(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

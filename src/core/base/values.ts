export type PlainRecord = Readonly<Record<string, unknown>>;

/** `value` if it is an object, else an empty one. */
export function asRecord(value: unknown): PlainRecord {
  return isRecord(value) ? value : {};
}

/**
 * Whether a value is an object and not an array.
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
 * Adds a value to the list of a key. Not by a copy of the list: a file may have thousands of values of one name.
 *
 * @example addToList(new Map<string, number[]>(), 'a', 1)
 */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * Adds all values to a list, however many they are: as arguments of `push`, some 100,000 exceed the stack.
 *
 * @example pushAll<number>([], [1, 2])
 */
export function pushAll<Value>(list: Value[], values: Iterable<Value>): void {
  for (const value of values) list.push(value);
}

/**
 * Ascending order: texts by code units, the same on every system; integers by value.
 *
 * @example ['b', 'B', 'a'].sort(compareValues) // ['B', 'a', 'b']
 */
export function compareValues<Value extends string | bigint>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * The smaller of two bigints, which `Math.min` does not take.
 *
 * @example bigintMin(2n, 1n) // 1n
 */
export function bigintMin(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * The larger of two bigints, which `Math.max` does not take.
 *
 * @example bigintMax(2n, 1n) // 2n
 */
export function bigintMax(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * How many of the sorted items are at or before a position.
 *
 * @example countUpTo([2, 5], 5, (item) => item) // 2
 */
export function countUpTo<T, Position extends bigint | number>(
  items: readonly T[],
  position: Position,
  placeOf: (item: T) => Position,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && placeOf(item) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Whether an odd number of backslashes is before a character of a text in JSON.
 *
 * @example isEscaped('"a\\""', 3) // true
 */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

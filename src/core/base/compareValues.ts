/**
 * Orders texts by their code units, the same on every machine, and integers by their size: the least first.
 *
 * @example ['b', 'B', 'a'].sort(compareValues) // ['B', 'a', 'b']
 */
export function compareValues<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

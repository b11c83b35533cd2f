/** A member of each; of several members a list of each. Undefined where there is nothing to take them from. */
export function pick<T, Name extends keyof T>(
  list: Iterable<T> | undefined,
  ...names: readonly [Name, ...Name[]]
): readonly unknown[] | undefined {
  const [first, ...others] = names;
  return (
    list && Array.from(list, (each) => (others.length > 0 ? names.map((name) => each[name]) : each[first]))
  );
}

/**
 * Passes on together what is told in one go; `undefined` stands for everything. The editor draws a view at the first
 * word of a change and for all others 200 ms later once more, and a row that is drawn anew is missing to its menu.
 */
export function changesTogether<T>(
  pass: (changes: T[] | undefined) => void,
): (change: T | undefined) => void {
  let waiting: Set<T | undefined> | undefined;
  return (change) => {
    if (!waiting) {
      waiting = new Set();
      queueMicrotask(() => {
        const all = [...(waiting ?? [])];
        waiting = undefined;
        const each = all.filter((one) => one !== undefined);
        pass(each.length === all.length ? each : undefined);
      });
    }
    waiting.add(change);
  };
}

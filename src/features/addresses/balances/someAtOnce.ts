/** Runs `task` for every item, at most four at a time, until `goesOn` says no. */
export async function someAtOnce<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  goesOn: () => boolean,
): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) {
      if (!goesOn()) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

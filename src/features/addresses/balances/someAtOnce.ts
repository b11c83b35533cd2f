/** Runs `task` for every item, at most four at a time, as long as `isWanted`. */
export async function someAtOnce<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) {
      if (!isWanted()) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

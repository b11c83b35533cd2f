/** Runs `task` for every value, at most `limit` at a time. Rejects with the first failure, once all have settled. */
export async function mapLimited<T>(
  values: readonly T[],
  limit: number,
  task: (value: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const queue = values.values();
  const worker = async () => {
    for (const value of queue) {
      if (failures.length > 0) return;
      try {
        await task(value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

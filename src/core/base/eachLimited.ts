interface EachLimitedOptions {
  /** Tasks under way at once, at most; default 4. */
  readonly limit?: number;
  /** Asked before each task; once it says no, none begins any more. */
  readonly goesOn?: () => boolean;
}

/**
 * Runs `task` for every value, a few at a time. None begins after a failure.
 *
 * @throws the first failure, once all tasks under way have settled.
 * @example
 * await eachLimited(addresses, (address) => load(address), { limit: 2 });
 */
export async function eachLimited<T>(
  values: readonly T[],
  task: (value: T) => Promise<void>,
  { limit = 4, goesOn = () => true }: EachLimitedOptions = {},
): Promise<void> {
  const failures: unknown[] = [];
  const queue = values.values();
  const worker = async () => {
    for (const value of queue) {
      if (failures.length > 0 || !goesOn()) return;
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

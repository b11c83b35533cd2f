import { AppError } from './errors.ts';

export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a value on first use, usually from a module that `make` imports, and shares it. A failure is not cached: all
 * current callers get it, and the next call retries.
 *
 * @example
 * const parquet = lazy(() => import('./parquet.ts'));
 * const { encodeParquet } = await parquet();
 */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= make().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}

/**
 * Methods of an object that is loaded when one of them is first called. Pass a load function from {@link lazy}.
 *
 * @example
 * const { decode } = lazyMethods(['decode'], async () => (await import('./decoder.ts')).createDecoder());
 */
export function lazyMethods<T extends Record<Name, AnyMethod>, Name extends keyof T & string>(
  names: readonly Name[],
  load: () => Promise<T>,
): Pick<T, Name> {
  const call =
    (name: Name) =>
    async (...args: never[]) =>
      (await load())[name](...args);
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Pick<T, Name>;
}

type AnyMethod = (...args: never[]) => Promise<unknown>;

/**
 * `result`, or `aborted` as soon as the signal aborts; the pending result is then ignored.
 *
 * @example
 * const block = await untilAborted(sharedResult, signal);
 */
export function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError('aborted', 'Cancelled.'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Runs tasks, at most `limit` at once; the others wait in order, and leave the queue if their signal aborts.
 *
 * @example
 * const run = createLimiter(8);
 * const result = await run(() => load(address), { signal });
 */
export function createLimiter(limit: number): <T>(task: () => Promise<T>, options?: Abortable) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  return async (task, { signal } = {}) => {
    if (running >= limit) {
      let start = () => {};
      const turn = new Promise<void>((resolve) => {
        start = resolve;
        waiting.add(resolve);
      });
      try {
        await untilAborted(turn, signal);
      } catch (error) {
        // A turn that came at the same time is for the next one.
        if (!waiting.delete(start)) startNext();
        throw error;
      }
    } else running++;
    try {
      return await task();
    } finally {
      startNext();
    }
  };

  /** The place of the task that ended goes to the one that waits longest. */
  function startNext(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }
}

/**
 * Runs `task` for every value, a few at a time. After a failure no further task starts.
 *
 * @throws the first failure, once all running tasks have settled.
 * @example
 * await forEachLimited(addresses, (address) => load(address), { limit: 2 });
 */
export async function forEachLimited<T>(
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

interface EachLimitedOptions {
  /** Most tasks at once; default 4. */
  readonly limit?: number;
  /** Called before each task. Once it returns false, no further task starts. */
  readonly goesOn?: () => boolean;
}

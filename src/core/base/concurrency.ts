import { AppError } from './errors.ts';

/** The one way in which a signal is passed: in an object of options. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * What `make` makes, usually out of a module that it imports: made when it is first asked for, and one for all who ask.
 * Nothing is kept of a failure, as the next try may work: everyone who waited gets it, and the next to ask tries again.
 *
 * @example
 * const parquet = lazy(() => import('./parquet.ts'));
 * const { encodeParquet } = await parquet();
 */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Methods of an object that {@link lazy} loads when one of them is first called.
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
 * `answer`, unless the signal aborts first: then `aborted` at once, and the answer goes its way unheard.
 *
 * @example
 * const block = await untilAborted(sharedAnswer, signal);
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const leave = () => reject(new AppError('aborted', 'Cancelled.'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

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

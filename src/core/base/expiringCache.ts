import type { Clock } from './clock.ts';
import type { Abortable } from './concurrency.ts';
import { AppError, throwIfAborted } from './errors.ts';

/** Caches results for a short time. Concurrent callers share one load. */
export interface ExpiringCache<T> {
  /**
   * The result for `key`: cached, pending, or new from `load`.
   *
   * A caller whose signal aborts gets `aborted` at once; the others are not affected. `load` is aborted when the last
   * caller has left. A failure goes to all callers that wait for it and is not cached.
   *
   * @param options.fresh ignores a cached result, but not a pending one.
   */
  get(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined; readonly fresh?: boolean },
  ): Promise<T>;
  /** Drops every result. Pending ones still reach their callers. */
  clear(): void;
}

/**
 * @param options.ttlMs how long a result is cached after it has arrived, in milliseconds.
 * @example
 * const cache = createExpiringCache<bigint>({ clock: systemClock, ttlMs: 15_000, maxEntries: 100 });
 */
export function createExpiringCache<T>(options: {
  readonly clock: Clock;
  readonly ttlMs: number;
  /** The oldest entries are dropped first. Pending ones stay. */
  readonly maxEntries: number;
}): ExpiringCache<T> {
  const { clock, ttlMs, maxEntries } = options;
  const entries = new Map<string, Entry<T>>();

  function isUsable(entry: Entry<T> | undefined, fresh: boolean): entry is Entry<T> {
    if (!entry) return false;
    return entry.loadedAt === undefined || (!fresh && clock.elapsed() - entry.loadedAt < ttlMs);
  }

  function forget(key: string, entry: Entry<T>): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  function start(key: string, load: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const abort = new AbortController();
    const result = (async () => load(abort.signal))();
    const entry: Entry<T> = { result, abort, waiting: 0, loadedAt: undefined };
    result.then(
      () => {
        entry.loadedAt = clock.elapsed();
      },
      () => forget(key, entry),
    );
    entries.delete(key);
    entries.set(key, entry);
    evictOldest();
    return entry;
  }

  function evictOldest(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries) return;
      if (entry.loadedAt !== undefined) entries.delete(key);
    }
  }

  function join(key: string, entry: Entry<T>, { signal }: Abortable): Promise<T> {
    entry.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        entry.waiting--;
        if (entry.waiting === 0 && entry.loadedAt === undefined) {
          forget(key, entry);
          entry.abort.abort();
        }
        reject(new AppError('aborted', 'Cancelled.'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      entry.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
      // `load` itself may have aborted the signal.
      if (signal?.aborted) leave();
    });
  }

  return {
    async get(key, load, { signal, fresh = false } = {}) {
      throwIfAborted(signal);
      const cached = entries.get(key);
      return join(key, isUsable(cached, fresh) ? cached : start(key, load), { signal });
    },
    clear: () => entries.clear(),
  };
}

interface Entry<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
  /** Elapsed time of the clock at success; undefined while pending. */
  loadedAt: number | undefined;
}

/** Stores one text beyond the lifetime of the program. */
export interface TextStore {
  /** Undefined if nothing of ours is stored. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

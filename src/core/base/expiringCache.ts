import type { Clock } from './clock.ts';
import type { Abortable } from './concurrency.ts';
import { AppError, throwIfAborted } from './errors.ts';

/** Answers kept for a short time and shared by everyone who asks for them, in flight too. */
export interface ExpiringCache<T> {
  /**
   * The answer for `key`: a kept one, one on its way, or a new one from `load`.
   *
   * An asker whose signal aborts gets `aborted` at once and leaves the others undisturbed; `load` is aborted
   * when the last asker has left. A failure goes to all who wait for it and is not kept.
   *
   * @param options.fresh passes over a kept answer, though not one on its way.
   */
  get(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined; readonly fresh?: boolean },
  ): Promise<T>;
  /** Forgets every answer. Those on their way still reach who asked for them. */
  clear(): void;
}

interface Entry<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  askers: number;
  /** Elapsed time of the clock at success; undefined while on its way. */
  keptAt: number | undefined;
}

/**
 * @param options.ttlMs how long an answer is kept, in milliseconds from its arrival.
 * @example
 * const cache = createExpiringCache<bigint>({ clock: systemClock, ttlMs: 15_000 });
 */
export function createExpiringCache<T>(options: {
  readonly clock: Clock;
  readonly ttlMs: number;
  /** Answers kept at most; the oldest go first. */
  readonly maxEntries: number;
}): ExpiringCache<T> {
  const { clock, ttlMs, maxEntries } = options;
  const entries = new Map<string, Entry<T>>();

  function usable(entry: Entry<T> | undefined, fresh: boolean): entry is Entry<T> {
    if (!entry) return false;
    return entry.keptAt === undefined || (!fresh && clock.elapsed() - entry.keptAt < ttlMs);
  }

  function forget(key: string, entry: Entry<T>): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  function start(key: string, load: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const stop = new AbortController();
    const answer = (async () => load(stop.signal))();
    const entry: Entry<T> = { answer, stop, askers: 0, keptAt: undefined };
    answer.then(
      () => {
        entry.keptAt = clock.elapsed();
      },
      () => forget(key, entry),
    );
    entries.delete(key);
    entries.set(key, entry);
    makeRoom();
    return entry;
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries) return;
      if (entry.keptAt !== undefined) entries.delete(key);
    }
  }

  function join(key: string, entry: Entry<T>, { signal }: Abortable): Promise<T> {
    entry.askers++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        entry.askers--;
        if (entry.askers === 0 && entry.keptAt === undefined) {
          forget(key, entry);
          entry.stop.abort();
        }
        reject(new AppError('aborted', 'Cancelled.'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      entry.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
      // What was begun may have ended it.
      if (signal?.aborted) leave();
    });
  }

  return {
    async get(key, load, { signal, fresh = false } = {}) {
      throwIfAborted(signal);
      const known = entries.get(key);
      return join(key, usable(known, fresh) ? known : start(key, load), { signal });
    },
    clear: () => entries.clear(),
  };
}

/** A place for one text, from one start of the program to the next. */
export interface TextStore {
  /** Undefined where nothing was saved, or nothing that is ours. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

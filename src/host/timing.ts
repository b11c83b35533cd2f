import type { Clock } from '../core/index.ts';

/** Waits for `promise`, but no longer than `ms` milliseconds. Never rejects; a later result is ignored. */
export function settleWithin<T>(ms: number, promise: Promise<T>): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ state: 'pending' }), ms);
    const settle = (outcome: Outcome<T>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    promise.then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', error }),
    );
  });
}

/** The state of a promise after some time. */
export type Outcome<T> =
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'pending' };

/** Runs `run` at most once in `ms` milliseconds. The last request is never lost. */
export function createThrottle(run: () => void, ms: number, clock: Clock): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let pending: AbortController | undefined;

  function runNow(): void {
    pending?.abort();
    pending = undefined;
    last = clock.elapsed();
    run();
  }

  function runIn(delay: number): void {
    if (pending) return;
    pending = new AbortController();
    clock.sleep(delay, { signal: pending.signal }).then(runNow, () => undefined);
  }

  return {
    now: runNow,
    within: runIn,
    soon() {
      const wait = last + ms - clock.elapsed();
      if (wait > 0) runIn(wait);
      else if (!pending) runNow();
    },
    dispose() {
      pending?.abort();
      pending = undefined;
    },
  };
}

export interface Throttle {
  /** Requests a run: at once if the last one is long enough ago, else as soon as it is. */
  soon(): void;
  now(): void;
  /** Runs within `delay` milliseconds. */
  within(delay: number): void;
  dispose(): void;
}

/**
 * Batches the changes of one synchronous run; `undefined` means that everything changed. The editor redraws a view
 * on the first change event and 200 ms later for all others, and during a redraw the menu of a row runs without the
 * row.
 */
export function batchChanges<T>(notify: (changes: T[] | undefined) => void): (change: T | undefined) => void {
  let pending: Set<T | undefined> | undefined;
  return (change) => {
    if (!pending) {
      pending = new Set();
      queueMicrotask(() => {
        const all = [...(pending ?? [])];
        pending = undefined;
        const named = all.filter((change) => change !== undefined);
        notify(named.length === all.length ? named : undefined);
      });
    }
    pending.add(change);
  };
}

/** Batches changes, bounded in number, for a while from the first one on. */
export function createChangeBatcher(clock: Clock, notify: (changes: Changes) => void): ChangeBatches {
  const disposed = new AbortController();
  let names = new Set<string>();
  let cut = false;
  let isWaiting = false;

  async function settle(): Promise<void> {
    isWaiting = true;
    await clock.sleep(SETTLE_MS, { signal: disposed.signal }).catch(() => undefined);
    isWaiting = false;
    const changes = { names, cut };
    names = new Set();
    cut = false;
    if (!disposed.signal.aborted) notify(changes);
  }

  return {
    add(name) {
      if (disposed.signal.aborted) return;
      if (name === undefined || names.size === MAX_CHANGES) cut = true;
      else names.add(name);
      if (!isWaiting) void settle();
    },
    dispose: () => disposed.abort(),
  };
}

interface ChangeBatches {
  /** Adds a change; without a name, everything may have changed. */
  add(name?: string): void;
  dispose(): void;
}

/** What may have changed: files and folders by name, each with everything in it. */
export interface Changes {
  readonly names: ReadonlySet<string>;
  /** Whether more changed than is named: everything may have changed. */
  readonly cut: boolean;
}

/** Checking out a branch changes many files at once: changes are batched for this long. */
const SETTLE_MS = 500;
const MAX_CHANGES = 1_000;

/** Whether `name` may have changed, by itself or with a folder around it. */
export function mayHaveChanged(name: string, { names, cut }: Changes): boolean {
  if (cut || names.has(name)) return true;
  for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
    if (names.has(name.slice(0, end))) return true;
  }
  return false;
}

/** Caches the result of `read` for the current version of each document. */
export function cachePerVersion<Document extends Versioned, Result>(
  read: (document: Document) => Result,
): (document: Document) => Result {
  const cache = new WeakMap<Document, { readonly version: number; readonly made: Result }>();
  return (document) => {
    const cached = cache.get(document);
    if (cached && cached.version === document.version) return cached.made;
    const result = read(document);
    cache.set(document, { version: document.version, made: result });
    return result;
  };
}

/** A document whose version rises with each change of its text. */
interface Versioned {
  readonly version: number;
}

import type { Clock } from '../core/index.ts';

/** What there is of an answer after some time. */
export type Outcome<T> =
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'pending' };

/** Waits for `answer`, but no longer than `ms` milliseconds. Never rejects; an answer after that is ignored. */
export function settleWithin<T>(ms: number, answer: Promise<T>): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ state: 'pending' }), ms);
    const settle = (outcome: Outcome<T>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    answer.then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', error }),
    );
  });
}

export interface Throttle {
  /** Asks for a run: at once if the last one is long enough ago, else as soon as it is. */
  soon(): void;
  /** Runs at once. */
  now(): void;
  /** Runs after `delay` milliseconds, unless it has run by then. */
  within(delay: number): void;
  /** Calls off what was asked for. */
  dispose(): void;
}

/** Lets `run` happen at most once in `ms` however often it is asked for. The last asking is never lost. */
export function createThrottle(run: () => void, ms: number, clock: Clock): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: AbortController | undefined;

  function runNow(): void {
    waiting?.abort();
    waiting = undefined;
    last = clock.elapsed();
    run();
  }

  function runIn(delay: number): void {
    if (waiting) return;
    waiting = new AbortController();
    clock.sleep(delay, { signal: waiting.signal }).then(runNow, () => undefined);
  }

  return {
    now: runNow,
    within: runIn,
    soon() {
      const wait = last + ms - clock.elapsed();
      if (wait > 0) runIn(wait);
      else if (!waiting) runNow();
    },
    dispose() {
      waiting?.abort();
      waiting = undefined;
    },
  };
}

/**
 * Passes on together what is told in one go; `undefined` stands for everything. The editor draws a view at the first
 * word of a change and for all others 200 ms later once more, and a row that is drawn anew is missing to its menu.
 */
export function batchChanges<T>(pass: (changes: T[] | undefined) => void): (change: T | undefined) => void {
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

/** Many files change at once when a branch is checked out: changes are gathered for this long. */
const SETTLE_MS = 500;
const MAX_CHANGES = 1_000;

/** What may have changed: the files and folders named, each with all that is in it. */
export interface Changes {
  readonly names: ReadonlySet<string>;
  /** More has changed than is named: everything may have. */
  readonly cut: boolean;
}

interface ChangeBatches {
  /** Adds a change; without a name, everything may have changed. */
  add(name?: string): void;
  /** Drops what was not passed on yet. */
  dispose(): void;
}

/** Gathers changes from the first on for a while, bounded in number, and passes them on together. */
export function createChangeBatcher(clock: Clock, pass: (changes: Changes) => void): ChangeBatches {
  const disposed = new AbortController();
  let names = new Set<string>();
  let cut = false;
  let waiting = false;

  async function settle(): Promise<void> {
    waiting = true;
    await clock.sleep(SETTLE_MS, { signal: disposed.signal }).catch(() => undefined);
    waiting = false;
    const changes = { names, cut };
    names = new Set();
    cut = false;
    if (!disposed.signal.aborted) pass(changes);
  }

  return {
    add(name) {
      if (disposed.signal.aborted) return;
      if (name === undefined || names.size === MAX_CHANGES) cut = true;
      else names.add(name);
      if (!waiting) void settle();
    },
    dispose: () => disposed.abort(),
  };
}

/** Whether what has this name may have changed, by itself or with a folder that it is in. */
export function mayHaveChanged(name: string, { names, cut }: Changes): boolean {
  if (cut || names.has(name)) return true;
  for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
    if (names.has(name.slice(0, end))) return true;
  }
  return false;
}

/** A document whose version goes up with each change of its text. */
interface Versioned {
  readonly version: number;
}

/** Gives what `read` makes of a document, made once for each version of its text. */
export function cachePerVersion<Document extends Versioned, Made>(
  read: (document: Document) => Made,
): (document: Document) => Made {
  const kept = new WeakMap<Document, { readonly version: number; readonly made: Made }>();
  return (document) => {
    const known = kept.get(document);
    if (known && known.version === document.version) return known.made;
    const made = read(document);
    kept.set(document, { version: document.version, made });
    return made;
  };
}

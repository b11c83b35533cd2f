import type { Clock } from '../../core/index.ts';

/** Many files change at once when a branch is checked out: changes are gathered for this long. */
const SETTLE_MS = 500;
const MOST_CHANGES = 1_000;

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
export function createChangeBatches(clock: Clock, pass: (changes: Changes) => void): ChangeBatches {
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
      if (name === undefined || names.size === MOST_CHANGES) cut = true;
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

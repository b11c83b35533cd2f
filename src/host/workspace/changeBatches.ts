import type { Clock } from '../../core/index.ts';

/** Many changes come at once, as when a branch is checked out: what is told is told after this long. */
const SETTLE_MS = 500;
const MOST_CHANGES = 1_000;

/** What may have changed: the files and folders named, each with all that is in it. */
export interface Changes {
  readonly names: ReadonlySet<string>;
  /** More has changed than is named: everything may have. */
  readonly cut: boolean;
}

export interface ChangeBatches {
  /** Tells of a change; of one that has no name, that everything may have changed. */
  add(name?: string): void;
  /** Drops what was not told yet. */
  dispose(): void;
}

/** Gathers changes from the first on for a while, bounded in number, and gives them to `tell` together. */
export function createChangeBatches(clock: Clock, tell: (changes: Changes) => void): ChangeBatches {
  const disposed = new AbortController();
  let names = new Set<string>();
  let cut = false;
  let waiting = false;

  async function settle(): Promise<void> {
    waiting = true;
    await clock.sleep(SETTLE_MS, disposed.signal).catch(() => undefined);
    waiting = false;
    const changes = { names, cut };
    names = new Set();
    cut = false;
    if (!disposed.signal.aborted) tell(changes);
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

import type { Abortable } from './abortable.ts';
import type { Clock } from './clock.ts';

/** A wait before a server is asked again. */
export interface AskedWait {
  readonly ms: number;
  /** Whether the server asked for it; otherwise it comes after a failure. */
  readonly byServer: boolean;
}

/** A wait as it is shown to people. */
export interface ToldWait {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly byServer: boolean;
}

/** Resolves when the wait is over or skipped; rejects with the signal's reason when the signal aborts first. */
export type Wait = (asked: AskedWait, options: Abortable) => Promise<'over' | 'skipped'>;

/** The waits of one piece of work that someone may be looking at. */
export interface Waits {
  readonly wait: Wait;
  /** The one that ends last, of those that run now and are long enough to be told; undefined while there is none. */
  readonly told: ToldWait | undefined;
  /** Ends all that run now. */
  skip(): void;
}

/** Shorter ones, in milliseconds, pass before anyone has read of them. */
const SHOWN_FROM_MS = 3000;

/**
 * @param onChange told when {@link Waits.told} may have changed.
 * @example
 * const waits = createWaits(systemClock, () => show(waits.told?.endsAt));
 * const query = client.openLogQuery(filter, { waits });
 * askNow.onClick = () => waits.skip();
 */
export function createWaits(clock: Clock, onChange: () => void = () => undefined): Waits {
  /** With what is shown of each; undefined for a short one. */
  const running = new Map<AbortController, ToldWait | undefined>();

  async function wait({ ms, byServer }: AskedWait, { signal }: Abortable) {
    const skip = new AbortController();
    const isLong = ms > SHOWN_FROM_MS;
    running.set(skip, isLong ? { endsAt: clock.now() + ms, byServer } : undefined);
    if (isLong) onChange();
    try {
      await clock.sleep(ms, { signal: signal ? AbortSignal.any([signal, skip.signal]) : skip.signal });
      return 'over';
    } catch (reason) {
      if (signal?.aborted || !skip.signal.aborted) throw reason;
      return 'skipped';
    } finally {
      running.delete(skip);
      if (isLong) onChange();
    }
  }

  return {
    wait,
    get told() {
      let last: ToldWait | undefined;
      for (const one of running.values()) if (one && (!last || one.endsAt > last.endsAt)) last = one;
      return last;
    },
    skip() {
      for (const controller of running.keys()) controller.abort('skipped');
    },
  };
}

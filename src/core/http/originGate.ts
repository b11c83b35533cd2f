import type { Clock } from '../base/clock.ts';
import { AppError, safeUrl } from '../base/errors.ts';
import { createWaits, type Wait } from '../base/waits.ts';
import { durationText } from '../values/durationText.ts';

/** What whoever wants to ask a server brings to its gate. */
interface GatePass {
  /** A longer wait than this, in milliseconds, is not waited. */
  readonly longestWaitMs: number;
  /** Waits in place of the clock, so that a wait can be shown and skipped. */
  readonly wait?: Wait | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The one way to a server, for all in the process who ask it: closed while one of them waits because it asked for that. */
export interface OriginGate {
  /** Notes that the server asks to be left alone for `ms` milliseconds; of over a minute nothing is noted. */
  hold(ms: number): void;
  /**
   * Resolves when the server may be asked. A hold that nobody sits out, since it is longer than any of them waits, stops
   * nobody: the server then says it again.
   *
   * @throws AppError `rateLimited` at once where another sits out a hold that is longer than `longestWaitMs`; `aborted`
   *   when the signal fires.
   */
  pass(who: GatePass): Promise<void>;
}

/** The gates of the servers that are asked. */
export interface OriginGates {
  /** The gate of the server at `url`: the same for each address of its scheme, host and port. */
  of(url: string): OriginGate;
}

/** The longest that someone who waits is held up by one request of the server, in milliseconds: a quota of a minute. */
export const LONGEST_HOLD_MS = 60_000;

/**
 * One for a whole process, handed to every client in it.
 *
 * @example
 * const http = { fetch, clock: systemClock, gates: createOriginGates(systemClock) };
 * const client = createChainClient({ ...http, url });
 */
export function createOriginGates(clock: Clock): OriginGates {
  const gates = new Map<string, OriginGate>();
  return {
    of(url) {
      const origin = safeUrl(url);
      const gate = gates.get(origin) ?? createOriginGate(clock);
      gates.set(origin, gate);
      return gate;
    },
  };
}

/** Whoever skips the wait at it opens it, for all who wait and who come. */
export function createOriginGate(clock: Clock): OriginGate {
  let holdUntil = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let opened = new AbortController();

  function open(): void {
    holdUntil = Number.NEGATIVE_INFINITY;
    opened.abort('opened');
    opened = new AbortController();
  }

  async function sitOut(ms: number, { wait = createWaits(clock).wait, signal }: GatePass): Promise<void> {
    const { signal: atOpening } = opened;
    waiting++;
    try {
      const either = signal ? AbortSignal.any([signal, atOpening]) : atOpening;
      if ((await wait({ ms, byServer: true }, { signal: either })) === 'skipped') open();
    } catch (cause) {
      if (signal?.aborted || !atOpening.aborted) throw new AppError('aborted', 'Cancelled.', { cause });
    } finally {
      waiting--;
    }
  }

  return {
    hold(ms) {
      if (ms <= LONGEST_HOLD_MS) holdUntil = Math.max(holdUntil, clock.elapsed() + ms);
    },
    async pass(who) {
      for (;;) {
        const ms = holdUntil - clock.elapsed();
        if (ms <= 0) return;
        if (ms <= who.longestWaitMs) await sitOut(ms, who);
        else if (waiting === 0) return;
        else throw new AppError('rateLimited', serverWaitText(ms), { retryAfterMs: ms });
      }
    },
  };
}

/** What a server asks for, in English, for logs and for the headless runner: to be left alone for `ms` milliseconds. */
export function serverWaitText(ms: number): string {
  return `The server asks to wait ${durationText(ms, 'en')}.`;
}

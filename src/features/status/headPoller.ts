import { type AppError, asAppError, type Clock, getRetryDelay, isRetryable } from '../../core/index.ts';

/** Also where the endpoint asks for longer: one request a minute does no harm, and shows when it works again. */
const MAX_BACKOFF_MS = 60_000;

/**
 * How long to leave a failing endpoint alone, in milliseconds: the interval where it is not reached; else longer each
 * time, and as long as it asks for; but no longer than a minute or the interval, whichever is more.
 */
function getBackoffMs(error: AppError, failures: number, intervalMs: number): number {
  const longest = Math.max(intervalMs, MAX_BACKOFF_MS);
  // No server is spared by not looking whether it is there again.
  if (error.kind === 'network') return intervalMs;
  const growing = intervalMs * 2 ** Math.min(failures, 16);
  const asked = isRetryable(error) ? getRetryDelay(error, 1, 0) : 0;
  return Math.min(longest, Math.max(growing, asked));
}

/** The newest block that the endpoint gave. What ends in `Elapsed` is by {@link Clock.elapsed}. */
export interface Head {
  readonly block: bigint;
  /** When this block number was first seen, in milliseconds since the Unix epoch: in place of the block's own time. */
  readonly firstSeenAt: number;
  /** The same for its age, which is right also after the system's clock was set. */
  readonly firstSeenElapsed: number;
  /** When the endpoint last gave it. */
  readonly confirmedElapsed: number;
  /** How long the last answer took, in milliseconds. */
  readonly latencyMs: number;
}

export interface HeadState {
  /** The last good answer; kept while later ones fail. */
  readonly head?: Head;
  /** Why the last try failed; undefined when it did not. */
  readonly error?: AppError;
  /** Tries that failed one after another. */
  readonly failures: number;
  /** When the request in flight was sent; undefined when none is. */
  readonly requestedElapsed?: number;
}

interface HeadPollerDeps {
  readonly clock: Clock;
  /** Asks the endpoint for its newest block. */
  readonly ask: (options: { readonly signal: AbortSignal }) => Promise<bigint>;
  /** Between two polls, in milliseconds; read each time. */
  readonly intervalMs: () => number;
  readonly onChange: (state: HeadState) => void;
}

export interface HeadPoller {
  readonly state: HeadState;
  /** Polls from now on; at once if the last answer is older than the interval. */
  start(): void;
  /** Starts the wait again, as when the interval has changed. */
  wake(): void;
  /** Stops polling. A request in flight is aborted unless someone waits for it. */
  stop(): void;
  /**
   * The head, at most `maxAgeMs` old: the one known, the one that is being asked for, or a new one.
   *
   * @throws AppError as the endpoint fails.
   */
  read(maxAgeMs: number): Promise<Head>;
  /** Stops for good. */
  dispose(): void;
}

/** Follows the head of one chain, one request at a time, backing off while the endpoint fails. */
export function createHeadPoller(deps: HeadPollerDeps): HeadPoller {
  const { clock } = deps;
  const disposed = new AbortController();
  let state: HeadState = { failures: 0 };
  let polling: AbortController | undefined;
  let inFlight:
    | { readonly answer: Promise<Head>; readonly stop: AbortController; awaited: boolean }
    | undefined;
  let retryAt = Number.NEGATIVE_INFINITY;
  let nap: AbortController | undefined;

  function dueAt(): number {
    if (state.error) return retryAt;
    return state.head ? state.head.confirmedElapsed + deps.intervalMs() : Number.NEGATIVE_INFINITY;
  }

  function setState(next: HeadState): void {
    state = next;
    if (!disposed.signal.aborted) deps.onChange(state);
  }

  async function askOnce(options: { readonly signal: AbortSignal }): Promise<Head> {
    const { requestedElapsed: _, ...before } = state;
    const askedElapsed = clock.elapsed();
    setState({ ...before, requestedElapsed: askedElapsed });
    try {
      const block = await deps.ask(options);
      const confirmedElapsed = clock.elapsed();
      const seen =
        state.head?.block === block
          ? state.head
          : { firstSeenAt: clock.now(), firstSeenElapsed: confirmedElapsed };
      const { firstSeenAt, firstSeenElapsed } = seen;
      const head = {
        block,
        firstSeenAt,
        firstSeenElapsed,
        confirmedElapsed,
        latencyMs: confirmedElapsed - askedElapsed,
      };
      setState({ head, failures: 0 });
      return head;
    } catch (cause) {
      const error = asAppError(cause);
      const failures = before.failures + 1;
      if (error.kind === 'aborted') setState(before);
      else {
        retryAt = clock.elapsed() + getBackoffMs(error, failures, deps.intervalMs());
        setState({ ...before, error, failures });
      }
      throw error;
    }
  }

  function share(awaited: boolean): Promise<Head> {
    if (!inFlight) {
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, disposed.signal]);
      // Sent in a later turn: a listener of the new state may call this again, and must find this request.
      const answer = Promise.resolve()
        .then(() => askOnce({ signal }))
        .finally(() => {
          inFlight = undefined;
          nap?.abort();
        });
      inFlight = { answer, stop, awaited };
    }
    inFlight.awaited ||= awaited;
    return inFlight.answer;
  }

  async function poll({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const wait = dueAt() - clock.elapsed();
      if (wait <= 0) {
        await share(false).catch(() => undefined);
        continue;
      }
      nap = new AbortController();
      await clock.sleep(wait, { signal: AbortSignal.any([signal, nap.signal]) }).catch(() => undefined);
    }
  }

  function stop(): void {
    polling?.abort();
    polling = undefined;
    if (inFlight && !inFlight.awaited) inFlight.stop.abort();
  }

  return {
    get state() {
      return state;
    },
    start() {
      if (polling || disposed.signal.aborted) return;
      polling = new AbortController();
      void poll(polling);
    },
    wake: () => nap?.abort(),
    stop,
    async read(maxAgeMs) {
      const { head } = state;
      if (head && clock.elapsed() - head.confirmedElapsed <= maxAgeMs && !state.error) return head;
      return share(true);
    },
    dispose() {
      stop();
      disposed.abort();
    },
  };
}

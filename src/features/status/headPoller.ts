import { type AppError, asAppError, type Clock, getRetryDelay, isRetryable } from '../../core/index.ts';

/** The newest block that the endpoint reported. Times that end in `Elapsed` are by {@link Clock.elapsed}. */
export interface Head {
  readonly block: bigint;
  /** In milliseconds since the Unix epoch. Used in place of the block's own time. */
  readonly firstSeenAt: number;
  /** For the age, which stays right when the system clock is set. */
  readonly firstSeenElapsed: number;
  /** When the endpoint last reported it. */
  readonly confirmedElapsed: number;
  /** Duration of the last response. */
  readonly latencyMs: number;
}

export interface HeadState {
  /** The last success; stays while later requests fail. */
  readonly head?: Head;
  /** Why the last request failed; undefined if it did not. */
  readonly error?: AppError;
  /** Consecutive failures. */
  readonly failures: number;
  /** When the pending request was sent; undefined if there is none. */
  readonly requestedElapsed?: number;
}

interface HeadPollerDeps {
  readonly clock: Clock;
  readonly fetchBlock: (options: { readonly signal: AbortSignal }) => Promise<bigint>;
  /** Between two polls; read each time. */
  readonly intervalMs: () => number;
  readonly onChange: (state: HeadState) => void;
}

export interface HeadPoller {
  readonly state: HeadState;
  /** Starts polling; at once if the last response is older than the interval. */
  start(): void;
  /** Recomputes the wait, after the interval has changed. */
  wake(): void;
  /** Stops polling. Aborts the pending request unless a caller of {@link read} waits for it. */
  stop(): void;
  /**
   * The head, at most `maxAgeMs` old: the last one, the pending one, or a new one.
   *
   * @throws AppError of the endpoint.
   */
  read(maxAgeMs: number): Promise<Head>;
  /** Stops permanently. */
  dispose(): void;
}

/** Polls the head of one chain, one request at a time, with a backoff while the endpoint fails. */
export function createHeadPoller(deps: HeadPollerDeps): HeadPoller {
  const { clock } = deps;
  const disposed = new AbortController();
  let state: HeadState = { failures: 0 };
  let polling: AbortController | undefined;
  let pending:
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

  async function requestOnce(options: { readonly signal: AbortSignal }): Promise<Head> {
    const { requestedElapsed: _, ...before } = state;
    const sentElapsed = clock.elapsed();
    setState({ ...before, requestedElapsed: sentElapsed });
    try {
      const block = await deps.fetchBlock(options);
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
        latencyMs: confirmedElapsed - sentElapsed,
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
    if (!pending) {
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, disposed.signal]);
      // Sent in a later microtask: a listener of the new state may call this again, and must find this request.
      const result = Promise.resolve()
        .then(() => requestOnce({ signal }))
        .finally(() => {
          pending = undefined;
          nap?.abort();
        });
      pending = { answer: result, stop, awaited };
    }
    pending.awaited ||= awaited;
    return pending.answer;
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
    if (pending && !pending.awaited) pending.stop.abort();
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

/**
 * Applies even if the endpoint demands a longer wait: one request a minute does no harm, and notices when it recovers.
 */
const MAX_BACKOFF_MS = 60_000;

/**
 * The wait after a failure, in milliseconds: the interval if the endpoint is unreachable; otherwise it grows
 * exponentially and respects the endpoint's demand, up to a minute or the interval, whichever is longer.
 */
function getBackoffMs(error: AppError, failures: number, intervalMs: number): number {
  const longest = Math.max(intervalMs, MAX_BACKOFF_MS);
  // Waiting longer does not relieve a server that is not reached.
  if (error.kind === 'network') return intervalMs;
  const growing = intervalMs * 2 ** Math.min(failures, 16);
  const demandedMs = isRetryable(error) ? getRetryDelay(error, 1, 0) : 0;
  return Math.min(longest, Math.max(growing, demandedMs));
}

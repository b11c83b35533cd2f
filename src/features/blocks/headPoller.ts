import { asAppError, type Clock } from '../../core/index.ts';
import { backOff } from './backOff.ts';
import type { Head, HeadState } from './head.ts';

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
    const { askedElapsed: _, ...before } = state;
    const askedElapsed = clock.elapsed();
    setState({ ...before, askedElapsed });
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
        retryAt = clock.elapsed() + backOff(error, failures, deps.intervalMs());
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

import { type Clock, createBackoffControl, type WaitForBackoff } from '../base/clock.ts';
import { AppError, isAppError, safeUrl } from '../base/errors.ts';
import { formatDuration } from '../base/text.ts';

/**
 * Whether the same request can succeed soon: the failure is due neither to the request, nor to something that a person
 * has to fix first.
 *
 * @example
 * isRetryable(new AppError('rateLimited', 'HTTP 429.')); // true
 * isRetryable(new AppError('notFound', 'HTTP 404.')); // false
 */
export function isRetryable(error: AppError): boolean {
  const at = error.details.networkError?.at;
  switch (error.kind) {
    case 'network':
      return at !== 'certificate' && at !== 'proxySignIn' && at !== 'pagePolicy' && at !== 'localNotChosen';
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return true;
    default:
      return false;
  }
}

/**
 * Whether the same request may succeed later without a change: retryable errors, and timeouts, for which an immediate
 * retry is too soon.
 *
 * @example isTemporary(new AppError('timeout', 'It is silent.')) // true
 */
export function isTemporary(error: AppError): boolean {
  return isRetryable(error) || error.kind === 'timeout';
}

/**
 * Whether the failure is retried on next use: it may be temporary, was cancelled, or was never sent for lack of a key or
 * of a click. A request with any other failure would fail again.
 *
 * @example isRetriedOnNextUse(new AppError('timeout', 'It is silent.')) // true
 */
export function isRetriedOnNextUse(error: AppError): boolean {
  const waitsForClick = error.details.networkError?.at === 'localNotChosen';
  return waitsForClick || isTemporary(error) || isAppError(error, 'aborted', 'needsKey');
}

/**
 * Milliseconds to wait before try number `attempt` + 1 (`attempt` from 1): as requested by the server, else exponential
 * from 300 ms, where `jitter` (0 to 1) scales it from half to full.
 *
 * @example
 * getRetryDelay(new AppError('network', 'Not reached.'), 2, 1); // 600
 */
export function getRetryDelay(error: AppError, attempt: number, jitter: number): number {
  const requested = error.details.retryAfterMs;
  if (requested !== undefined) return requested;
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + jitter / 2);
}

const BASE_DELAY_MS = 300;
const MAX_DELAY_MS = 20_000;

/**
 * Create one for the entire process and pass it to every client.
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

export interface OriginGates {
  /** The gate of the server at `url`: one for each scheme, host and port. */
  of(url: string): OriginGate;
}

/**
 * The gate of one server, shared by all callers in the process: closed while one of them waits as the server requested.
 */
export interface OriginGate {
  /** Closes the gate for `ms` milliseconds, as the server requests. Ignores holds of over a minute. */
  hold(ms: number): void;
  /**
   * Resolves when a request may be sent. A hold that is too long for all callers delays nobody: the server will repeat
   * its request to wait.
   *
   * @throws AppError `rateLimited` at once if another caller waits for a hold that is longer than `maxWaitMs`;
   *   `aborted` when the signal fires.
   */
  pass(options: PassOptions): Promise<void>;
}

interface PassOptions {
  /** Maximum wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Replaces the clock, so that a wait can be shown and skipped. */
  readonly wait?: WaitForBackoff | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A caller that skips its wait opens the gate for all. */
export function createOriginGate(clock: Clock): OriginGate {
  let holdUntil = Number.NEGATIVE_INFINITY;
  let waiters = 0;
  let opened = new AbortController();

  function open(): void {
    holdUntil = Number.NEGATIVE_INFINITY;
    opened.abort('opened');
    opened = new AbortController();
  }

  async function waitForOpening(
    ms: number,
    { wait = createBackoffControl(clock).wait, signal }: PassOptions,
  ): Promise<void> {
    const { signal: onOpened } = opened;
    waiters++;
    try {
      const abortOrOpened = signal ? AbortSignal.any([signal, onOpened]) : onOpened;
      if ((await wait({ ms, byServer: true }, { signal: abortOrOpened })) === 'skipped') open();
    } catch (cause) {
      if (signal?.aborted || !onOpened.aborted) throw new AppError('aborted', 'Cancelled.', { cause });
    } finally {
      waiters--;
    }
  }

  return {
    hold(ms) {
      if (ms <= MAX_HOLD_MS) holdUntil = Math.max(holdUntil, clock.elapsed() + ms);
    },
    async pass(options) {
      for (;;) {
        const ms = holdUntil - clock.elapsed();
        if (ms <= 0) return;
        if (ms <= options.maxWaitMs) await waitForOpening(ms, options);
        else if (waiters === 0) return;
        else throw new AppError('rateLimited', formatServerWait(ms), { retryAfterMs: ms });
      }
    },
  };
}

/** The longest hold by one response, in milliseconds: a quota of a minute. */
export const MAX_HOLD_MS = 60_000;

/** The wait that a server requests, in English, for logs and the command line. */
export function formatServerWait(ms: number): string {
  return `The server requests a wait of ${formatDuration(ms, 'en')}.`;
}

import type { BackoffRequest, Clock, WaitForBackoff } from '../base/clock.ts';
import { AppError, asAppError } from '../base/errors.ts';
import { formatServerWait, getRetryDelay, isRetryable, type OriginGate } from './retry.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** Retries after the first try; default 2. */
  readonly retries?: number;
  /** Maximum wait, in milliseconds: for a longer one, the error is thrown at once; default 10 s. */
  readonly maxWaitMs?: number;
  /**
   * Also retries after an invalid response, and a timeout without any response, which are temporary too if the URL is
   * right; default false.
   */
  readonly persistent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Replaces the clock, so that a wait can be shown and skipped. */
  readonly wait?: WaitForBackoff | undefined;
  /** Passed before every try, and closed while the server requests to wait. */
  readonly gate?: OriginGate | undefined;
  /** As {@link maxWaitMs}, for a wait that the server requested of another caller; default the same. */
  readonly maxHoldMs?: number | undefined;
}

/**
 * Runs `task`, and runs it again after a wait while its error is retryable.
 *
 * @throws AppError the last error. If the server requests a wait that is too long, its message names that wait;
 *   `aborted` when the signal fires during a wait.
 */
export async function withRetry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  const { retries = RETRIES, maxWaitMs = MAX_WAIT_MS, persistent = false } = options;
  const { gate, wait, signal, maxHoldMs = maxWaitMs } = options;
  for (let attempt = 1; ; attempt++) {
    await gate?.pass({ maxWaitMs: maxHoldMs, wait, signal });
    try {
      return await task();
    } catch (cause) {
      const error = asAppError(cause);
      const { retryAfterMs } = error.details;
      const byServer = retryAfterMs !== undefined;
      // If the server requests a wait of everyone, all callers wait at its gate.
      const atGate =
        byServer && (error.kind === 'rateLimited' || error.kind === 'unavailable') ? gate : undefined;
      atGate?.hold(retryAfterMs ?? 0);
      if (attempt > retries || !isWorthRetrying(error, persistent)) throw error;
      const delay = getRetryDelay(error, attempt, Math.random());
      if (delay > maxWaitMs) throw byServer ? withServerWait(error, delay) : error;
      if (!atGate) await waitOrAbort(options, { ms: delay, byServer }, error);
    }
  }
}

const RETRIES = 2;
const MAX_WAIT_MS = 10_000;

function isWorthRetrying(error: AppError, persistent: boolean): boolean {
  // A server that began its response and was too slow would be so again.
  const isSilent = error.kind === 'timeout' && error.details.status === undefined;
  return isRetryable(error) || (persistent && (error.kind === 'badResponse' || isSilent));
}

function withServerWait(error: AppError, ms: number): AppError {
  const message = `${error.message} ${formatServerWait(ms)}`;
  return new AppError(error.kind, message, { ...error.details, cause: error });
}

async function waitOrAbort(
  { clock, signal, wait }: RetryOptions,
  backoff: BackoffRequest,
  error: AppError,
): Promise<void> {
  try {
    await (wait ? wait(backoff, { signal }) : clock.sleep(backoff.ms, { signal }));
  } catch {
    throw new AppError('aborted', 'Cancelled.', { cause: error });
  }
}

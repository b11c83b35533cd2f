import type { Clock } from '../base/clock.ts';
import { AppError, asAppError } from '../base/errors.ts';
import type { AskedWait, Wait } from '../base/waits.ts';
import { type OriginGate, serverWaitText } from './originGate.ts';

const RETRIES = 2;
const LONGEST_WAIT_MS = 10_000;
const BASE_DELAY_MS = 300;
const LONGEST_DELAY_MS = 20_000;

/**
 * Whether asking the same again can help: the failure is of the moment, not of the question, nor of what a person
 * has to set right first.
 *
 * @example
 * isRetryable(new AppError('rateLimited', 'HTTP 429.')); // true
 * isRetryable(new AppError('notFound', 'HTTP 404.')); // false
 */
export function isRetryable(error: AppError): boolean {
  const at = error.details.failure?.at;
  switch (error.kind) {
    case 'network':
      return at !== 'certificate' && at !== 'proxySignIn';
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return true;
    default:
      return false;
  }
}

/**
 * Whether the same may be answered later though nobody does anything: what is tried again at once, and time-outs, for
 * which another try right away is too soon.
 *
 * @example mayPassLater(new AppError('timeout', 'It is silent.')) // true
 */
export function mayPassLater(error: AppError): boolean {
  return isRetryable(error) || error.kind === 'timeout';
}

/**
 * Milliseconds to wait before try number `attempt` + 1 (`attempt` from 1): what the server asked for,
 * else exponential from 300 ms with `jitter` (0 to 1) spreading it over half to whole.
 *
 * @example
 * retryDelay(new AppError('network', 'Not reached.'), 2, 1); // 600
 */
export function retryDelay(error: AppError, attempt: number, jitter: number): number {
  const asked = error.details.retryAfterMs;
  if (asked !== undefined) return asked;
  return Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + jitter / 2);
}

export interface RetryOptions {
  readonly clock: Clock;
  /** Tries after the first one when the failure may pass; default 2. */
  readonly retries?: number;
  /** A wait longer than this, in milliseconds, is not waited: the error is thrown at once; default 10 s. */
  readonly longestWaitMs?: number;
  /** Also tries again after a broken answer or a time-out, which at a right address pass too; default false. */
  readonly persistent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Waits in place of the clock, so that a wait can be told and skipped. */
  readonly wait?: Wait | undefined;
  /** The way to the server: passed before every try, and closed while the server asks to wait. */
  readonly gate?: OriginGate | undefined;
  /** As {@link longestWaitMs}, of what the server asked of others; default the same. */
  readonly longestHoldMs?: number | undefined;
}

/**
 * Runs `task`, again after a wait while its error is retryable.
 *
 * @throws AppError the last error; with the wait that the server asks for in its words if that is longer than is waited;
 *   `aborted` when the signal fires during a wait.
 */
export async function withRetry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  const { retries = RETRIES, longestWaitMs = LONGEST_WAIT_MS, persistent = false } = options;
  const { gate, wait, signal, longestHoldMs = longestWaitMs } = options;
  for (let attempt = 1; ; attempt++) {
    await gate?.pass({ longestWaitMs: longestHoldMs, wait, signal });
    try {
      return await task();
    } catch (cause) {
      const error = asAppError(cause);
      const { retryAfterMs } = error.details;
      const byServer = retryAfterMs !== undefined;
      // What a server asks of all is waited for at its gate, by all.
      const atGate =
        byServer && (error.kind === 'rateLimited' || error.kind === 'unavailable') ? gate : undefined;
      atGate?.hold(retryAfterMs ?? 0);
      if (attempt > retries || !mayPass(error, persistent)) throw error;
      const delay = retryDelay(error, attempt, Math.random());
      if (delay > longestWaitMs) throw byServer ? withItsWait(error, delay) : error;
      if (!atGate) await waitOrAbort(options, { ms: delay, byServer }, error);
    }
  }
}

function mayPass(error: AppError, persistent: boolean): boolean {
  return isRetryable(error) || (persistent && (error.kind === 'badResponse' || error.kind === 'timeout'));
}

function withItsWait(error: AppError, ms: number): AppError {
  const message = `${error.message} ${serverWaitText(ms)}`;
  return new AppError(error.kind, message, { ...error.details, cause: error });
}

async function waitOrAbort(
  { clock, signal, wait }: RetryOptions,
  asked: AskedWait,
  error: AppError,
): Promise<void> {
  try {
    await (wait ? wait(asked, { signal }) : clock.sleep(asked.ms, { signal }));
  } catch {
    throw new AppError('aborted', 'Cancelled.', { cause: error });
  }
}

import type { Clock } from '../base/clock.ts';
import { AppError, asAppError } from '../base/errors.ts';
import type { AskedWait, Wait } from '../base/waits.ts';
import { durationText } from '../values/durationText.ts';

const RETRIES = 2;
const LONGEST_WAIT_MS = 10_000;
const BASE_DELAY_MS = 300;
const LONGEST_DELAY_MS = 20_000;

/**
 * Whether asking the same again can help: the failure is of the moment, not of the question, nor of what a person
 * has to set right first.
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
 * Milliseconds to wait before try number `attempt` + 1 (`attempt` from 1): what the server asked for,
 * else exponential from 300 ms with `jitter` (0 to 1) spreading it over half to whole.
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
}

/**
 * Runs `task`, again after a wait while its error is retryable.
 *
 * @throws AppError the last error; with the server's wish in its words if that is longer than is waited; `aborted` when
 *   the signal fires during a wait.
 */
export async function withRetry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  const { retries = RETRIES, longestWaitMs = LONGEST_WAIT_MS, persistent = false } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (cause) {
      const error = asAppError(cause);
      if (attempt > retries || !mayPass(error, persistent)) throw error;
      const delay = retryDelay(error, attempt, Math.random());
      const isWish = error.details.retryAfterMs !== undefined;
      if (delay > longestWaitMs) throw isWish ? withItsWish(error, delay) : error;
      await waitOrAbort(options, { ms: delay, isWish }, error);
    }
  }
}

function mayPass(error: AppError, persistent: boolean): boolean {
  return isRetryable(error) || (persistent && (error.kind === 'badResponse' || error.kind === 'timeout'));
}

function withItsWish(error: AppError, ms: number): AppError {
  const message = `${error.message} ${wishText(ms)}`;
  return new AppError(error.kind, message, { ...error.details, cause: error });
}

/** A server's wish to be left alone for `ms` milliseconds, in English, for logs and for the headless runner. */
export function wishText(ms: number): string {
  return `The server asks to wait ${durationText(ms, 'en')}.`;
}

async function waitOrAbort(
  { clock, signal, wait }: RetryOptions,
  asked: AskedWait,
  error: AppError,
): Promise<void> {
  try {
    await (wait ? wait(asked, signal) : clock.sleep(asked.ms, signal));
  } catch {
    throw new AppError('aborted', 'Cancelled.', { cause: error });
  }
}

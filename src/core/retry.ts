import type { Clock } from './clock.ts';
import { type AppError, asAppError } from './errors.ts';

const BASE_DELAY_MS = 300;
const LONGEST_DELAY_MS = 20_000;

/** Whether asking the same again can help: the failure is of the moment, not of the question. */
export function isRetryable(error: AppError): boolean {
  switch (error.kind) {
    case 'network':
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
  /** Tries after the first one. */
  readonly retries: number;
  /** A wait longer than this, in milliseconds, is not waited: the error is thrown at once. */
  readonly longestWaitMs: number;
  /** Also tries again after a broken answer or a time-out. */
  readonly persistent?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Runs `task`, again after a wait while its error is retryable. Throws the last error. */
export async function withRetry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (cause) {
      const error = asAppError(cause);
      const delay = retryDelay(error, attempt, Math.random());
      if (attempt > options.retries || !mayPass(error, options.persistent) || delay > options.longestWaitMs)
        throw error;
      await sleepOrAbort(options.clock, delay, options.signal, error);
    }
  }
}

function mayPass(error: AppError, persistent = false): boolean {
  return isRetryable(error) || (persistent && (error.kind === 'badResponse' || error.kind === 'timeout'));
}

async function sleepOrAbort(clock: Clock, ms: number, signal: AbortSignal | undefined, error: AppError) {
  try {
    await clock.sleep(ms, signal);
  } catch {
    throw error;
  }
}

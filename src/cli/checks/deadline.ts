import { AppError } from '../../core/index.ts';

/** The end of the time that a query may take. */
export interface Deadline {
  /** Also that of the user. */
  readonly signal: AbortSignal;
  /** Whether the time is over, and the user did not end the check. */
  isOver(): boolean;
}

/** @param timeoutMs undefined for no limit. */
export function createDeadline(timeoutMs: number | undefined, signal: AbortSignal): Deadline {
  const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  return {
    signal: timer ? AbortSignal.any([signal, timer]) : signal,
    isOver: () => timer?.aborted === true && !signal.aborted,
  };
}

/** @param what took too long, such as `The query`. */
export function createTimeoutError(what: string, timeoutMs = 0): AppError {
  const seconds = timeoutMs / 1000;
  return new AppError(
    'timeout',
    `${what} took longer than ${seconds} s. Set --timeout to more, or try later.`,
  );
}

/** The error of queries after one for which the server did not respond. */
export function createSilentError(): AppError {
  return new AppError(
    'timeout',
    'The server did not respond in time to an earlier query. This query was not run.',
  );
}

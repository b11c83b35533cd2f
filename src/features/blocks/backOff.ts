import { type AppError, getRetryDelay, isRetryable } from '../../core/index.ts';

/** Also where the endpoint asks for longer: one request a minute does no harm, and shows when it works again. */
const LONGEST_BACK_OFF_MS = 60_000;

/**
 * How long to leave a failing endpoint alone, in milliseconds: the interval where it is not reached; else longer each
 * time, and as long as it asks for; but no longer than a minute or the interval, whichever is more.
 */
export function backOff(error: AppError, failures: number, intervalMs: number): number {
  const longest = Math.max(intervalMs, LONGEST_BACK_OFF_MS);
  // No server is spared by not looking whether it is there again.
  if (error.kind === 'network') return intervalMs;
  const growing = intervalMs * 2 ** Math.min(failures, 16);
  const asked = isRetryable(error) ? getRetryDelay(error, 1, 0) : 0;
  return Math.min(longest, Math.max(growing, asked));
}

import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, safeUrl } from '../base/errors.ts';
import { networkFailure, networkFailureText } from '../base/networkFailure.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

interface LimitedRequest extends Abortable {
  readonly url: string;
  /** Default 30 s. */
  readonly timeoutMs?: number;
}

/** One signal out of the caller's and the time limit, and the words for whichever fired. */
export function startTimeLimit(clock: Clock, request: LimitedRequest) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  const host = safeUrl(request.url);
  const stopTimer = new AbortController();
  const expired = new AbortController();
  clock.sleep(timeoutMs, { signal: stopTimer.signal }).then(
    () => expired.abort(),
    () => undefined,
  );
  const signals = request.signal ? [request.signal, expired.signal] : [expired.signal];
  return {
    signal: AbortSignal.any(signals),
    // A reason of our own: the default one is an error whose stack is taken at each call.
    stop: () => stopTimer.abort('stopped'),
    explain(cause: unknown): AppError {
      if (cause instanceof AppError && cause.kind !== 'aborted') return cause;
      if (request.signal?.aborted) return new AppError('aborted', 'Cancelled.', { cause });
      if (expired.signal.aborted) {
        return new AppError('timeout', `${host} did not answer within ${timeoutMs / 1000} s.`, { cause });
      }
      const failure = networkFailure(cause, request.url);
      const reason = networkFailureText(failure);
      return new AppError('network', `${host} could not be reached (${reason}).`, { cause, failure });
    },
  };
}

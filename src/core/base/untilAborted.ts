import { AppError } from './errors.ts';

/**
 * `answer`, unless the signal aborts first: then `aborted` at once, and the answer goes its way unheard.
 *
 * @example
 * const block = await untilAborted(sharedAnswer, signal);
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const leave = () => reject(new AppError('aborted', 'Cancelled.'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

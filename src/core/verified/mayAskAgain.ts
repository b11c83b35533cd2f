import { type AppError, isAppError } from '../base/errors.ts';
import { mayPassLater } from '../http/retry.ts';

/**
 * Whether what failed so is asked again when it is next wanted: what may pass by itself, was given up, or was never sent
 * for want of a key. All else would fail again.
 *
 * @example mayAskAgain(new AppError('timeout', 'It is silent.')) // true
 */
export function mayAskAgain(error: AppError): boolean {
  return mayPassLater(error) || isAppError(error, 'aborted', 'needsKey');
}

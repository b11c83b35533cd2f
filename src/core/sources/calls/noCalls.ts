import { AppError } from '../../base/errors.ts';

/** The endpoint has no `eth_call`. */
export function noCalls(): AppError {
  return new AppError('notServed', 'The endpoint does not offer eth_call.');
}

import type { AppError, Network } from '../../core/index.ts';
import { describeError } from '../../host/errors.ts';

/** In a file of its own, so that the formatting of errors is loaded with the first error. */
export function formatEndpointFailure(error: AppError, network: Network): string {
  return describeError(error, { service: 'endpoint', network }).message;
}

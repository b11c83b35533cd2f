import type { AppError, Network } from '../../core/index.ts';
import { describeError } from '../../host/errors.ts';

/** What is wrong with the endpoint of `network`. Apart, as the words for failures are not wanted before there is one. */
export function formatEndpointFailure(error: AppError, network: Network): string {
  return describeError(error, { service: 'endpoint', network }).message;
}

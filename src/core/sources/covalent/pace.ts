import type { Clock } from '../../base/clock.ts';
import { createRateLimit, type RateLimit } from '../../base/rateLimit.ts';

/** A gate for the lowest plan's 4 requests a second. Its second is a little longer, as the server counts arrivals. */
export function createDataApiRateLimit({ clock }: { readonly clock: Clock }): RateLimit {
  return createRateLimit({ clock, count: 4, windowMs: 1_100 });
}

import { createRateLimit } from '../../base/rateLimit.ts';
import type { SourceKind } from '../kind/sourceKind.ts';
import { sourcifyOffers } from './offers.ts';

/** Where the public service answers. */
const SOURCIFY_URL = 'https://sourcify.dev/server';

/**
 * Sourcify, which keeps verified contracts of many chains: a third party, so that it is opened only where the user has
 * allowed it. Its limits are not published; it is asked at most twice a second.
 */
export const sourcify: SourceKind = {
  name: 'sourcify',
  takesKey: false,
  urlFor: () => SOURCIFY_URL,
  offers: { verified: sourcifyOffers },
  createRateLimit: ({ clock }) => createRateLimit({ clock, count: 2, windowMs: 1_000 }),
  /** @throws AppError `badInput` for `sourcify`. */
  async open(options) {
    const { createSourcifyClient } = await import('./sourcifyClient.ts');
    return { verified: createSourcifyClient(options) };
  },
};

import { createRequestThrottle } from '../base/clock.ts';
import { type Provider, sourcifyOffers } from './provider.ts';

/** Where the public service answers. */
const SOURCIFY_URL = 'https://sourcify.dev/server';

/**
 * Sourcify, which keeps verified contracts of many chains: a third party, so that it is opened only where the user has
 * allowed it. Its limits are not published; it is asked at most twice a second.
 */
const sourcifyProvider: Provider = {
  name: 'sourcify',
  takesKey: false,
  urlFor: () => SOURCIFY_URL,
  offers: { verified: sourcifyOffers },
  createThrottle: ({ clock }) => createRequestThrottle({ clock, count: 2, windowMs: 1_000 }),
  /** @throws AppError `badInput` for `sourcify`. */
  async open(options) {
    const { createSourcifyClient } = await import('./sourcify.ts');
    return { verified: createSourcifyClient(options) };
  },
};

/** Where Sourcify's database of signatures answers, which took the place of openchain's. */
const SIGNATURES_URL = 'https://api.4byte.sourcify.dev';

/**
 * A database of names by their hashes: a third party, so that it is opened only where the user has allowed it. It knows
 * of no chain.
 */
const signaturesProvider: Provider = {
  name: 'signatures',
  takesKey: false,
  urlFor: () => SIGNATURES_URL,
  offers: { signatures: { names: 'free' } },
  createThrottle: ({ clock }) => createRequestThrottle({ clock, count: 2, windowMs: 1_000 }),
  /** @throws AppError `badInput` for `signatures`. */
  async open(options) {
    const { createSignatureClient } = await import('./signatures.ts');
    return { signatures: createSignatureClient(options) };
  },
};

/** Services that have nothing to do with the network: each is opened only where the user has allowed it. */
export const thirdPartyProviders: readonly Provider[] = [sourcifyProvider, signaturesProvider];

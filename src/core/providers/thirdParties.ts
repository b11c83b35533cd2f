import { createRequestThrottle } from '../base/clock.ts';
import { type Provider, sourcifyOffers } from './provider.ts';

/** The limits of Sourcify and its database are unpublished. */
const RATE = { count: 2, windowMs: 1_000 };
const SOURCIFY_URL = 'https://sourcify.dev/server';

/**
 * Sourcify has verified contracts of many chains. It is a third party, so it is opened only if the user
 * allows it.
 */
const sourcifyProvider: Provider = {
  name: 'sourcify',
  takesKey: false,
  urlFor: () => SOURCIFY_URL,
  offers: { verified: sourcifyOffers },
  createThrottle: ({ clock }) => createRequestThrottle({ clock, ...RATE }),
  /** @throws AppError `badInput` for `sourcify`. */
  async open(options) {
    const { createSourcifyClient } = await import('./sourcify.ts');
    return { verified: createSourcifyClient(options) };
  },
};

/** Sourcify's signature database, the successor of openchain's. */
const SIGNATURES_URL = 'https://api.4byte.sourcify.dev';

/** Signatures by hash, on no particular chain. A third party, so it is opened only if the user allows it. */
const signaturesProvider: Provider = {
  name: 'signatures',
  takesKey: false,
  urlFor: () => SIGNATURES_URL,
  offers: { signatures: { names: 'free' } },
  createThrottle: ({ clock }) => createRequestThrottle({ clock, ...RATE }),
  /** @throws AppError `badInput` for `signatures`. */
  async open(options) {
    const { createSignatureClient } = await import('./signatures.ts');
    return { signatures: createSignatureClient(options) };
  },
};

/** Services independent of the network; each is opened only if the user allows it. */
export const thirdPartyProviders: readonly Provider[] = [sourcifyProvider, signaturesProvider];

import { createRateLimit } from '../../base/rateLimit.ts';
import type { SourceKind } from '../kind/sourceKind.ts';

/** Where Sourcify's database of signatures answers, which took the place of openchain's. */
const SIGNATURES_URL = 'https://api.4byte.sourcify.dev';

/**
 * A database of names by their hashes: a third party, so that it is opened only where the user has allowed it. It knows
 * of no chain.
 */
export const signatures: SourceKind = {
  name: 'signatures',
  takesKey: false,
  urlFor: () => SIGNATURES_URL,
  offers: { signatures: { names: 'free' } },
  createRateLimit: ({ clock }) => createRateLimit({ clock, count: 2, windowMs: 1_000 }),
  /** @throws AppError `badInput` for `signatures`. */
  async open(options) {
    const { createSignatureClient } = await import('./signatureClient.ts');
    return { signatures: createSignatureClient(options) };
  },
};

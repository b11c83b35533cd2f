import type { SourceKind } from '../kind/sourceKind.ts';
import { holdingsOffers, nftOffers } from './offers.ts';
import { createDataApiRateLimit } from './pace.ts';

/** The data API (Covalent's, later GoldRush). Its client is loaded when it is first opened: without a key it never is. */
export const covalent: SourceKind = {
  name: 'covalent',
  takesKey: true,
  urlFor: ({ dataApiUrl }) => dataApiUrl,
  offers: { holdings: holdingsOffers, nfts: nftOffers },
  createRateLimit: createDataApiRateLimit,
  /** @throws AppError `badInput` for `key` or `dataApiUrl`. */
  async open({ url: baseUrl, key, ...options }) {
    const { createDataApiClient } = await import('./dataApiClient.ts');
    const client = createDataApiClient({
      ...{ ...options, baseUrl, key: key?.text ?? '' },
      keyIn: key?.place ?? 'nowhere',
    });
    return { holdings: client, nfts: client };
  },
};

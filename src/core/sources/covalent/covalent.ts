import type { RateLimit } from '../../base/rateLimit.ts';
import type { KeyPlace } from '../../base/source.ts';
import type { HttpDeps } from '../../http/http.ts';
import type { Network } from '../../networks/network.ts';
import { holdingsOffers, nftOffers } from './offers.ts';
import { createDataApiRateLimit } from './pace.ts';

/** What the source is opened with: where, with which key, at which pace, and until when. */
interface Opening extends HttpDeps {
  readonly url: string;
  readonly chainId: number;
  readonly key: { readonly text: string; readonly place: KeyPlace } | undefined;
  readonly rateLimit: RateLimit;
  readonly revoked: AbortSignal;
}

/** The data API (Covalent's, later GoldRush). Its client is loaded when it is first opened: without a key it never is. */
export const covalent = {
  name: 'covalent',
  takesKey: true,
  urlFor: ({ dataApiUrl }: Network) => dataApiUrl,
  offers: { holdings: holdingsOffers, nfts: nftOffers },
  createRateLimit: createDataApiRateLimit,
  /** @throws AppError `badInput` for `key` or `dataApiUrl`. */
  async open({ url: baseUrl, key, ...options }: Opening) {
    const { createDataApiClient } = await import('./dataApiClient.ts');
    const client = createDataApiClient({
      ...{ ...options, baseUrl, key: key?.text ?? '' },
      keyIn: key?.place ?? 'nowhere',
    });
    return { holdings: client, nfts: client };
  },
} as const;

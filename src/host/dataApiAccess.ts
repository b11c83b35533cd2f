import {
  createDataApiClient,
  createDataApiRateLimit,
  type DataApiClient,
  type HttpDeps,
  type KeyPlace,
  type Network,
  type RateLimit,
} from '../core/index.ts';
import type { KeyStore } from './secrets.ts';

/**
 * The data API of a network, or why it is not asked:
 *
 * - `notServed`: the network names none.
 * - `noKey`: no key is stored for its origin.
 */
export type DataApiAccess =
  | { readonly state: 'ready'; readonly client: DataApiClient }
  | { readonly state: 'notServed' | 'noKey' };

/** Gives the data API of a network with the key as stored now; one client for as long as nothing changes. */
export function createDataApiAccess(deps: {
  readonly keys: KeyStore;
  readonly http: HttpDeps;
  readonly keyIn: () => KeyPlace;
}): (network: Network) => Promise<DataApiAccess> {
  const rateLimits = new Map<string, RateLimit>();
  let last: { readonly madeOf: string; readonly client: DataApiClient } | undefined;
  return async ({ dataApiUrl, chainId }) => {
    if (dataApiUrl === undefined) return { state: 'notServed' };
    const key = await deps.keys.get(dataApiUrl);
    if (key === undefined) return { state: 'noKey' };
    const keyIn = deps.keyIn();
    const madeOf = JSON.stringify([dataApiUrl, chainId, key, keyIn]);
    if (last?.madeOf !== madeOf) {
      const rateLimit = rateLimits.get(key) ?? createDataApiRateLimit(deps.http);
      rateLimits.set(key, rateLimit);
      const client = createDataApiClient({
        ...deps.http,
        baseUrl: dataApiUrl,
        chainId,
        key,
        keyIn,
        rateLimit,
      });
      last = { madeOf, client };
    }
    return { state: 'ready', client: last.client };
  };
}

/** Whether what is sent to `url` cannot be read on the way: it is encrypted, or does not leave this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

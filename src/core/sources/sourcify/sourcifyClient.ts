import { badInput } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { AskOptions } from '../../base/source.ts';
import { isHttpUrl } from '../../networks/network.ts';
import type { Address } from '../../values/address.ts';
import type { VerifiedContract, VerifiedSource } from '../../verified/verifiedContract.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';
import { sourcifyOffers } from './offers.ts';
import { readContract } from './readContract.ts';
import { readChains, readSources } from './readOthers.ts';
import { createSourcifyRequests } from './sourcifyRequests.ts';

/** What a proxy leads to can change; what was verified does not, and is kept elsewhere for good. */
const KEPT_FOR_MS = 60_000;
const KEPT_AT_MOST = 500;
/** One request tells all that a decoder needs; the text of sources is asked for only where somebody opens it. */
const FIELDS = [
  ...['abi', 'compilation.name', 'proxyResolution'],
  ...['deployment.blockNumber', 'deployment.transactionHash'],
].join();

/**
 * A client of Sourcify's interface of version 2 for one chain (its OpenAPI description, server 3.12).
 *
 * @throws AppError `badInput` for `sourcify`.
 * @example
 * const client = createSourcifyClient({ ...http, url, chainId: 1, key: undefined, rateLimit, revoked });
 * (await client.verifiedContract(address))?.abi;
 */
export function createSourcifyClient(options: SourceOptions): VerifiedSource {
  const { url, chainId, clock } = options;
  if (!isHttpUrl(url)) throw badInput('sourcify', 'Not an http or https address.');
  const { label, get } = createSourcifyRequests(options);
  const kept = createExpiringCache<VerifiedContract | undefined>({
    ...{ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST },
  });

  function contractAt(address: Address, asked?: AskOptions): Promise<VerifiedContract | undefined> {
    const load = async (signal: AbortSignal) => {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: FIELDS }, { signal });
      return readContract(json, { address, chainId, source: label, readAt: clock.now() });
    };
    return kept.get(address, load, asked);
  }

  return {
    label,
    offers: sourcifyOffers,
    verifiedContract: contractAt,
    proxyAt: async (address, asked) => (await contractAt(address, asked))?.proxy,
    async verifiedSources(address, { signal } = {}) {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: 'sources' }, { signal });
      return readSources(json, { address, chainId, source: label, readAt: clock.now() });
    },
    async verifiedOn(address, { signal } = {}) {
      const json = await get(`v2/contract/all-chains/${address}`, {}, { signal });
      return readChains(json, { address, chainId, source: label, readAt: clock.now() });
    },
  };
}

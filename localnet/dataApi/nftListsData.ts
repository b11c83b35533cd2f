import type { Collection } from './collection.ts';
import { classicContractFields } from './contractFields.ts';
import type { Page } from './paging.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds, seconds } from './times.ts';

/** `data` of `nft_token_ids`. */
export function tokenIdsData(collection: Collection | undefined, page: Page, chain: ServedChain, now: Date) {
  const tokenIds = [...(collection?.tokens.keys() ?? [])];
  const fields = collection && classicContractFields(collection, chain);
  return {
    updated_at: nanoseconds(now),
    items: page.cut(tokenIds).map((tokenId) => ({ ...fields, token_id: tokenId.toString() })),
    pagination: page.describe(tokenIds),
  };
}

/** `data` of `nft/collections`. */
export function collectionsData(
  collections: readonly Collection[],
  page: Page,
  chain: ServedChain,
  now: Date,
) {
  return {
    ...{ updated_at: nanoseconds(now), chain_id: chain.id, chain_name: chain.name },
    items: page.cut(collections).map(({ address, name, tokens }) => ({
      ...{ contract_address: address, contract_name: name ?? null, is_spam: false },
      token_total_supply: tokens.size,
      ...{ cached_metadata_count: 0, cached_asset_count: 0, last_scraped_at: seconds(now) },
    })),
    pagination: page.describe(collections),
  };
}

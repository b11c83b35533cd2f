import type { Collection } from '../tokens/collection.ts';
import { classicContractFields } from './contractFields.ts';
import type { Page } from './paging.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds } from './times.ts';

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

import type { HeldContract, HeldNft } from '../tokens/holdings.ts';
import { tokenMetadata } from '../tokens/tokenMetadata.ts';

type Collection = Pick<HeldContract, 'name' | 'standard'> & { readonly nfts: readonly HeldNft[] };

/** `nft_data` as it stands in balances up to 2025. */
export function classicNftData(collection: Collection, noNftFetch: boolean) {
  return collection.nfts.map((nft) => ({
    token_id: nft.tokenId.toString(),
    token_balance: nft.amount.toString(),
    token_url: noNftFetch ? null : (nft.uri ?? null),
    supports_erc: ['erc20', collection.standard],
    ...{ token_price_wei: null, token_quote_rate_eth: null, original_owner: null },
    external_data: noNftFetch ? null : externalData(collection, nft),
    ...{ owner: null, owner_address: null, burned: null },
  }));
}

/** `nft_data` as it stands in `balances_nft` and, without the list around it, in `nft/…/metadata`. */
export function newerNftData(collection: Collection, owner: string | null, noAssetMetadata: boolean) {
  return collection.nfts.map((nft) => ({
    token_id: nft.tokenId.toString(),
    token_url: nft.uri ?? null,
    ...{ original_owner: null, current_owner: owner },
    external_data: noAssetMetadata ? null : { ...externalData(collection, nft), asset_url: null },
    asset_cached: noAssetMetadata ? null : false,
    image_cached: noAssetMetadata ? null : false,
  }));
}

/** Metadata with the pictures that the service makes of it, which it has none of here. */
function externalData(collection: Collection, { tokenId }: HeldNft) {
  const { name, description, image, attributes } = tokenMetadata(collection, tokenId);
  return {
    ...{ name, description, image, image_256: null, image_512: null, image_1024: null },
    ...{ animation_url: null, external_url: null, owner: null, attributes },
  };
}

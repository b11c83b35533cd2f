import type { HeldContract, HeldNft } from './holdings.ts';

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

/** What the host of the metadata would say, had the local network one. */
function externalData({ name, standard }: Collection, { tokenId }: HeldNft) {
  const image = standard === 'erc721' ? drawnImage(tokenId) : `ipfs://${imageFolder}/${tokenId}.png`;
  return {
    ...{ name: `${name ?? 'Token'} #${tokenId}`, description: 'A token of the local network.' },
    ...{ image, image_256: null, image_512: null, image_1024: null },
    ...{ animation_url: null, external_url: null, owner: null },
    attributes: [
      { trait_type: 'Number', value: Number(tokenId) },
      { trait_type: 'Parity', value: tokenId % 2n === 0n ? 'even' : 'odd' },
    ],
  };
}

const imageFolder = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';

/** A picture that needs no host, as tokens have that keep all of theirs on the chain. */
function drawnImage(tokenId: bigint): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#246"/><text x="32" y="40" font-size="22" text-anchor="middle" fill="#fff">${tokenId}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

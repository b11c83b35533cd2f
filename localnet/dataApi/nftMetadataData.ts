import type { Collection } from '../tokens/collection.ts';
import type { HeldNft } from '../tokens/holdings.ts';
import { movedTo } from '../tokens/movements.ts';
import { classicContractFields, newerContractFields } from './contractFields.ts';
import { classicNftData, newerNftData } from './nftData.ts';
import type { Page } from './paging.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds } from './times.ts';

/** `data` of `tokens/…/nft_metadata/…`, where `nft_data` is a list. */
export async function classicMetadataData(
  collection: Collection | undefined,
  tokenId: bigint,
  chain: ServedChain,
  now: Date,
) {
  const head = { updated_at: nanoseconds(now), pagination: null };
  if (!collection?.tokens.has(tokenId)) return { ...head, items: [] };
  const { nft, owner, firstOwner } = await readToken(collection, tokenId);
  const nftData = classicNftData({ ...collection, nfts: [nft] }, false).map((fields) => ({
    ...fields,
    ...{ token_balance: null, original_owner: firstOwner, owner_address: owner ?? null },
    burned: collection.standard === 'erc721' ? owner === undefined : null,
  }));
  const fields = classicContractFields(collection, chain);
  return { ...head, items: [{ ...fields, balance: null, quote: null, nft_data: nftData }] };
}

/** An item of `nft/…/metadata/…`, where `nft_data` is an object. */
export async function newerMetadataItem(collection: Collection, tokenId: bigint, noMetadata: boolean) {
  const { nft, owner, firstOwner } = await readToken(collection, tokenId);
  const [fields] = newerNftData({ ...collection, nfts: [nft] }, owner ?? null, noMetadata);
  const originalOwner = noMetadata ? null : firstOwner;
  return { ...newerContractFields(collection), nft_data: { ...fields, original_owner: originalOwner } };
}

/** The items of a page of `nft/…/metadata/`. */
export function newerMetadataItems(collection: Collection | undefined, page: Page, noMetadata: boolean) {
  if (!collection) return Promise.resolve([]);
  const tokenIds = page.cut([...collection.tokens.keys()]);
  return Promise.all(tokenIds.map((tokenId) => newerMetadataItem(collection, tokenId, noMetadata)));
}

async function readToken({ standard, reader, tokens }: Collection, tokenId: bigint) {
  const single = standard === 'erc721';
  const uri = await (single ? reader.tokenUri(tokenId) : reader.uri(tokenId));
  const nft: HeldNft = { tokenId, amount: 1n, uri };
  const owner = single ? await reader.ownerOf(tokenId) : undefined;
  const [mint] = tokens.get(tokenId) ?? [];
  return { nft, owner: owner?.toLowerCase(), firstOwner: mint ? (movedTo(mint) ?? null) : null };
}

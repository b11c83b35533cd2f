import * as z from 'zod/mini';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { readNftMetadata } from '../../nfts/metadata/readNftMetadata.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import { parseAssetUrl } from '../../nfts/pictures/assetUrl.ts';
import { addressField, uint256Field } from '../../values/chainFields.ts';
import { listField, optionalField, readItems } from '../../values/outsideFields.ts';
import { type AskedContract, readContractData } from './contractData.ts';
import { tokenStandard } from './nftHoldings.ts';

const urlField = optionalField(
  z.pipe(
    z.string(),
    z.transform((text) => parseAssetUrl(text)),
  ),
);

const NftData = z.object({
  token_id: uint256Field,
  token_url: urlField,
  supports_erc: optionalField(listField),
  original_owner: optionalField(addressField),
  // The classic answer has owner_address, the newer one current_owner.
  owner_address: optionalField(addressField),
  current_owner: optionalField(addressField),
  external_data: z.optional(z.unknown()),
});

const Item = z.object({
  nft_data: z.union([listField, z.nullish(z.record(z.string(), z.unknown()))]),
});

/**
 * `data` of an `nft_metadata` answer: of the classic route, where `nft_data` is a list, or of the newer one
 * (`nft/…/metadata`), where it is an object.
 *
 * @returns undefined where the server knows no such token.
 * @throws AppError `badResponse` when it is no such answer, or one for another contract or chain.
 */
export async function readNftToken(
  data: unknown,
  asked: AskedContract & { readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<NftToken | undefined> {
  for (const { item, facts } of readContractData(data, asked).items) {
    const nftData = Item.safeParse(item).data?.nft_data ?? [];
    const { read } = await readItems(NftData, Array.isArray(nftData) ? nftData : [nftData], { slices });
    const token = read.find(({ token_id: tokenId }) => tokenId === asked.tokenId);
    if (token) return await describeToken(token, facts, slices);
  }
  return undefined;
}

async function describeToken(
  token: z.infer<typeof NftData>,
  contract: NftContract,
  slices: TimeSlices,
): Promise<NftToken> {
  const standard = tokenStandard(contract.standards, token.supports_erc);
  return {
    contract: { ...contract, standard },
    tokenId: token.token_id,
    tokenUrl: token.token_url,
    owner: token.owner_address ?? token.current_owner,
    originalOwner: token.original_owner,
    metadata: await readNftMetadata(token.external_data, { slices }),
    whyNoMetadata: undefined,
  };
}

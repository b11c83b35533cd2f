import * as z from 'zod/mini';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { NftMetadata, NftToken } from '../../nfts/nftToken.ts';
import { type AssetUrl, parseAssetUrl } from '../../nfts/pictures/assetUrl.ts';
import { plainText } from '../../values/plainText.ts';
import { type AskedContract, readContractData } from './contractData.ts';
import { addressField, listField, optionalField, readItems, textField, uint256Field } from './fields.ts';
import { tokenStandard } from './nftHoldings.ts';

const LONGEST_DESCRIPTION = 1_000;
const LONGEST_VALUE = 200;
const MOST_ATTRIBUTES = 100;

const urlField = optionalField(
  z.pipe(
    z.string(),
    z.transform((text) => parseAssetUrl(text)),
  ),
);
const optionalText = optionalField(textField);

const ExternalData = z.object({
  name: optionalText,
  description: optionalField(
    z.pipe(
      z.string(),
      z.transform((text) => plainText(text.replace(/\s+/g, ' '), LONGEST_DESCRIPTION) || undefined),
    ),
  ),
  image: urlField,
  image_256: urlField,
  image_512: urlField,
  image_1024: urlField,
  image_preview: urlField,
  asset_url: urlField,
  asset_mime_type: optionalText,
  animation_url: urlField,
  external_url: urlField,
  attributes: optionalField(listField),
});

const Attribute = z.object({
  trait_type: optionalText,
  value: z.union([z.string(), z.number(), z.boolean()]),
  display_type: optionalText,
});

const NftData = z.object({
  token_id: uint256Field,
  token_url: urlField,
  supports_erc: optionalField(listField),
  original_owner: optionalField(addressField),
  // The classic answer has owner_address, the newer one current_owner.
  owner_address: optionalField(addressField),
  current_owner: optionalField(addressField),
  external_data: optionalField(ExternalData),
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
    metadata: token.external_data && (await readMetadata(token.external_data, slices)),
  };
}

async function readMetadata(
  external: z.infer<typeof ExternalData>,
  slices: TimeSlices,
): Promise<NftMetadata> {
  const claimed = external.attributes ?? [];
  const { read } = await readItems(Attribute, claimed.slice(0, MOST_ATTRIBUTES), { slices });
  return {
    name: external.name,
    description: external.description,
    image: pickImage(external),
    animation: external.animation_url,
    externalUrl: external.external_url,
    attributes: read.map(({ trait_type: trait, value, display_type: display }) => ({
      trait,
      value: plainText(`${value}`, LONGEST_VALUE),
      display,
    })),
    attributesSkipped: claimed.length - read.length,
  };
}

function pickImage(external: z.infer<typeof ExternalData>): AssetUrl | undefined {
  const asset = /^image\//i.test(external.asset_mime_type ?? '') ? external.asset_url : undefined;
  const { image_512, image, image_256, image_1024, image_preview } = external;
  return image_512 ?? image ?? image_256 ?? image_1024 ?? image_preview ?? asset;
}

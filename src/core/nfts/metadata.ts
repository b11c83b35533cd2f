import * as z from 'zod/mini';
import { sanitizeText } from '../base/text.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { listField, optionalField, parseItems, textField } from '../http/fields.ts';
import { type AssetUrl, parseAssetUrl } from './assetUrl.ts';
import type { NftMetadata } from './nft.ts';

export interface MetadataOptions {
  readonly slices: TimeSlices;
  /** A URL out of the metadata, as far as it may be asked for; default {@link parseAssetUrl}. */
  readonly asset?: (text: string) => AssetUrl | undefined;
}

const MAX_DESCRIPTION_CHARS = 1_000;
const MAX_VALUE_CHARS = 200;
const MAX_ATTRIBUTES = 100;

/** What no text in UTF-8 can have. */
const LONE_SURROGATE = /\p{Cs}/gu;

const optionalText = optionalField(textField);
const anyText = optionalField(z.string());

const Metadata = z.object({
  name: optionalText,
  description: optionalField(
    z.pipe(
      z.string(),
      z.transform((text) => sanitizeText(text.replace(/\s+/g, ' '), MAX_DESCRIPTION_CHARS) || undefined),
    ),
  ),
  image: anyText,
  image_url: anyText,
  // An SVG as it is, by the oldest convention for pictures on chain.
  image_data: anyText,
  image_256: anyText,
  image_512: anyText,
  image_1024: anyText,
  image_preview: anyText,
  asset_url: anyText,
  asset_mime_type: optionalText,
  animation_url: anyText,
  external_url: anyText,
  attributes: optionalField(listField),
});

const Attribute = z.object({
  trait_type: optionalText,
  value: z.union([z.string(), z.number(), z.boolean()]),
  display_type: optionalText,
});

/**
 * The metadata of a token as ERC-721 and ERC-1155 have it, with the fields that marketplaces and the data API add.
 *
 * @returns undefined for what is no JSON object.
 * @example
 * await parseNftMetadata({ name: 'Poster #7', image: 'ipfs://bafybeia/7.png' }, { slices });
 */
export async function parseNftMetadata(
  json: unknown,
  { slices, asset = parseAssetUrl }: MetadataOptions,
): Promise<NftMetadata | undefined> {
  const parsed = Metadata.safeParse(json);
  if (!parsed.success || Array.isArray(json)) return undefined;
  const told = parsed.data;
  const url = (text: string | undefined) => (text === undefined ? undefined : asset(text));
  const claimed = told.attributes ?? [];
  const { read } = await parseItems(Attribute, claimed.slice(0, MAX_ATTRIBUTES), { slices });
  return {
    name: told.name,
    description: told.description,
    image: pictureOf(told, url),
    animation: url(told.animation_url),
    externalUrl: url(told.external_url),
    attributes: read.map(({ trait_type: trait, value, display_type: display }) => ({
      trait,
      value: sanitizeText(`${value}`, MAX_VALUE_CHARS),
      display,
    })),
    attributesSkipped: claimed.length - read.length,
  };
}

/** The one of about 512 pixels where there are several. */
function pictureOf(
  told: z.infer<typeof Metadata>,
  url: (text: string | undefined) => AssetUrl | undefined,
): AssetUrl | undefined {
  const drawn = told.image_data?.trimStart().startsWith('<')
    ? `data:image/svg+xml;utf8,${encodeURIComponent(told.image_data.replace(LONE_SURROGATE, '\ufffd'))}`
    : told.image_data;
  const asset = /^image\//i.test(told.asset_mime_type ?? '') ? told.asset_url : undefined;
  const { image_512, image, image_url, image_256, image_1024, image_preview } = told;
  for (const text of [image_512, image, image_url, drawn, image_256, image_1024, image_preview, asset]) {
    const found = url(text);
    if (found) return found;
  }
  return undefined;
}

import * as z from 'zod/mini';
import { sanitizeText } from '../base/text.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { listField, optionalField, parseItems, textField } from '../http/fields.ts';
import { type AssetUrl, parseAssetUrl } from './assetUrl.ts';
import type { NftMetadata } from './nft.ts';

/**
 * Parses token metadata as ERC-721 and ERC-1155 define it, with the fields that marketplaces and the data API
 * add.
 *
 * @returns undefined if `json` is not an object.
 * @example
 * await parseNftMetadata({ name: 'Poster #7', image: 'ipfs://bafybeia/7.png' }, { slices });
 */
export async function parseNftMetadata(
  json: unknown,
  { slices, asset = parseAssetUrl }: MetadataOptions,
): Promise<NftMetadata | undefined> {
  const parsed = Metadata.safeParse(json);
  if (!parsed.success || Array.isArray(json)) return undefined;
  const fields = parsed.data;
  const toUrl = (text: string | undefined) => (text === undefined ? undefined : asset(text));
  const attributes = fields.attributes ?? [];
  const { read } = await parseItems(Attribute, attributes.slice(0, MAX_ATTRIBUTES), { slices });
  return {
    name: fields.name,
    description: fields.description,
    image: findImage(fields, toUrl),
    animation: toUrl(fields.animation_url),
    externalUrl: toUrl(fields.external_url),
    attributes: read.map(({ trait_type: trait, value, display_type: display }) => ({
      trait,
      value: sanitizeText(`${value}`, MAX_VALUE_CHARS),
      display,
    })),
    attributesSkipped: attributes.length - read.length,
  };
}

interface MetadataOptions {
  readonly slices: TimeSlices;
  /** Parses a URL in the metadata; default {@link parseAssetUrl}. */
  readonly asset?: (text: string) => AssetUrl | undefined;
}

const MAX_DESCRIPTION_CHARS = 1_000;
const MAX_VALUE_CHARS = 200;
const MAX_ATTRIBUTES = 100;

/** Cannot be encoded in UTF-8. */
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
  // The SVG itself, by the oldest convention for on-chain images.
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

/** An SVG itself becomes a `data:` URL. */
function toSvgUrl(text: string | undefined): string | undefined {
  if (!text?.trimStart().startsWith('<')) return text;
  return `data:image/svg+xml;utf8,${encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd'))}`;
}

/** Prefers the image of about 512 pixels. */
function findImage(
  fields: z.infer<typeof Metadata>,
  toUrl: (text: string | undefined) => AssetUrl | undefined,
): AssetUrl | undefined {
  const asset = /^image\//i.test(fields.asset_mime_type ?? '') ? fields.asset_url : undefined;
  const { image_512, image, image_url, image_data, image_256, image_1024, image_preview } = fields;
  for (const text of [image_512, image, image_url, image_data, image_256, image_1024, image_preview, asset]) {
    const found = toUrl(toSvgUrl(text));
    if (found) return found;
  }
  return undefined;
}

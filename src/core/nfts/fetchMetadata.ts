import { AppError } from '../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { parseLargeJson } from '../http/largeJson.ts';
import type { TokenStandard } from '../tokens/transferEvents.ts';
import { type AssetUrl, parseAssetUrl } from './assetUrl.ts';
import { type AssetRequest, fetchAsset } from './fetchAsset.ts';
import { parseNftMetadata } from './metadata.ts';
import type { NftMetadata } from './nft.ts';

/**
 * Fetches the metadata of one token from its host or through an IPFS gateway: up to 1 MiB of JSON with up to
 * 20,000 values.
 *
 * @throws AppError as {@link fetchAsset} does; `badResponse` for anything that is not metadata, `tooLarge`.
 * @example
 * const { name, image } = await fetchNftMetadata(http, token.tokenUrl, { ...token, local: false, signal });
 */
export async function fetchNftMetadata(
  http: HttpDeps,
  asset: AssetUrl,
  {
    local,
    tokenId,
    standard,
    ipfsGateway,
    signal,
  }: AssetContext & Pick<AssetRequest, 'ipfsGateway' | 'signal'>,
): Promise<NftMetadata> {
  const slices = createTimeSlices(http.clock);
  const context = { local, tokenId, standard };
  if (asset.kind === 'data') return parseDataMetadata(asset.url, context, slices);
  const { body } = await fetchAsset(http, asset, {
    ipfsGateway,
    signal,
    accept: 'application/json',
    maxBytes: MAX_METADATA_BYTES,
  });
  return parseMetadataText([new TextDecoder().decode(body)], context, slices);
}

/** One token has a few dozen values; a file with the metadata of ten thousand tokens exceeds this. */
const LIMITS = { maxDepth: 16, maxValues: 20_000, maxMembers: 2_000 };
const MAX_METADATA_BYTES = 1024 * 1024;

/**
 * The metadata in a `data:` URL: base64 or text, percent-encoded or not.
 *
 * @throws AppError `badResponse` for anything that is not metadata, `tooLarge`.
 * @example
 * await parseDataMetadata('data:application/json,{"name":"One"}', token, slices);
 */
export async function parseDataMetadata(
  url: string,
  context: AssetContext,
  slices: TimeSlices,
): Promise<NftMetadata> {
  const comma = url.indexOf(',');
  const text = url.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  // Contracts often leave the text unencoded, with literal percent signs.
  const readings = isBase64 ? [decodeBase64(text)] : [text, decodePercent(text)];
  return parseMetadataText(readings, context, slices);
}

async function parseMetadataText(
  readings: readonly (string | undefined)[],
  context: AssetContext,
  slices: TimeSlices,
): Promise<NftMetadata> {
  for (const text of readings) {
    const json = text === undefined ? undefined : await parseJson(text, slices);
    const metadata =
      json && (await parseNftMetadata(json.value, { slices, asset: createAssetReader(context) }));
    if (metadata) return metadata;
  }
  throw new AppError('badResponse', 'The content at the token URI is not token metadata in JSON.');
}

async function parseJson(text: string, slices: TimeSlices): Promise<{ readonly value: unknown } | undefined> {
  try {
    return { value: await parseLargeJson(text, { limits: LIMITS, slices }) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function decodeBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(decodePercent(text) ?? text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Fills in `{id}` and decides whether URLs of this machine are accepted. */
export interface AssetContext {
  readonly tokenId: bigint;
  readonly standard: TokenStandard | undefined;
  /** Whether the network runs on this machine. */
  readonly local: boolean;
}

const MAX_TEMPLATE_CHARS = 4_096;

/**
 * A parser for the URLs of a token. For ERC-1155, `{id}` is replaced by the ID as 64 lower-case hex digits.
 *
 * @example
 * const asset = createAssetReader({ tokenId: 10n, standard: 'erc1155', local: false });
 * asset('https://example.com/{id}.json'); // …/000…00a.json
 */
export function createAssetReader({ tokenId, standard, local }: AssetContext) {
  const id = tokenId.toString(16).padStart(64, '0');
  return (text: string): AssetUrl | undefined => {
    const isTemplate = standard === 'erc1155' && text.length <= MAX_TEMPLATE_CHARS;
    return parseAssetUrl(isTemplate ? text.replaceAll('{id}', id) : text, { local });
  };
}

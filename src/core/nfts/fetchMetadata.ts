import { AppError } from '../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { parseLargeJson } from '../http/largeJson.ts';
import type { TokenStandard } from '../tokens/transferEvents.ts';
import { type AssetUrl, parseAssetUrl } from './assetUrl.ts';
import { type AssetRequest, fetchAsset } from './fetchAsset.ts';
import { parseNftMetadata } from './metadata.ts';
import type { NftMetadata } from './nft.ts';

/** The metadata of ten thousand tokens in one file has more; one token has a few dozen values. */
const LIMITS = { maxDepth: 16, maxValues: 20_000, maxMembers: 2_000 };
const MAX_METADATA_BYTES = 1024 * 1024;

/**
 * The metadata of one token, from its host or a gateway to IPFS, up to 1 MiB of JSON of up to 20,000 values.
 *
 * @throws AppError as {@link fetchAsset} does; `badResponse` for what is no metadata, `tooLarge`.
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
  const of = { local, tokenId, standard };
  if (asset.kind === 'data') return parseDataMetadata(asset.url, of, slices);
  const { body } = await fetchAsset(http, asset, {
    ipfsGateway,
    signal,
    accept: 'application/json',
    maxBytes: MAX_METADATA_BYTES,
  });
  return readMetadataText([new TextDecoder().decode(body)], of, slices);
}

/**
 * The metadata in a `data:` URL: base64, or text that is percent-encoded or not.
 *
 * @throws AppError `badResponse` for what is no metadata, `tooLarge`.
 * @example
 * await parseDataMetadata('data:application/json,{"name":"One"}', token, slices);
 */
export async function parseDataMetadata(
  url: string,
  of: AssetContext,
  slices: TimeSlices,
): Promise<NftMetadata> {
  const comma = url.indexOf(',');
  const text = url.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  // Text is often written as it is, with a percent sign that is one.
  const readings = isBase64 ? [fromBase64(text)] : [text, decoded(text)];
  return readMetadataText(readings, of, slices);
}

/** The first of `readings` that is JSON. */
async function readMetadataText(
  readings: readonly (string | undefined)[],
  of: AssetContext,
  slices: TimeSlices,
): Promise<NftMetadata> {
  for (const text of readings) {
    const json = text === undefined ? undefined : await parse(text, slices);
    const metadata = json && (await parseNftMetadata(json.value, { slices, asset: createAssetReader(of) }));
    if (metadata) return metadata;
  }
  throw new AppError('badResponse', 'What the token URI gives is not the JSON of a token.');
}

async function parse(text: string, slices: TimeSlices): Promise<{ readonly value: unknown } | undefined> {
  try {
    return { value: await parseLargeJson(text, { limits: LIMITS, slices }) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fromBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(decoded(text) ?? text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whose assets are read: what is in the place of `{id}`, and whether this machine may be asked. */
export interface AssetContext {
  readonly tokenId: bigint;
  readonly standard: TokenStandard | undefined;
  /** Whether the network is one of this machine. */
  readonly local: boolean;
}

const MAX_TEMPLATE_CHARS = 4_096;

/**
 * How URLs of a token are read: those of ERC-1155 with the id, as 64 lower-case hex digits, in place of each `{id}`.
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

import { AppError } from '../../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../../base/timeSlices.ts';
import type { HttpDeps } from '../../http/http.ts';
import { parseLargeJson } from '../../http/largeJson.ts';
import type { NftMetadata } from '../nftToken.ts';
import type { AssetUrl } from '../pictures/assetUrl.ts';
import { type AssetRequest, fetchAsset } from '../pictures/fetchAsset.ts';
import { readNftMetadata } from './readNftMetadata.ts';
import { createAssetReader, type TokenAssets } from './tokenAssets.ts';

/** The metadata of ten thousand tokens in one file has more; one token has a few dozen values. */
const LIMITS = { maxDepth: 16, maxValues: 20_000, maxMembers: 2_000 };
const MOST_BYTES = 1024 * 1024;

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
  }: TokenAssets & Pick<AssetRequest, 'ipfsGateway' | 'signal'>,
): Promise<NftMetadata> {
  const slices = createTimeSlices(http.clock);
  const of = { local, tokenId, standard };
  if (asset.kind === 'data') return readDataMetadata(asset.url, of, slices);
  const { body } = await fetchAsset(http, asset, {
    ...{ ipfsGateway, signal, accept: 'application/json', maxBytes: MOST_BYTES },
  });
  return readMetadataText([new TextDecoder().decode(body)], of, slices);
}

/**
 * The metadata in a `data:` URL: base64, or text that is percent-encoded or not.
 *
 * @throws AppError `badResponse` for what is no metadata, `tooLarge`.
 * @example
 * await readDataMetadata('data:application/json,{"name":"One"}', token, slices);
 */
export async function readDataMetadata(
  url: string,
  of: TokenAssets,
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
  of: TokenAssets,
  slices: TimeSlices,
): Promise<NftMetadata> {
  for (const text of readings) {
    const json = text === undefined ? undefined : await parse(text, slices);
    const metadata = json && (await readNftMetadata(json.value, { slices, asset: createAssetReader(of) }));
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

import { AppError } from '../errors.ts';
import { exchangeBytes, type HttpDeps, kindOfStatus } from '../http.ts';
import { type AssetUrl, assetAddress, parseAssetUrl } from './assetUrl.ts';

/** A picture as it came: the bytes are of whoever made the token, and fit for an image element only. */
export interface NftPicture {
  /** `image/…`, without parameters. */
  readonly mediaType: string;
  /** A `data:` URL. */
  readonly url: string;
}

export interface NftPictureOptions {
  /** As `requireIpfsGateway` gives it; for an asset on IPFS. */
  readonly ipfsGateway?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,60}$/;

/**
 * The picture at `asset`: out of a `data:` URL without a request, else by https from its own host or a gateway to
 * IPFS, up to 5 MiB. Neither key nor cookie goes along. Up to three redirects are followed, since gateways put each
 * content id under a host name of its own; only to https addresses with a public name.
 *
 * @throws AppError of any network kind; `badResponse` for what is no picture, `redirected` for a redirect that is not
 *   followed, `badInput` for an asset on IPFS without a gateway.
 */
export async function fetchNftPicture(
  http: HttpDeps,
  asset: AssetUrl,
  { ipfsGateway, signal }: NftPictureOptions = {},
): Promise<NftPicture> {
  if (asset.kind === 'data') return { mediaType: requirePicture(asset.mediaType), url: asset.url };
  if (asset.kind === 'ipfs' && ipfsGateway === undefined) {
    throw new AppError('badInput', 'A picture on IPFS needs a gateway.', { field: 'ipfsGateway' });
  }
  let url = assetAddress(asset, ipfsGateway ?? '');
  for (let redirects = 0; ; redirects++) {
    const answer = await exchangeBytes(http, {
      ...{ url, method: 'GET', maxBytes: MOST_BYTES, signal, redirects: 'tell' },
      headers: { accept: 'image/*' },
    });
    const { status, headers, body } = answer;
    if (status >= 300 && status < 400) {
      url = redirectTarget(url, headers.get('location'), redirects);
      continue;
    }
    if (status < 200 || status >= 300) {
      throw new AppError(kindOfStatus(status), `The picture's server answered with HTTP ${status}.`, {
        status,
      });
    }
    const mediaType = requirePicture(headers.get('content-type'));
    return { mediaType, url: `data:${mediaType};base64,${base64(body)}` };
  }
}

function redirectTarget(from: string, location: string | null, redirects: number): string {
  const resolved = location !== null && URL.canParse(location, from) ? new URL(location, from).href : '';
  const target = parseAssetUrl(resolved);
  if (target?.kind === 'https' && redirects < MOST_REDIRECTS) return target.url;
  throw new AppError('redirected', "The picture's server redirects to where it is not followed.");
}

function requirePicture(contentType: string | null): string {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(mediaType)) return mediaType;
  throw new AppError('badResponse', 'What came is not a picture.');
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

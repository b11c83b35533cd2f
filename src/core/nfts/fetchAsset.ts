import { AppError } from '../base/errors.ts';
import { type HttpDeps, sendRequest } from '../http/exchange.ts';
import { getErrorKind, type HttpResponse } from '../http/response.ts';
import { type AssetUrl, parseAssetUrl, toAssetRequestUrl } from './assetUrl.ts';

export interface AssetRequest {
  /** As `requireIpfsGateway` gives it; for an asset on IPFS. */
  readonly ipfsGateway?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Media types, as the header of that name has them. */
  readonly accept: string;
  readonly maxBytes: number;
}

const MAX_REDIRECTS = 3;

/**
 * The file at `asset`, from its own host or a gateway to IPFS. Neither key nor cookie goes along. Up to three redirects
 * are followed, since gateways put each content id under a host name of its own: to https addresses with a public name,
 * and from this machine to this machine. The limit of time is for each exchange.
 *
 * @throws AppError of any network kind; `redirected` for a redirect that is not followed, `badInput` for an asset on
 *   IPFS without a gateway.
 * @example
 * const { headers, body } = await fetchAsset(http, asset, { accept: 'image/*', maxBytes: 1024 });
 */
export async function fetchAsset(
  http: HttpDeps,
  asset: Exclude<AssetUrl, { readonly kind: 'data' }>,
  { ipfsGateway, signal, accept, maxBytes }: AssetRequest,
): Promise<HttpResponse> {
  if (asset.kind === 'ipfs' && ipfsGateway === undefined) {
    throw new AppError('badInput', 'A file on IPFS needs a gateway.', { field: 'ipfsGateway' });
  }
  let url = toAssetRequestUrl(asset, ipfsGateway ?? '');
  for (let redirects = 0; ; redirects++) {
    const answer = await sendRequest(http, {
      url,
      method: 'GET',
      maxBytes,
      signal,
      redirects: 'tell',
      headers: { accept },
    });
    const { status, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status < 300 || status >= 400) {
      throw new AppError(getErrorKind(status), `The server of the file answered with HTTP ${status}.`, {
        status,
      });
    }
    if (redirects >= MAX_REDIRECTS) throw notFollowed();
    url = redirectTarget(url, headers.get('location'), asset.kind === 'local');
  }
}

function redirectTarget(from: string, location: string | null, local: boolean): string {
  const resolved = location !== null && URL.canParse(location, from) ? new URL(location, from).href : '';
  const target = parseAssetUrl(resolved, { local });
  if (target?.kind === 'https' || target?.kind === 'local') return target.url;
  throw notFollowed();
}

function notFollowed(): AppError {
  return new AppError('redirected', 'The server of the file redirects to where it is not followed.');
}

/** A picture as it came, looked at before: the bytes are of whoever made the token, and fit for an image element only. */
export interface NftPicture {
  /** `image/…`, by the bytes, without parameters. */
  readonly mediaType: string;
  /** A `data:` URL. */
  readonly url: string;
}

export type NftPictureOptions = Pick<AssetRequest, 'ipfsGateway' | 'signal'>;

const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** What is shown. Not AVIF, whose bytes tell of its size only when they are drawn. */
const ACCEPTED = 'image/png, image/jpeg, image/gif, image/webp, image/svg+xml, image/bmp';
const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,60}$/;

/**
 * The picture at `asset`: out of a `data:` URL without a request, else by https from its own host or a gateway to
 * IPFS, up to 5 MiB, as {@link fetchAsset} does.
 *
 * @throws AppError of any network kind; {@link PictureError} for a picture that is not to be shown, `badResponse` for
 *   what is none, `redirected` for a redirect that is not
 *   followed, `badInput` for an asset on IPFS without a gateway.
 * @example
 * const { mediaType, url } = await fetchNftPicture(http, token.metadata.image, { ipfsGateway, signal });
 */
export async function fetchNftPicture(
  http: HttpDeps,
  asset: AssetUrl,
  options: NftPictureOptions = {},
): Promise<NftPicture> {
  if (asset.kind === 'data') {
    requirePicture(asset.mediaType);
    const { decodeDataUrl } = await import('./checkPicture.ts');
    return await describe(decodeDataUrl(asset.url));
  }
  const { headers, body } = await fetchAsset(http, asset, {
    ...options,
    accept: ACCEPTED,
    maxBytes: MAX_PICTURE_BYTES,
  });
  requirePicture(headers.get('content-type'));
  return await describe(body);
}

/** By its bytes alone: the server's word for it is no more than a first sieve. */
async function describe(bytes: Uint8Array): Promise<NftPicture> {
  const { checkPicture } = await import('./checkPicture.ts');
  const mediaType = checkPicture(bytes);
  const charset = mediaType === 'image/svg+xml' ? ';charset=utf-8' : '';
  return { mediaType, url: `data:${mediaType}${charset};base64,${base64(bytes)}` };
}

function requirePicture(contentType: string | null): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(mediaType)) return;
  throw new AppError('badResponse', 'The answer is not a picture.');
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

import { AppError, badInput } from '../base/errors.ts';
import { type HttpDeps, sendRequest } from '../http/exchange.ts';
import { getErrorKind, type HttpResponse } from '../http/response.ts';
import { type AssetUrl, parseAssetUrl, toAssetRequestUrl } from './assetUrl.ts';

export interface AssetRequest {
  /** As `requireIpfsGateway` returns it; required for an asset on IPFS. */
  readonly ipfsGateway?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly accept: string;
  readonly maxBytes: number;
}

/**
 * Fetches the file at `asset` from its host or through an IPFS gateway, without key or cookies. Follows up to
 * three redirects, because gateways redirect each content ID to a host name of its own: to public https
 * hosts, and from this machine to itself. The timeout applies to each exchange.
 *
 * @throws AppError of any network kind; `redirected` for a redirect that is not followed, `badInput` for an
 *   asset on IPFS without a gateway.
 * @example
 * const { headers, body } = await fetchAsset(http, asset, { accept: 'image/*', maxBytes: 1024 });
 */
export async function fetchAsset(
  http: HttpDeps,
  asset: Exclude<AssetUrl, { readonly kind: 'data' }>,
  { ipfsGateway, signal, accept, maxBytes }: AssetRequest,
): Promise<HttpResponse> {
  if (asset.kind === 'ipfs' && ipfsGateway === undefined) {
    throw badInput('ipfsGateway', 'A file on IPFS needs a gateway.');
  }
  let url = toAssetRequestUrl(asset, ipfsGateway ?? '');
  for (let redirects = 0; ; redirects++) {
    const response = await sendRequest(http, {
      url,
      method: 'GET',
      maxBytes,
      signal,
      redirects: 'tell',
      headers: { accept },
    });
    const { status, headers } = response;
    if (status >= 200 && status < 300) return response;
    if (status < 300 || status >= 400) {
      throw new AppError(getErrorKind(status), `The server of the file responded with HTTP ${status}.`, {
        status,
      });
    }
    if (redirects >= MAX_REDIRECTS) throw redirectError();
    url = requireRedirectTarget(url, headers.get('location'), asset.kind === 'local');
  }
}

function requireRedirectTarget(from: string, location: string | null, local: boolean): string {
  const resolved = location !== null && URL.canParse(location, from) ? new URL(location, from).href : '';
  const target = parseAssetUrl(resolved, { local });
  if (target?.kind === 'https' || target?.kind === 'local') return target.url;
  throw redirectError();
}

function redirectError(): AppError {
  return new AppError('redirected', 'The server of the file redirects to an address that is not allowed.');
}

const MAX_REDIRECTS = 3;

/** A validated image. Its bytes are untrusted: use them in an image element only. */
export interface NftPicture {
  /** `image/…`, detected from the bytes, without parameters. */
  readonly mediaType: string;
  /** A `data:` URL. */
  readonly url: string;
}

export type NftPictureOptions = Pick<AssetRequest, 'ipfsGateway' | 'signal'>;

/**
 * The image at `asset`: decoded from a `data:` URL, otherwise fetched as {@link fetchAsset} does, up to 5
 * MiB.
 *
 * @throws AppError of any network kind; {@link PictureError} for an image that may not be displayed,
 *   `badResponse` for anything that is not an image, `redirected` for a redirect that is not followed,
 *   `badInput` for an asset on IPFS without a gateway.
 * @example
 * const { mediaType, url } = await fetchNftPicture(http, token.metadata.image, { ipfsGateway, signal });
 */
export async function fetchNftPicture(
  http: HttpDeps,
  asset: AssetUrl,
  options: NftPictureOptions = {},
): Promise<NftPicture> {
  if (asset.kind === 'data') {
    requireImageType(asset.mediaType);
    const { decodeDataUrl } = await import('./checkPicture.ts');
    return await toNftPicture(decodeDataUrl(asset.url));
  }
  const { headers, body } = await fetchAsset(http, asset, {
    ...options,
    accept: ACCEPTED_MEDIA_TYPES,
    maxBytes: MAX_PICTURE_BYTES,
  });
  requireImageType(headers.get('content-type'));
  return await toNftPicture(body);
}

const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** The formats that are displayed. AVIF is missing because its size is only known after decoding. */
const ACCEPTED_MEDIA_TYPES = 'image/png, image/jpeg, image/gif, image/webp, image/svg+xml, image/bmp';
const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,60}$/;

/** Judged by its bytes alone: the server's media type is only a first filter. */
async function toNftPicture(bytes: Uint8Array): Promise<NftPicture> {
  const { checkPicture } = await import('./checkPicture.ts');
  const mediaType = checkPicture(bytes);
  const charset = mediaType === 'image/svg+xml' ? ';charset=utf-8' : '';
  return { mediaType, url: `data:${mediaType}${charset};base64,${encodeBase64(bytes)}` };
}

function requireImageType(contentType: string | null): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(mediaType)) return;
  throw new AppError('badResponse', 'The response is not a picture.');
}

function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

import { AppError } from '../../base/errors.ts';
import { exchange, type HttpDeps } from '../../http/http.ts';
import { kindOfStatus } from '../../http/httpAnswer.ts';
import { type AssetUrl, assetAddress, parseAssetUrl } from './assetUrl.ts';

/** A picture as it came, looked at before: the bytes are of whoever made the token, and fit for an image element only. */
export interface NftPicture {
  /** `image/…`, by the bytes, without parameters. */
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
/** What is shown. Not AVIF, whose bytes tell of its size only when they are drawn. */
const ACCEPTED = 'image/png, image/jpeg, image/gif, image/webp, image/svg+xml, image/bmp';
const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,60}$/;

/**
 * The picture at `asset`: out of a `data:` URL without a request, else by https from its own host or a gateway to
 * IPFS, up to 5 MiB. Neither key nor cookie goes along. Up to three redirects are followed, since gateways put each
 * content id under a host name of its own; only to https addresses with a public name.
 *
 * @throws AppError of any network kind; {@link PictureRefusal} for a picture that is not to be shown, `badResponse` for
 *   what is none, `redirected` for a redirect that is not
 *   followed, `badInput` for an asset on IPFS without a gateway.
 * @example
 * const { mediaType, url } = await fetchNftPicture(http, token.metadata.image, { ipfsGateway, signal });
 */
export async function fetchNftPicture(
  http: HttpDeps,
  asset: AssetUrl,
  { ipfsGateway, signal }: NftPictureOptions = {},
): Promise<NftPicture> {
  if (asset.kind === 'data') {
    requirePicture(asset.mediaType);
    const { decodeDataUrl } = await import('./checkPicture.ts');
    return await describe(decodeDataUrl(asset.url));
  }
  if (asset.kind === 'ipfs' && ipfsGateway === undefined) {
    throw new AppError('badInput', 'A picture on IPFS needs a gateway.', { field: 'ipfsGateway' });
  }
  let url = assetAddress(asset, ipfsGateway ?? '');
  for (let redirects = 0; ; redirects++) {
    const answer = await exchange(http, {
      ...{ url, method: 'GET', maxBytes: MOST_BYTES, signal, redirects: 'tell' },
      headers: { accept: ACCEPTED },
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
    requirePicture(headers.get('content-type'));
    return await describe(body);
  }
}

function redirectTarget(from: string, location: string | null, redirects: number): string {
  const resolved = location !== null && URL.canParse(location, from) ? new URL(location, from).href : '';
  const target = parseAssetUrl(resolved);
  if (target?.kind === 'https' && redirects < MOST_REDIRECTS) return target.url;
  throw new AppError('redirected', "The picture's server redirects to where it is not followed.");
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
  throw new AppError('badResponse', 'What came is not a picture.');
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

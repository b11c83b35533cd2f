import { AppError } from '../../base/errors.ts';
import type { HttpDeps } from '../../http/http.ts';
import type { AssetUrl } from './assetUrl.ts';
import { type AssetRequest, fetchAsset } from './fetchAsset.ts';

/** A picture as it came, looked at before: the bytes are of whoever made the token, and fit for an image element only. */
export interface NftPicture {
  /** `image/…`, by the bytes, without parameters. */
  readonly mediaType: string;
  /** A `data:` URL. */
  readonly url: string;
}

export type NftPictureOptions = Pick<AssetRequest, 'ipfsGateway' | 'signal'>;

const MOST_BYTES = 5 * 1024 * 1024;
/** What is shown. Not AVIF, whose bytes tell of its size only when they are drawn. */
const ACCEPTED = 'image/png, image/jpeg, image/gif, image/webp, image/svg+xml, image/bmp';
const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,60}$/;

/**
 * The picture at `asset`: out of a `data:` URL without a request, else by https from its own host or a gateway to
 * IPFS, up to 5 MiB, as {@link fetchAsset} does.
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
    maxBytes: MOST_BYTES,
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

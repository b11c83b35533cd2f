import { AppError, badInput } from '../base/errors.ts';
import { isLoopbackUrl, isPublicHost, trimTrailingSlashes } from '../base/urls.ts';
import { isHttpUrl } from '../networks/network.ts';

/**
 * Where a picture or another file of an NFT is, as far as it may be asked for. Nothing else is taken: no http, no
 * other port than 443, no name that is one of this machine or its network, no other scheme. `local` alone is a server
 * of this machine, on a network that is one as well.
 */
export type AssetUrl =
  | { readonly kind: 'https' | 'local'; readonly url: string }
  /** `path`: content id and what follows it, percent-encoded, without a slash in front. */
  | { readonly kind: 'ipfs'; readonly path: string }
  /** The file itself, in a `data:` URL. */
  | { readonly kind: 'data'; readonly url: string; readonly mediaType: string };

const MAX_URL_CHARS = 2_048;
const MAX_DATA_URL_CHARS = 256 * 1024;
/** Metadata has the picture in it, in base64 within base64. */
const MAX_DATA_JSON_CHARS = 1024 * 1024;
const DATA_URL = /^data:((?:image|video|audio)\/[a-z0-9.+-]{1,60}|application\/json|text\/plain)[;,]/i;
const CONTENT_ID =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|[bB][A-Za-z2-7]{7,127}|[fF][0-9a-fA-F]{8,128}|z[1-9A-HJ-NP-Za-km-z]{8,128})$/;

/**
 * A URL out of the metadata of a token: `https:`, `ipfs://` (also written `ipfs://ipfs/…`), or `data:` of a picture,
 * sound or film up to 256 KiB, of JSON or plain text up to 1 MiB. Nothing is fetched.
 *
 * @param options.local whether the network is one of this machine: then http and https of this machine is taken as well.
 * @returns undefined for anything else.
 * @example
 * parseAssetUrl('ipfs://bafybeia/1.png'); // { kind: 'ipfs', path: 'bafybeia/1.png' }
 * parseAssetUrl('http://example.com/1.png'); // undefined
 */
export function parseAssetUrl(
  text: unknown,
  { local = false }: { readonly local?: boolean } = {},
): AssetUrl | undefined {
  if (typeof text !== 'string') return undefined;
  const written = text.trim();
  const mediaType = DATA_URL.exec(written.slice(0, 100))?.[1]?.toLowerCase();
  if (mediaType) {
    const longest = /^(?:application|text)/.test(mediaType) ? MAX_DATA_JSON_CHARS : MAX_DATA_URL_CHARS;
    return written.length <= longest ? { kind: 'data', url: written, mediaType } : undefined;
  }
  if (written.length > MAX_URL_CHARS) return undefined;
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i.exec(written)?.[1];
  if (ipfs) return readIpfsPath(ipfs);
  const url = parsePublicHttps(written);
  if (url) return { kind: 'https', url: url.href };
  return local && isHttpUrl(written) && isLoopbackUrl(written)
    ? { kind: 'local', url: new URL(written).href }
    : undefined;
}

/**
 * What to load an asset from: a `data:` URL as it is, IPFS through `ipfsGateway`.
 *
 * @param ipfsGateway as {@link requireIpfsGateway} gives it.
 * @example
 * toAssetRequestUrl({ kind: 'ipfs', path: 'bafybeia/1.png' }, 'https://ipfs.io'); // 'https://ipfs.io/ipfs/bafybeia/1.png'
 */
export function toAssetRequestUrl(asset: AssetUrl, ipfsGateway: string): string {
  return asset.kind === 'ipfs' ? `${ipfsGateway}/ipfs/${asset.path}` : asset.url;
}

/**
 * A gateway to IPFS: the https address that `/ipfs/…` goes behind, without a slash at its end. Its host is held to the
 * same rule as that of a picture.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * requireIpfsGateway(' https://ipfs.io/ '); // 'https://ipfs.io'
 */
export function requireIpfsGateway(text: string, field = 'ipfsGateway'): string {
  const url = parsePublicHttps(text.trim());
  if (!url || url.search || url.hash)
    throw badInput(field, 'Not a gateway: expected an https address.', { code: 'notGateway' });
  return `${url.origin}${trimTrailingSlashes(url.pathname)}`;
}

function readIpfsPath(text: string): AssetUrl | undefined {
  const [contentId = '', ...segments] = text.split(/[?#]/, 1)[0]?.split('/') ?? [];
  if (!CONTENT_ID.test(contentId)) return undefined;
  const encoded = segments.map(encodeSegment);
  if (encoded.includes(undefined)) return undefined;
  return { kind: 'ipfs', path: [contentId, ...encoded].join('/') };
}

/** One segment of a path, encoded once; undefined for what leads out of it or is no text. */
function encodeSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded === '.' || decoded === '..' ? undefined : encodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}

/** An https URL on port 443 of a host with a public name, without a user or password in it. */
function parsePublicHttps(text: string): URL | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, username, password, port, hostname } = url;
  const isPlain = protocol === 'https:' && username === '' && password === '' && port === '';
  return isPlain && isPublicHost(hostname) ? url : undefined;
}

/**
 * A picture that came and is not shown.
 *
 * - `kind`: of none of the kinds that are shown.
 * - `size`: it takes too much memory or time to draw.
 * - `drawing`: an SVG with something in it that is refused; `what` names that, or what there is too much of.
 */
export class PictureError extends AppError {
  readonly reason: 'drawing' | 'kind' | 'size';
  readonly what: string | undefined;

  constructor(reason: PictureError['reason'], message: string, what?: string) {
    super('badResponse', message);
    this.reason = reason;
    this.what = what;
  }
}

import { AppError } from '../base/errors.ts';
import { isLoopbackUrl } from '../base/urls.ts';
import { isHttpUrl } from '../networks/network.ts';
import { MAX_URL_CHARS, parsePublicHttps } from './ipfsGateway.ts';

/**
 * The location of an NFT's image or other file, restricted to what may be requested: https on port 443 of a
 * public host name, IPFS, or a `data:` URL. `local` is a server on this machine and only accepted if the
 * network runs there too.
 */
export type AssetUrl =
  | { readonly kind: 'https' | 'local'; readonly url: string }
  /** `path`: content ID and the rest of the path, percent-encoded, without a leading slash. */
  | { readonly kind: 'ipfs'; readonly path: string }
  /** The file itself, in a `data:` URL. */
  | { readonly kind: 'data'; readonly url: string; readonly mediaType: string };

/**
 * Parses a URL from the metadata of a token: `https:`; IPFS as `ipfs://…`, `ipfs://ipfs/…`, `/ipfs/…` or a bare content
 * ID; `ar://…`, which is loaded from arweave.net; or `data:` with an image, audio or video up to 256 KiB, or with JSON or
 * plain text up to 1 MiB. Makes no request.
 *
 * @param options.local whether the network runs on this machine: http and https URLs of this machine are then
 *   accepted too.
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
  const trimmed = text.trim();
  const mediaType = DATA_URL.exec(trimmed.slice(0, 100))?.[1]?.toLowerCase();
  if (mediaType) {
    const maxChars = /^(?:application|text)/.test(mediaType) ? MAX_DATA_JSON_CHARS : MAX_DATA_URL_CHARS;
    return trimmed.length <= maxChars ? { kind: 'data', url: trimmed, mediaType } : undefined;
  }
  if (trimmed.length > MAX_URL_CHARS) return undefined;
  const ipfs = IPFS_URL.exec(trimmed)?.[1] ?? (BARE_CONTENT_ID.test(trimmed) ? trimmed : undefined);
  if (ipfs) return parseIpfsPath(ipfs);
  const arweave = /^ar:\/\/(.+)$/i.exec(trimmed)?.[1];
  if (arweave) return parseArweavePath(arweave);
  const url = parsePublicHttps(trimmed);
  if (url) return { kind: 'https', url: url.href };
  return local && isHttpUrl(trimmed) && isLoopbackUrl(trimmed)
    ? { kind: 'local', url: new URL(trimmed).href }
    : undefined;
}

/**
 * The URL to request: IPFS through `ipfsGateway`, a `data:` URL unchanged.
 *
 * @param ipfsGateway as {@link requireIpfsGateway} returns it.
 * @example
 * toAssetRequestUrl({ kind: 'ipfs', path: 'bafybeia/1.png' }, 'https://ipfs.io'); // 'https://ipfs.io/ipfs/bafybeia/1.png'
 */
export function toAssetRequestUrl(asset: AssetUrl, ipfsGateway: string): string {
  return asset.kind === 'ipfs' ? `${ipfsGateway}/ipfs/${asset.path}` : asset.url;
}

/**
 * An image that was fetched and is not displayed.
 *
 * - `kind`: the format is not supported.
 * - `size`: drawing it takes too much memory or time.
 * - `drawing`: an SVG with rejected content; `what` names that content, or what there is too much of.
 */
export class PictureError extends AppError {
  readonly reason: 'drawing' | 'kind' | 'size';
  readonly detail: string | undefined;

  constructor(reason: PictureError['reason'], message: string, detail?: string) {
    super('badResponse', message);
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * Whether a URI is refused only because it is `http:`.
 *
 * @example isPlainHttp('http://api.example.com/1') // true
 */
export function isPlainHttp(text: string): boolean {
  return /^\s*http:\/\//i.test(text);
}

function parseIpfsPath(text: string): AssetUrl | undefined {
  const path = encodePath(text, CONTENT_ID);
  return path === undefined ? undefined : { kind: 'ipfs', path };
}

/** The gateway that the Arweave project runs. */
function parseArweavePath(text: string): AssetUrl | undefined {
  const path = encodePath(text, ARWEAVE_ID);
  return path === undefined ? undefined : { kind: 'https', url: `https://arweave.net/${path}` };
}

/** An ID and a path, without query and fragment. */
function encodePath(text: string, idPattern: RegExp): string | undefined {
  const [id = '', ...segments] = text.split(/[?#]/, 1)[0]?.split('/') ?? [];
  if (!idPattern.test(id)) return undefined;
  const encoded = segments.map(encodeSegment);
  return encoded.includes(undefined) ? undefined : [id, ...encoded].join('/');
}

/** One path segment, encoded once; undefined for `.` and `..` and for malformed encoding. */
function encodeSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded === '.' || decoded === '..' ? undefined : encodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}

const MAX_DATA_URL_CHARS = 256 * 1024;
/** On-chain metadata contains its image as base64 within base64. */
const MAX_DATA_JSON_CHARS = 1024 * 1024;
const DATA_URL = /^data:((?:image|video|audio)\/[a-z0-9.+-]{1,60}|application\/json|text\/plain)[;,]/i;
const CONTENT_ID =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|[bB][A-Za-z2-7]{7,127}|[fF][0-9a-fA-F]{8,128}|z[1-9A-HJ-NP-Za-km-z]{8,128})$/;
/** `ipfs://…`, `ipfs://ipfs/…`, `ipfs:/ipfs/…`, `/ipfs/…`, `ipfs/…`. */
const IPFS_URL = /^(?:ipfs:\/{0,3}(?:ipfs\/)?|\/?ipfs\/)(.+)$/i;
/** Other encodings could be a relative path. */
const BARE_CONTENT_ID = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56})(?:\/|$)/;
/** 32 bytes in base64url. */
const ARWEAVE_ID = /^[\w-]{43}$/;

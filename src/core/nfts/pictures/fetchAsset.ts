import { AppError } from '../../base/errors.ts';
import { exchange, type HttpDeps } from '../../http/http.ts';
import { type HttpAnswer, kindOfStatus } from '../../http/httpAnswer.ts';
import { type AssetUrl, assetAddress, parseAssetUrl } from './assetUrl.ts';

export interface AssetRequest {
  /** As `requireIpfsGateway` gives it; for an asset on IPFS. */
  readonly ipfsGateway?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Media types, as the header of that name has them. */
  readonly accept: string;
  readonly maxBytes: number;
}

const MOST_REDIRECTS = 3;

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
): Promise<HttpAnswer> {
  if (asset.kind === 'ipfs' && ipfsGateway === undefined) {
    throw new AppError('badInput', 'A file on IPFS needs a gateway.', { field: 'ipfsGateway' });
  }
  let url = assetAddress(asset, ipfsGateway ?? '');
  for (let redirects = 0; ; redirects++) {
    const answer = await exchange(http, {
      ...{ url, method: 'GET', maxBytes, signal, redirects: 'tell' },
      headers: { accept },
    });
    const { status, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status < 300 || status >= 400) {
      throw new AppError(kindOfStatus(status), `The server of the file answered with HTTP ${status}.`, {
        status,
      });
    }
    if (redirects >= MOST_REDIRECTS) throw notFollowed();
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

import { badInput } from '../base/errors.ts';
import { isPublicHost, trimTrailingSlashes } from '../base/urls.ts';

/**
 * Validates an IPFS gateway: the https URL before `/ipfs/…`, without a trailing slash. Its host must have a
 * public name, like that of any asset.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * requireIpfsGateway(' https://ipfs.io/ '); // 'https://ipfs.io'
 */
export function requireIpfsGateway(text: string, field = 'ipfsGateway'): string {
  const url = parsePublicHttps(text.trim());
  if (!url || url.search || url.hash)
    throw badInput(field, 'Not a gateway. Enter an https URL with a public host.');
  return `${url.origin}${trimTrailingSlashes(url.pathname)}`;
}

/** An https URL on port 443 of a public host name, without credentials. */
export function parsePublicHttps(text: string): URL | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, username, password, port, hostname } = url;
  const isPlain = protocol === 'https:' && username === '' && password === '' && port === '';
  return isPlain && isPublicHost(hostname) ? url : undefined;
}

export const MAX_URL_CHARS = 2_048;

import { AppError, safeUrl } from '../base/errors.ts';
import { formatNetworkError, type NetworkError } from '../base/networkErrors.ts';
import type { FetchLike } from './exchange.ts';

interface PageOptions {
  readonly fetch: FetchLike;
  /** False for a server on this machine that the user has not chosen: a browser asks its user about the first request. */
  readonly mayRequest: (url: string) => boolean;
}

/**
 * The `fetch` of a web page or worker, with errors that say as much as a page can know: a browser hides why a request
 * failed. What the policy of VS Code's page forbids is not sent.
 *
 * @example createHttp({ fetch: createPageFetch({ fetch, mayRequest: () => true }) });
 */
export function createPageFetch({ fetch, mayRequest }: PageOptions): FetchLike {
  return async (url, init) => {
    if (!isAllowedByPage(url)) throw createPageError('pagePolicy', url);
    if (!mayRequest(url)) throw createPageError('localNotChosen', url);
    try {
      return await fetch(url, { ...init, headers: dropOptionalHeaders(init.headers) });
    } catch (cause) {
      // An aborted request throws a DOMException.
      throw cause instanceof TypeError ? createPageError('crossOrigin', url, cause) : cause;
    }
  };
}

/**
 * Whether the content security policy of VS Code's web worker host allows a URL: any `https:`, but `http:` only to
 * these two names of this machine (`webWorkerExtensionHostIframe.html` of VS Code 1.103 and 1.139).
 *
 * @example isAllowedByPage('http://[::1]:8545') // false
 */
export function isAllowedByPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname));
}

function createPageError(
  at: Extract<NetworkError['at'], 'crossOrigin' | 'localNotChosen' | 'pagePolicy'>,
  url: string,
  cause?: TypeError,
): AppError {
  const networkError = { at };
  const reason = formatNetworkError(networkError);
  const message = `${safeUrl(url)} could not be reached (${reason}).`;
  return new AppError('network', message, { networkError, ...(cause && { cause }) });
}

/**
 * A server must list every header that a page may send. Blockscout does not list this one, which adds tokens marked as
 * scams to a result (`block_scout_web/endpoint.ex`), and would refuse the whole request.
 */
const OPTIONAL_HEADER = 'show-scam-tokens';

function dropOptionalHeaders({
  [OPTIONAL_HEADER]: _,
  ...headers
}: Record<string, string>): Record<string, string> {
  return headers;
}

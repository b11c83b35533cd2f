/**
 * Why there was no response, as far as a person can act on it. `code` is the short code of the system or of the HTTP
 * engine, such as ECONNREFUSED: capitals, digits and underscores.
 *
 * - `proxySignIn`: the proxy requires a sign-in (HTTP 407).
 * - `proxyRefused`: the proxy responded with `status` instead of opening a tunnel.
 * - `proxyUnreachable`: the proxy itself cannot be reached, or its address is not usable.
 * - `certificate`: a TLS certificate was refused.
 * - `crossOrigin`: in a browser, which does not say why: no response, or the server does not allow web pages (CORS).
 * - `pagePolicy`: the policy of the editor's page forbids the URL; nothing was sent.
 * - `localNotChosen`: in a browser, the user has not chosen a server on this machine yet; nothing was sent.
 * - `connection`: anything else.
 */
export type NetworkError =
  | { readonly at: 'proxySignIn' | 'crossOrigin' | 'pagePolicy' | 'localNotChosen' }
  | { readonly at: 'proxyRefused'; readonly status: number }
  | { readonly at: 'proxyUnreachable' | 'certificate' | 'connection'; readonly code: string };

/**
 * Reads the chain of causes of a failed `fetch` of `url`. undici, in Node and in the editor, reports a refused tunnel
 * only by its message, `Proxy response (407) !== 200 when HTTP Tunneling`. A connection to a host or port other than
 * that of `url` was to a proxy.
 */
export function findNetworkError(cause: unknown, url: string): NetworkError {
  let code = 'no connection';
  let atProxy = false;
  for (const error of listCauses(cause)) {
    const status = parseProxyStatus(error.message);
    if (status === 407) return { at: 'proxySignIn' };
    if (status !== undefined) return { at: 'proxyRefused', status };
    code = getErrorCode(error) ?? code;
    atProxy ||= isProxyError(error, url);
  }
  if (atProxy) return { at: 'proxyUnreachable', code };
  return { at: isCertificateError(code) ? 'certificate' : 'connection', code };
}

/** In English, for logs and the command line. */
export function formatNetworkError(error: NetworkError): string {
  switch (error.at) {
    case 'proxySignIn':
      return 'the proxy requires a sign-in: HTTP 407';
    case 'proxyRefused':
      return `the proxy refused the connection: HTTP ${error.status}`;
    case 'proxyUnreachable':
      return `the proxy cannot be reached: ${error.code}`;
    case 'certificate':
      return `the certificate was rejected: ${error.code}`;
    case 'crossOrigin':
      return 'no response, or it does not allow web pages (CORS)';
    case 'pagePolicy':
      return 'a web page may request http only from localhost and 127.0.0.1';
    case 'localNotChosen':
      return 'a server on this machine is requested only after a click';
    case 'connection':
      return error.code;
  }
}

interface SystemError extends Error {
  readonly code?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly errors?: unknown;
}

function parseProxyStatus(message: string): number | undefined {
  const tunnel = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
  if (tunnel !== undefined) return Number(tunnel);
  return message === 'Proxy Authentication Required (407)' ? 407 : undefined;
}

/** Whether a connection to a host or port other than that of `url` failed, or the code is specific to proxies. */
function isProxyError(error: SystemError, url: string): boolean {
  const code = getErrorCode(error) ?? '';
  // `url` itself was parsed before, so an invalid URL can only be the proxy's.
  if (code === 'ERR_INVALID_URL' || /^UND_ERR_(PRX|SOCKS5)/.test(code)) return true;
  if (error.message.startsWith('Invalid URL protocol')) return true;
  if (!URL.canParse(url)) return false;
  const target = new URL(url);
  if (typeof error.port === 'number') return error.port !== getPort(target);
  if (typeof error.hostname === 'string') return error.hostname.toLowerCase() !== target.hostname;
  return false;
}

function getPort({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** An error and its chain of causes. Of an error that groups several attempts, the first. */
export function listCauses(cause: unknown): readonly SystemError[] {
  const chain: SystemError[] = [];
  let error = cause;
  while (error instanceof Error && chain.length < MAX_CAUSES) {
    const current: SystemError = error;
    chain.push(current);
    error = current.cause ?? (Array.isArray(current.errors) ? current.errors[0] : undefined);
  }
  return chain;
}

/** No HTTP engine makes a longer chain of causes. */
const MAX_CAUSES = 8;

/** The short code of the system or of the HTTP engine. It contains nothing from the request. */
export function getErrorCode({ code }: SystemError): string | undefined {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}

/** Codes of OpenSSL and Node. */
function isCertificateError(code: string): boolean {
  return /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH|^INVALID_CA$/.test(code);
}

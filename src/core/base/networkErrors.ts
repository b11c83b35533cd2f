/**
 * Why no answer came over the network, as far as a person can act on it. `code` is the system's or the HTTP engine's
 * short code, such as ECONNREFUSED; it is made of capitals, digits and underscores.
 *
 * - `proxySignIn`: the proxy asks for a sign-in (HTTP 407).
 * - `proxyRefused`: the proxy answered `status` instead of opening a tunnel.
 * - `proxyUnreachable`: the proxy itself cannot be reached, or its address is not usable.
 * - `certificate`: a TLS certificate on the way was refused.
 * - `connection`: anything else.
 */
export type NetworkError =
  | { readonly at: 'proxySignIn' }
  | { readonly at: 'proxyRefused'; readonly status: number }
  | { readonly at: 'proxyUnreachable' | 'certificate' | 'connection'; readonly code: string };

/** Deep enough for every chain of causes that an HTTP engine makes. */
const MAX_CAUSES = 8;

/**
 * Reads the chain of causes of a failed `fetch` of `url`. undici, in Node and in the editor, tells a refused tunnel
 * only by its message, `Proxy response (407) !== 200 when HTTP Tunneling`; an attempt at another host or port than
 * that of `url` was at a proxy.
 */
export function findNetworkError(cause: unknown, url: string): NetworkError {
  let code = 'no connection';
  let atProxy = false;
  for (const error of listCauses(cause)) {
    const status = proxyStatus(error.message);
    if (status === 407) return { at: 'proxySignIn' };
    if (status !== undefined) return { at: 'proxyRefused', status };
    code = getErrorCode(error) ?? code;
    atProxy ||= isOfProxy(error, url);
  }
  if (atProxy) return { at: 'proxyUnreachable', code };
  return { at: isOfCertificate(code) ? 'certificate' : 'connection', code };
}

/** The failure in English, for logs and for the headless runner. */
export function formatNetworkError(failure: NetworkError): string {
  switch (failure.at) {
    case 'proxySignIn':
      return 'the proxy asks for a sign-in: HTTP 407';
    case 'proxyRefused':
      return `the proxy refused the connection: HTTP ${failure.status}`;
    case 'proxyUnreachable':
      return `the proxy cannot be reached: ${failure.code}`;
    case 'certificate':
      return `a certificate is refused: ${failure.code}`;
    case 'connection':
      return failure.code;
  }
}

interface SystemError extends Error {
  readonly code?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly errors?: unknown;
}

/** An error with its cause, and so on down the chain; of several attempts at one name, the first. */
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

/** The system's or the HTTP engine's short code in an error: it says nothing of what was asked. */
export function getErrorCode({ code }: SystemError): string | undefined {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}

function proxyStatus(message: string): number | undefined {
  const tunnel = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
  if (tunnel !== undefined) return Number(tunnel);
  return message === 'Proxy Authentication Required (407)' ? 407 : undefined;
}

/** Whether an attempt failed at another place than `url` names, or at a proxy by its own code. */
function isOfProxy(error: SystemError, url: string): boolean {
  const code = getErrorCode(error) ?? '';
  // `url` itself was read before: an address that is none can only be the proxy's.
  if (code === 'ERR_INVALID_URL' || /^UND_ERR_(PRX|SOCKS5)/.test(code)) return true;
  if (error.message.startsWith('Invalid URL protocol')) return true;
  if (!URL.canParse(url)) return false;
  const target = new URL(url);
  if (typeof error.port === 'number') return error.port !== portOf(target);
  if (typeof error.hostname === 'string') return error.hostname.toLowerCase() !== target.hostname;
  return false;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** OpenSSL's and Node's codes for a certificate that is not accepted. */
function isOfCertificate(code: string): boolean {
  return /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH|^INVALID_CA$/.test(code);
}

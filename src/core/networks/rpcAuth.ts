/**
 * Where the secret of an endpoint goes, if not into its URL: as a bearer token, or by itself in a header of that name.
 */
export type RpcAuth = 'bearer' | `header:${string}`;

/** What of a network says where its secret goes. */
export interface SecretEndpoint {
  readonly rpcUrl: string;
  readonly rpcAuth?: RpcAuth | undefined;
}

/** Stands in a URL where the secret of its origin goes. */
export const SECRET_MARK = `\${key}`;

/** The mark as it is written, and as a URL writes it in its path or its query. */
const MARK = /(?:\$|%24)(?:\{|%7b)key(?:\}|%7d)/gi;
/** A header's name, as HTTP has them; the longest in use have half as many characters. */
const HEADER = /^header:([a-z0-9!#$%&'*+.^_`|~-]{1,64})$/i;
/** Headers that say how a request is sent: a secret in place of one would break it. */
const OF_THE_REQUEST =
  /^(?:accept|accept-.*|connection|content-.*|cookie2?|date|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;

/**
 * Reads where a secret goes; undefined for what says no place that can be used.
 *
 * @example readRpcAuth('header:X-API-Key') // 'header:x-api-key'
 * @example readRpcAuth('header:host') // undefined
 */
export function readRpcAuth(text: string): RpcAuth | undefined {
  const written = text.trim().toLowerCase();
  if (written === 'bearer') return written;
  const name = HEADER.exec(written)?.[1];
  return name === undefined || OF_THE_REQUEST.test(name) ? undefined : `header:${name}`;
}

/**
 * Where in a URL the mark of its secret stands: `elsewhere` is not in its path or query, where alone it is put in
 * place.
 *
 * @example secretMarkIn('https://node.example/v3/${key}') // 'pathOrQuery'
 * @example secretMarkIn('https://${key}.node.example') // 'elsewhere'
 */
export function secretMarkIn(url: string): 'pathOrQuery' | 'elsewhere' | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search, hash } = new URL(url);
  const hasMark = (text: string) => text.search(MARK) >= 0;
  if (hasMark(origin) || hasMark(hash)) return 'elsewhere';
  return hasMark(pathname) || hasMark(search) ? 'pathOrQuery' : undefined;
}

/**
 * Whether an endpoint is asked with a secret, so that nothing is sent to it without one.
 *
 * @example takesSecret({ rpcUrl: 'https://node.example', rpcAuth: 'bearer' }) // true
 */
export function takesSecret({ rpcUrl, rpcAuth }: SecretEndpoint): boolean {
  return rpcAuth !== undefined || secretMarkIn(rpcUrl) !== undefined;
}

/** `url` with the secret in place of each mark in its path and query, escaped, so that it stays in its place. */
export function withSecretInUrl(url: string, secret: string): string {
  const written = new URL(url);
  const put = (part: string) => part.replace(MARK, () => encodeURIComponent(secret));
  written.pathname = put(written.pathname);
  written.search = put(written.search);
  return written.href;
}

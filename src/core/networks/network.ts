/** A chain and where to ask about it. Chain ids exceed 2^32 but fit a safe integer. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /**
   * JSON-RPC endpoint: an explorer's `…/api/eth-rpc` or a node; or the dataset of an SQD Portal, `…/datasets/NAME`.
   * `${key}` stands in it where its secret goes.
   */
  readonly rpcUrl: string;
  /** Where the secret of the endpoint goes, if not into `rpcUrl`; the secret itself is no part of a network. */
  readonly rpcAuth?: RpcAuth | undefined;
  /** Origin and path before `/v1/…` of the data API; undefined where none serves the chain. */
  readonly dataApiUrl?: string | undefined;
  /** Explorer website, for links. */
  readonly explorerUrl?: string | undefined;
  readonly symbol: string;
  readonly decimals: number;
}

export const builtInNetworks: readonly Network[] = [
  {
    id: 'mainnet',
    name: 'Palm',
    chainId: 11297108109,
    rpcUrl: 'https://explorer.palm.io/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm.io',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'testnet',
    name: 'Palm Testnet',
    chainId: 11297108099,
    rpcUrl: 'https://explorer.palm-uat.xyz/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm-uat.xyz',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'local',
    name: 'Local Node',
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    symbol: 'ETH',
    decimals: 18,
  },
];

/**
 * Whether `text` is an http or https URL that carries no user name or password.
 *
 * @example isHttpUrl('https://user:password@rpc.example') // false
 */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  );
}

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
export const SECRET_PLACEHOLDER = `\${key}`;

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
 * @example parseRpcAuth('header:X-API-Key') // 'header:x-api-key'
 * @example parseRpcAuth('header:host') // undefined
 */
export function parseRpcAuth(text: string): RpcAuth | undefined {
  const written = text.trim().toLowerCase();
  if (written === 'bearer') return written;
  const name = HEADER.exec(written)?.[1];
  return name === undefined || OF_THE_REQUEST.test(name) ? undefined : `header:${name}`;
}

/**
 * Where in a URL the mark of its secret stands: `elsewhere` is not in its path or query, where alone it is put in
 * place.
 *
 * @example findSecretPlaceholder('https://node.example/v3/${key}') // 'pathOrQuery'
 * @example findSecretPlaceholder('https://${key}.node.example') // 'elsewhere'
 */
export function findSecretPlaceholder(url: string): 'pathOrQuery' | 'elsewhere' | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search, hash } = new URL(url);
  const hasMark = (text: string) => text.search(MARK) >= 0;
  if (hasMark(origin) || hasMark(hash)) return 'elsewhere';
  return hasMark(pathname) || hasMark(search) ? 'pathOrQuery' : undefined;
}

/**
 * Whether an endpoint is asked with a secret, so that nothing is sent to it without one.
 *
 * @example requiresSecret({ rpcUrl: 'https://node.example', rpcAuth: 'bearer' }) // true
 */
export function requiresSecret({ rpcUrl, rpcAuth }: SecretEndpoint): boolean {
  return rpcAuth !== undefined || findSecretPlaceholder(rpcUrl) !== undefined;
}

/** `url` with the secret in place of each mark in its path and query, escaped, so that it stays in its place. */
export function insertSecret(url: string, secret: string): string {
  const written = new URL(url);
  const put = (part: string) => part.replace(MARK, () => encodeURIComponent(secret));
  written.pathname = put(written.pathname);
  written.search = put(written.search);
  return written.href;
}

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;
/** Behind a gateway for many chains, the JSON-RPC of one of them. */
const GATEWAY_PATH = /\/(\d{1,16})\/json-rpc\/?$/;

/**
 * The chain whose JSON-RPC `rpcUrl` is behind a gateway for many chains, such as Blockscout's; undefined for all else.
 * Its explorer interface is beside that: REST under `/{chain id}/api/v2`, the older one under `/{chain id}/api`.
 * https://docs.blockscout.com/devs/apis/pro-api
 *
 * @example getGatewayChain('https://api.blockscout.com/10/json-rpc') // 10
 */
export function getGatewayChain(rpcUrl: string): number | undefined {
  const chainId = Number(GATEWAY_PATH.exec(new URL(rpcUrl).pathname)?.[1]);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/**
 * Where a Blockscout explorer, or a gateway to many, answers `path`, e.g. `/api`; undefined where `rpcUrl` is not the
 * JSON-RPC of one. What the query of `rpcUrl` holds, such as a key, stays; members of `query` that are undefined are
 * left out.
 *
 * @example
 * explorerApiUrl('https://explorer.example/api/eth-rpc', '/api', { module: 'block' })?.href
 * // 'https://explorer.example/api?module=block'
 */
export function explorerApiUrl(
  rpcUrl: string,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): URL | undefined {
  const url = new URL(rpcUrl);
  const chainId = getGatewayChain(rpcUrl);
  if (chainId !== undefined) url.pathname = url.pathname.replace(GATEWAY_PATH, `/$1${path}`);
  else if (EXPLORER_PATH.test(url.pathname)) url.pathname = url.pathname.replace(EXPLORER_PATH, path);
  else return undefined;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

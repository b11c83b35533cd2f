import { isLoopbackUrl } from '../base/urls.ts';

/** A chain and its endpoint. Chain IDs exceed 2^32 but fit a safe integer. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /**
   * JSON-RPC endpoint: an explorer's `…/api/eth-rpc` or a node; or the dataset of an SQD Portal, `…/datasets/NAME`. It
   * may contain the placeholder `${key}` for its secret, and `${env:NAME}` for variables of the environment.
   */
  readonly rpcUrl: string;
  /** Where the secret goes, if not into `rpcUrl`. The secret itself is not part of a network. */
  readonly rpcAuth?: RpcAuth | undefined;
  /** Origin and path before `/v1/…` of the data API; undefined if it does not serve the chain. */
  readonly dataApiUrl?: string | undefined;
  /** Explorer website, for links. */
  readonly explorerUrl?: string | undefined;
  readonly symbol: string;
  readonly decimals: number;
}

/**
 * Whether a chain ID is one that development nodes share by default, so that it does not identify a chain: that of
 * Hardhat and anvil, and that of Ganache and geth `--dev`.
 *
 * @example isDevelopmentChain(31337) // true
 */
export function isDevelopmentChain(chainId: number): boolean {
  return chainId === 31337 || chainId === 1337;
}

/**
 * Identifies the chain of a network: by its chain ID, and for a development node or a fork by its endpoint too.
 *
 * @example getChainKey({ chainId: 1, rpcUrl: 'https://node.example' }) // '1'
 * @example getChainKey({ chainId: 1, rpcUrl: 'http://127.0.0.1:8545' }) // '1 127.0.0.1:8545/'
 */
export function getChainKey({ chainId, rpcUrl }: Pick<Network, 'chainId' | 'rpcUrl'>): string {
  const isLocal = isLoopbackUrl(rpcUrl);
  if ((!isLocal && !isDevelopmentChain(chainId)) || !URL.canParse(rpcUrl)) return `${chainId}`;
  const { hostname, port, pathname } = new URL(rpcUrl);
  // A node has several names on its own machine.
  return `${chainId} ${isLocal ? '127.0.0.1' : hostname}:${port}${pathname}`;
}

/** Where the secret of an endpoint goes, if not into its URL: into a bearer token, or alone into the named header. */
export type RpcAuth = 'bearer' | `header:${string}`;

export const builtInNetworks: readonly [Network, ...Network[]] = [
  {
    id: 'mainnet',
    name: 'Palm Mainnet',
    chainId: 11297108109,
    rpcUrl: 'https://explorer.palm.io/api/eth-rpc',
    explorerUrl: 'https://explorer.palm.io',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'testnet',
    name: 'Palm Testnet',
    chainId: 11297108099,
    rpcUrl: 'https://explorer.palm-uat.xyz/api/eth-rpc',
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
 * Whether `text` is an http or https URL without user name and password.
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

export interface SecretEndpoint {
  readonly rpcUrl: string;
  readonly rpcAuth?: RpcAuth | undefined;
}

/**
 * Parses where a secret goes; undefined if it cannot go there.
 *
 * @example parseRpcAuth('header:X-API-Key') // 'header:x-api-key'
 * @example parseRpcAuth('header:host') // undefined
 */
export function parseRpcAuth(text: string): RpcAuth | undefined {
  const auth = text.trim().toLowerCase();
  if (auth === 'bearer') return auth;
  const name = AUTH_HEADER.exec(auth)?.[1];
  return name === undefined || name.length > MAX_HEADER_CHARS || RESERVED_HEADER.test(name)
    ? undefined
    : `header:${name}`;
}

/** Any header name of HTTP. */
const AUTH_HEADER = /^header:([a-z0-9!#$%&'*+.^_`|~-]+)$/i;
/** Twice the length of the longest in use. */
const MAX_HEADER_CHARS = 64;
/** Headers that control the request: a secret in one of them would break it. */
const RESERVED_HEADER =
  /^(?:(?:accept|content|proxy|sec)-|(?:accept|connection|cookie2?|date|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|user-agent|via)$)/i;

export const SECRET_PLACEHOLDER = `\${key}`;

/**
 * The placeholder of a variable of the environment, in the syntax of VS Code.
 *
 * @example toVariablePlaceholder('NODE_KEY') // '${env:NODE_KEY}'
 */
export function toVariablePlaceholder(name: string): string {
  return `\${env:${name}}`;
}

/**
 * The variables of the environment that a URL names in its path and query, each once.
 *
 * @example listUrlVariables('https://node.example/v3/${env:NODE_KEY}') // ['NODE_KEY']
 */
export function listUrlVariables(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search } = new URL(url);
  const names = [...`${pathname}${search}`.matchAll(PLACEHOLDER_PATTERN)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)];
}

/**
 * Where the first placeholder of a secret is in a URL. Placeholders are only replaced in path and query.
 *
 * @example findSecretPlaceholder('https://node.example/v3/${key}') // 'pathOrQuery'
 * @example findSecretPlaceholder('https://${key}.node.example') // 'elsewhere'
 */
export function findSecretPlaceholder(url: string): 'pathOrQuery' | 'elsewhere' | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search, hash } = new URL(url);
  const hasPlaceholder = (text: string) => text.search(PLACEHOLDER_PATTERN) >= 0;
  if (hasPlaceholder(origin) || hasPlaceholder(hash)) return 'elsewhere';
  return hasPlaceholder(pathname) || hasPlaceholder(search) ? 'pathOrQuery' : undefined;
}

/**
 * Whether an endpoint requires a secret that the user enters, so that nothing is sent to it without one.
 *
 * @example requiresSecret({ rpcUrl: 'https://node.example', rpcAuth: 'bearer' }) // true
 */
export function requiresSecret({ rpcUrl, rpcAuth }: SecretEndpoint): boolean {
  return rpcAuth !== undefined || KEY_PATTERN.test(rpcUrl);
}

/**
 * `url` with each placeholder in path and query replaced. The secret is escaped so that it stays one segment or value;
 * the value of a variable is part of the URL as it is.
 *
 * @param variable the value of a variable of the environment.
 */
export function insertSecret(
  url: string,
  secret: string,
  variable: (name: string) => string = toVariablePlaceholder,
): string {
  const { origin, pathname, search } = new URL(url);
  const replace = (part: string) =>
    part.replace(PLACEHOLDER_PATTERN, (_, name?: string) =>
      name === undefined ? encodeURIComponent(secret) : variable(name),
    );
  // The path begins with a slash, so that no value can change the origin.
  return new URL(`${origin}${replace(pathname)}${replace(search)}`).href;
}

/**
 * The text to insert for a variable: its value. If the value is the whole URL, it is the part from the placeholder on.
 *
 * @param rpcUrl with the placeholder.
 * @example getInsertedText('https://node.example/${env:URL}', 'URL', 'https://node.example/v2/abc') // 'v2/abc'
 */
export function getInsertedText(rpcUrl: string, name: string, value: string): string {
  const text = value.trim();
  const before = rpcUrl.slice(0, rpcUrl.indexOf(toVariablePlaceholder(name)));
  const whole = URL.canParse(text) ? new URL(text).href : '';
  return whole.startsWith(before) ? whole.slice(before.length) : text;
}

/** Placeholders as people write them, and as `URL` escapes them in a path or query. */
const PLACEHOLDER_PATTERN = /(?:\$|%24)(?:\{|%7b)(?:key|env(?::|%3a)([a-z_][a-z0-9_]{0,127}))(?:\}|%7d)/gi;
const KEY_PATTERN = /(?:\$|%24)(?:\{|%7b)key(?:\}|%7d)/i;

/**
 * The chain of an `rpcUrl` at a gateway for many chains, such as that of Blockscout; undefined for any other URL. The
 * REST API of its explorer is under `/{chain id}/api/v2`, the older API under `/{chain id}/api`.
 * https://docs.blockscout.com/devs/apis/pro-api
 *
 * @example getGatewayChain('https://api.blockscout.com/10/json-rpc') // 10
 */
export function getGatewayChain(rpcUrl: string): number | undefined {
  const chainId = Number(GATEWAY_PATH.exec(new URL(rpcUrl).pathname)?.[1]);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/** JSON-RPC of one chain behind a gateway for many. */
const GATEWAY_PATH = /\/(\d{1,16})\/json-rpc\/?$/;

/**
 * The URL of `path`, e.g. `/api`, at a Blockscout explorer or gateway; undefined if `rpcUrl` is not the JSON-RPC of
 * one. The query of `rpcUrl`, which may contain a key, stays. Undefined members of `query` are omitted.
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

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;
/** Behind a gateway for many chains, the JSON-RPC of one of them. */
const GATEWAY_PATH = /\/(\d{1,16})\/json-rpc\/?$/;

/**
 * The chain whose JSON-RPC `rpcUrl` is behind a gateway for many chains, such as Blockscout's; undefined for all else.
 * Its explorer interface is beside that: REST under `/{chain id}/api/v2`, the older one under `/{chain id}/api`.
 * https://docs.blockscout.com/devs/apis/pro-api
 *
 * @example gatewayChain('https://api.blockscout.com/10/json-rpc') // 10
 */
export function gatewayChain(rpcUrl: string): number | undefined {
  const chainId = Number(GATEWAY_PATH.exec(new URL(rpcUrl).pathname)?.[1]);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/**
 * Where a Blockscout explorer, or a gateway to many, answers `path`, e.g. `/api`; undefined where `rpcUrl` is not the
 * JSON-RPC of one. What the query of `rpcUrl` holds, such as a key, stays; members of `query` that are undefined are
 * left out.
 *
 * @example
 * explorerApi('https://explorer.example/api/eth-rpc', '/api', { module: 'block' })?.href
 * // 'https://explorer.example/api?module=block'
 */
export function explorerApi(
  rpcUrl: string,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): URL | undefined {
  const url = new URL(rpcUrl);
  const chainId = gatewayChain(rpcUrl);
  if (chainId !== undefined) url.pathname = url.pathname.replace(GATEWAY_PATH, `/$1${path}`);
  else if (EXPLORER_PATH.test(url.pathname)) url.pathname = url.pathname.replace(EXPLORER_PATH, path);
  else return undefined;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;

/** Where a Blockscout explorer answers `path`, e.g. `/api`; undefined where `rpcUrl` is not the JSON-RPC of one. */
export function explorerApi(rpcUrl: string, path: string): URL | undefined {
  const url = new URL(rpcUrl);
  if (!EXPLORER_PATH.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(EXPLORER_PATH, path);
  return url;
}

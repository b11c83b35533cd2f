import {
  findWellKnownChain,
  getEtherscanEndpoint,
  getPublicPortal,
  listPublicEndpoints,
  type Network,
  publicExplorers,
} from '../../../core/index.ts';
import { isWebHost } from '../../../host/webHost.ts';

export interface OtherEndpoint {
  readonly network: Network;
  /** `public`: a well-known endpoint that is not in the user's settings; `keyed`: one that takes the user's key. */
  readonly from: 'keyed' | 'public' | 'settings';
}

/**
 * Other endpoints of the same chain: those of the settings, then well-known public explorers, nodes, and the
 * portal; Etherscan last, if the user has a key for it.
 */
export function listOtherEndpoints(
  here: Network,
  networks: readonly Network[],
  { hasEtherscanKey }: { readonly hasEtherscanKey: boolean },
): readonly OtherEndpoint[] {
  const portal = getPublicPortal(here.chainId);
  const publicNetworks = [...publicExplorers, ...publicNodes(here), ...(portal ? [portal] : [])];
  const seen = new Set([here.rpcUrl]);
  const collect = (from: OtherEndpoint['from'], list: readonly Network[]) =>
    list.flatMap((network) => {
      if (network.chainId !== here.chainId || seen.has(network.rpcUrl)) return [];
      seen.add(network.rpcUrl);
      return [{ network, from }];
    });
  const keyed = hasEtherscanKey ? [createEtherscanNetwork(here)] : [];
  return [...collect('settings', networks), ...collect('public', publicNetworks), ...collect('keyed', keyed)];
}

function createEtherscanNetwork({ chainId, ...network }: Network): Network {
  const { name, symbol } = findWellKnownChain(chainId) ?? network;
  const rpcUrl = getEtherscanEndpoint(chainId);
  return { id: 'etherscan', name: `${name} (Etherscan)`, chainId, rpcUrl, symbol, decimals: 18 };
}

/** Of the same chain, without a key. */
function publicNodes({ chainId, ...network }: Network): readonly Network[] {
  const { name, symbol } = findWellKnownChain(chainId) ?? network;
  const nodes = listPublicEndpoints(chainId, { pagesFirst: isWebHost }).filter(({ kind }) => kind === 'node');
  return nodes.map(({ url }) => {
    const { host } = new URL(url);
    return { id: `public-${host}`, name: `${name} (${host})`, chainId, rpcUrl: url, symbol, decimals: 18 };
  });
}

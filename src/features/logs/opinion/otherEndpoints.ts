import {
  findWellKnownChain,
  getPublicPortal,
  listPublicEndpoints,
  type Network,
  publicExplorers,
} from '../../../core/index.ts';
import { isWebHost } from '../../../host/webHost.ts';

interface OtherEndpoint {
  readonly network: Network;
  /** `public`: a well-known endpoint that is not in the user's settings. */
  readonly from: 'public' | 'settings';
}

/**
 * Other endpoints of the same chain: those of the settings, then well-known public explorers, nodes, and the
 * portal.
 */
export function listOtherEndpoints(here: Network, networks: readonly Network[]): readonly OtherEndpoint[] {
  const portal = getPublicPortal(here.chainId);
  const publicNetworks = [...publicExplorers, ...publicNodes(here), ...(portal ? [portal] : [])];
  const seen = new Set([here.rpcUrl]);
  const collect = (from: OtherEndpoint['from'], list: readonly Network[]) =>
    list.flatMap((network) => {
      if (network.chainId !== here.chainId || seen.has(network.rpcUrl)) return [];
      seen.add(network.rpcUrl);
      return [{ network, from }];
    });
  return [...collect('settings', networks), ...collect('public', publicNetworks)];
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

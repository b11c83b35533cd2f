import {
  extractKey,
  getChainKey,
  isDevelopmentChain,
  isHttpUrl,
  isLoopbackUrl,
  type Network,
  trimTrailingSlashes,
} from '../../core/index.ts';
import { isEndpointId } from '../settings/settingTable.ts';

export type ExplorerPage = 'transaction' | 'address' | 'block';

const explorerPaths: Readonly<Record<ExplorerPage, string>> = {
  transaction: 'tx',
  address: 'address',
  block: 'block',
};

/** A page of the explorer website, by the paths that Blockscout and Etherscan share; undefined where there is none. */
export function getExplorerLink(
  explorerUrl: string | undefined,
  page: ExplorerPage,
  subject: string | bigint,
): string | undefined {
  if (!explorerUrl || !isHttpUrl(explorerUrl)) return undefined;
  // As the web writes it: what a person or a tool put in between, such as a line end, is gone or encoded.
  return `${trimTrailingSlashes(new URL(explorerUrl).href)}/${explorerPaths[page]}/${subject}`;
}

/** Whether what is sent to `url` cannot be read on the way: it is encrypted, or does not leave this machine. */
export function isSecureUrl(url: string): boolean {
  return new URL(url).protocol === 'https:' || isLoopbackUrl(url);
}

/** Whether two networks have the same chain and endpoint, so that results of one apply to the other. */
export function isSameChain(a: Network, b: Network): boolean {
  return a.chainId === b.chainId && a.rpcUrl === b.rpcUrl;
}

/** Whether what is on one network is on the other too. */
export function isOnBothNetworks(a: Network, b: Network): boolean {
  return getChainKey(a) === getChainKey(b);
}

/**
 * Orders the networks of a chain by how surely they are of the chain that the project means: the endpoints of the
 * project itself, then for a development chain those of this machine, for any other chain those that are not.
 */
export function orderChainNetworks(networks: readonly Network[]): readonly Network[] {
  const rank = ({ id, chainId, rpcUrl }: Network) => {
    if (isEndpointId(id)) return 0;
    return isLoopbackUrl(rpcUrl) === isDevelopmentChain(chainId) ? 1 : 2;
  };
  return networks.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether the URL of a network in the settings seems to hold a key, which can be kept elsewhere. */
export function hasKeyInUrl({ id, rpcUrl }: Network): boolean {
  return !isEndpointId(id) && extractKey(rpcUrl) !== undefined;
}

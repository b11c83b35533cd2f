import { extractKey, isHttpUrl, isLoopbackUrl, type Network, trimTrailingSlashes } from '../../core/index.ts';
import { FOUNDRY_PREFIX } from '../settings/settingTable.ts';

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

/**
 * Whether what is on one network is on the other too: they have the same chain id, and not one of them alone is of this
 * machine, as a fork is.
 */
export function isOnBothNetworks(a: Network, b: Network): boolean {
  return a.chainId === b.chainId && isLoopbackUrl(a.rpcUrl) === isLoopbackUrl(b.rpcUrl);
}

/** Whether the URL of a network in the settings seems to hold a key, which can be kept elsewhere. */
export function hasKeyInUrl({ id, rpcUrl }: Network): boolean {
  return !id.startsWith(FOUNDRY_PREFIX) && extractKey(rpcUrl) !== undefined;
}

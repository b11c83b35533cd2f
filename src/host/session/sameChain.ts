import { isLoopbackUrl, type Network } from '../../core/index.ts';

/** Whether two networks are one chain asked through one endpoint, so that what one said holds for the other. */
export function isSameChain(a: Network, b: Network): boolean {
  return a.chainId === b.chainId && a.rpcUrl === b.rpcUrl;
}

/**
 * Whether what is on one network is on the other too: they have the same chain id, and not one of them alone is of this
 * machine, as a fork is.
 */
export function isOnBoth(a: Network, b: Network): boolean {
  return a.chainId === b.chainId && isLoopbackUrl(a.rpcUrl) === isLoopbackUrl(b.rpcUrl);
}

import type { Network } from '../../core/index.ts';

/** Whether two networks are one chain asked through one endpoint, so that what one said holds for the other. */
export function isSameChain(a: Network, b: Network): boolean {
  return a.chainId === b.chainId && a.rpcUrl === b.rpcUrl;
}

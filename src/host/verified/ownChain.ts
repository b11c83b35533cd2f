import { isLoopbackUrl, type Network } from '../../core/index.ts';

/** Chain ids that development nodes have by default. */
const developmentChains: readonly number[] = [1337, 31337];

/** Whether a service elsewhere cannot know of a network: it is a development chain of this machine. */
export function isUnknownTo(
  serviceUrl: string,
  { chainId, rpcUrl }: Pick<Network, 'chainId' | 'rpcUrl'>,
): boolean {
  return developmentChains.includes(chainId) && isLoopbackUrl(rpcUrl) && !isLoopbackUrl(serviceUrl);
}

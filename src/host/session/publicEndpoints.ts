import { listPublicEndpoints, type PublicEndpoint } from '../../core/index.ts';
import { isWebHost } from '../webHost.ts';

/**
 * The public endpoints of a chain in the order to try. In a browser, of explorers and nodes those come first that are
 * known to allow web pages.
 */
export function listEndpointsToTry(chainId: number): readonly PublicEndpoint[] {
  const endpoints = listPublicEndpoints(chainId);
  return isWebHost ? endpoints.toSorted((a, b) => getPageRank(a) - getPageRank(b)) : endpoints;
}

/** A portal has logs only, so it stays last. */
function getPageRank({ kind, allowsPages }: PublicEndpoint): number {
  if (kind === 'portal') return 2;
  return allowsPages ? 0 : 1;
}

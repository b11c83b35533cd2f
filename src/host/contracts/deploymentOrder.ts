import { compareValues, type IndexedDeployment } from '../../core/index.ts';

/** Orders deployments: those of the active chain first, then by chain; the newest of a chain first. */
export function byPlace(activeChainId: number): (a: IndexedDeployment, b: IndexedDeployment) => number {
  const active = String(activeChainId);
  return (a, b) => {
    if (a.chainId !== b.chainId) {
      if (a.chainId === active || b.chainId === active) return a.chainId === active ? -1 : 1;
      return compareValues(BigInt(a.chainId), BigInt(b.chainId));
    }
    return -compareValues(a.block ?? -1n, b.block ?? -1n) || compareValues(a.address, b.address);
  };
}

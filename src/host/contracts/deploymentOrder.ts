import type { IndexedDeployment } from '../../core/index.ts';

/** Orders deployments: those of the active chain first, then by chain; the newest of a chain first. */
export function byPlace(activeChainId: number): (a: IndexedDeployment, b: IndexedDeployment) => number {
  const active = String(activeChainId);
  return (a, b) => {
    if (a.chainId !== b.chainId) {
      if (a.chainId === active || b.chainId === active) return a.chainId === active ? -1 : 1;
      return compare(BigInt(a.chainId), BigInt(b.chainId));
    }
    return -compare(a.block ?? -1n, b.block ?? -1n) || compare(a.address, b.address);
  };
}

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

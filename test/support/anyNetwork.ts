import type { Network } from '../../src/core/index.ts';

/** A network of a chain, whose endpoint nobody is to ask. */
export function anyNetwork(chainId: number): Network {
  const rpcUrl = 'http://127.0.0.1:1/api/eth-rpc';
  return { id: 'test', name: 'Test', chainId, rpcUrl, symbol: 'ETH', decimals: 18 };
}

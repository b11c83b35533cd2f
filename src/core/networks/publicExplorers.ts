import type { Network } from './network.ts';

type Explorer = readonly [id: string, name: string, chainId: number, host: string, symbol: string];

function blockscout([id, name, chainId, host, symbol]: Explorer): Network {
  const explorerUrl = `https://${host}`;
  return { id, name, chainId, rpcUrl: `${explorerUrl}/api/eth-rpc`, explorerUrl, symbol, decimals: 18 };
}

/** Networks covered by the data API under their chain id, of those in {@link publicExplorers}. */
const dataApiChainIds = new Set([1, 10, 100, 137, 8453, 10200, 42161, 42220, 84532, 324, 534352, 11155111]);

const explorers: readonly Explorer[] = [
  ['ethereum', 'Ethereum', 1, 'eth.blockscout.com', 'ETH'],
  ['sepolia', 'Ethereum Sepolia', 11155111, 'eth-sepolia.blockscout.com', 'ETH'],
  ['optimism', 'OP Mainnet', 10, 'explorer.optimism.io', 'ETH'],
  ['gnosis', 'Gnosis', 100, 'gnosis.blockscout.com', 'xDAI'],
  ['chiado', 'Gnosis Chiado', 10200, 'gnosis-chiado.blockscout.com', 'xDAI'],
  ['polygon', 'Polygon PoS', 137, 'polygon.blockscout.com', 'POL'],
  ['base', 'Base', 8453, 'base.blockscout.com', 'ETH'],
  ['base-sepolia', 'Base Sepolia', 84532, 'base-sepolia.blockscout.com', 'ETH'],
  ['arbitrum', 'Arbitrum One', 42161, 'arbitrum.blockscout.com', 'ETH'],
  ['etc', 'Ethereum Classic', 61, 'etc.blockscout.com', 'ETC'],
  ['rootstock', 'Rootstock', 30, 'rootstock.blockscout.com', 'RBTC'],
  ['fuse', 'Fuse', 122, 'explorer.fuse.io', 'FUSE'],
  ['celo', 'Celo', 42220, 'celo.blockscout.com', 'CELO'],
  ['scroll', 'Scroll', 534352, 'scroll.blockscout.com', 'ETH'],
  ['zksync', 'ZKsync Era', 324, 'zksync.blockscout.com', 'ETH'],
];

/**
 * Well-known public Blockscout instances, as https://github.com/blockscout/chainscout lists them: suggestions for a
 * person who adds a network. Those at blockscout.com may want a key; what else answers for their chains is in
 * `publicEndpoints.ts`.
 */
export const publicExplorers: readonly Network[] = explorers
  .map(blockscout)
  .map((network) =>
    dataApiChainIds.has(network.chainId) ? { ...network, dataApiUrl: 'https://api.covalenthq.com' } : network,
  );

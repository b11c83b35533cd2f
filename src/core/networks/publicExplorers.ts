import type { Network } from './network.ts';

function blockscout(id: string, name: string, chainId: number, host: string, symbol: string): Network {
  const explorerUrl = `https://${host}`;
  return { id, name, chainId, rpcUrl: `${explorerUrl}/api/eth-rpc`, explorerUrl, symbol, decimals: 18 };
}

/** Networks covered by the data API under their chain id, of those in {@link publicExplorers}. */
const dataApiChainIds = new Set([1, 10, 100, 137, 8453, 10200, 42161, 42220, 84532, 324, 534352, 11155111]);

/** Well-known public Blockscout instances: suggestions for a person who adds a network. */
export const publicExplorers: readonly Network[] = [
  blockscout('ethereum', 'Ethereum', 1, 'eth.blockscout.com', 'ETH'),
  blockscout('sepolia', 'Ethereum Sepolia', 11155111, 'eth-sepolia.blockscout.com', 'ETH'),
  blockscout('optimism', 'OP Mainnet', 10, 'explorer.optimism.io', 'ETH'),
  blockscout('gnosis', 'Gnosis', 100, 'gnosis.blockscout.com', 'xDAI'),
  blockscout('chiado', 'Gnosis Chiado', 10200, 'gnosis-chiado.blockscout.com', 'xDAI'),
  blockscout('polygon', 'Polygon PoS', 137, 'polygon.blockscout.com', 'POL'),
  blockscout('base', 'Base', 8453, 'base.blockscout.com', 'ETH'),
  blockscout('base-sepolia', 'Base Sepolia', 84532, 'base-sepolia.blockscout.com', 'ETH'),
  blockscout('arbitrum', 'Arbitrum One', 42161, 'arbitrum.blockscout.com', 'ETH'),
  blockscout('etc', 'Ethereum Classic', 61, 'etc.blockscout.com', 'ETC'),
  blockscout('rootstock', 'Rootstock', 30, 'rootstock.blockscout.com', 'RBTC'),
  blockscout('fuse', 'Fuse', 122, 'explorer.fuse.io', 'FUSE'),
  blockscout('celo', 'Celo', 42220, 'celo.blockscout.com', 'CELO'),
  blockscout('scroll', 'Scroll', 534352, 'scroll.blockscout.com', 'ETH'),
  blockscout('zksync', 'ZKsync Era', 324, 'zksync.blockscout.com', 'ETH'),
].map((network) =>
  dataApiChainIds.has(network.chainId) ? { ...network, dataApiUrl: 'https://api.covalenthq.com' } : network,
);

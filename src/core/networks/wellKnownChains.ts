import { builtInNetworks, type Network } from './network.ts';
import { publicExplorers } from './publicExplorers.ts';

/** What is known of a chain by its id alone. */
export interface WellKnownChain extends Pick<Network, 'name' | 'symbol' | 'explorerUrl' | 'dataApiUrl'> {}

type Chain = readonly [chainId: number, name: string, symbol: string, explorerHost?: string];

/** As https://github.com/ethereum-lists/chains has them, without those of {@link publicExplorers}. */
const others: readonly Chain[] = [
  [25, 'Cronos', 'CRO', 'cronoscan.com'],
  [56, 'BNB Smart Chain', 'BNB', 'bscscan.com'],
  [97, 'BNB Smart Chain Testnet', 'tBNB', 'testnet.bscscan.com'],
  [130, 'Unichain', 'ETH', 'uniscan.xyz'],
  [146, 'Sonic', 'S', 'sonicscan.org'],
  [250, 'Fantom', 'FTM', 'explorer.fantom.network'],
  [252, 'Fraxtal', 'FRAX', 'fraxscan.com'],
  [300, 'ZKsync Sepolia', 'ETH', 'sepolia.explorer.zksync.io'],
  [480, 'World Chain', 'ETH', 'worldscan.org'],
  [1101, 'Polygon zkEVM', 'ETH', 'zkevm.polygonscan.com'],
  [1284, 'Moonbeam', 'GLMR', 'moonscan.io'],
  [1285, 'Moonriver', 'MOVR', 'moonriver.moonscan.io'],
  [1329, 'Sei', 'SEI', 'seiscan.io'],
  [1337, 'Local Chain', 'ETH'],
  [5000, 'Mantle', 'MNT', 'mantlescan.xyz'],
  [17000, 'Holesky', 'ETH', 'holesky.etherscan.io'],
  [34443, 'Mode', 'ETH', 'explorer.mode.network'],
  [42170, 'Arbitrum Nova', 'ETH', 'nova.arbiscan.io'],
  [43113, 'Avalanche Fuji', 'AVAX', 'testnet.snowtrace.io'],
  [43114, 'Avalanche C-Chain', 'AVAX', 'snowtrace.io'],
  [59141, 'Linea Sepolia', 'ETH', 'sepolia.lineascan.build'],
  [59144, 'Linea', 'ETH', 'lineascan.build'],
  [80002, 'Polygon Amoy', 'POL', 'amoy.polygonscan.com'],
  [81457, 'Blast', 'ETH', 'blastscan.io'],
  [421614, 'Arbitrum Sepolia', 'ETH', 'sepolia.arbiscan.io'],
  [534351, 'Scroll Sepolia', 'ETH', 'sepolia.scrollscan.com'],
  [560048, 'Hoodi', 'ETH', 'hoodi.etherscan.io'],
  [7777777, 'Zora', 'ETH', 'explorer.zora.energy'],
  [11155420, 'OP Sepolia', 'ETH', 'sepolia-optimism.etherscan.io'],
];

/**
 * Name, symbol and explorer of a chain that is well known; undefined for another.
 *
 * @example wellKnownChain(43114)?.symbol // 'AVAX'
 */
export function wellKnownChain(chainId: number): WellKnownChain | undefined {
  const network = [...publicExplorers, ...builtInNetworks].find((known) => known.chainId === chainId);
  const other = others.find(([id]) => id === chainId);
  if (other) {
    const [, name, symbol, host] = other;
    return { name, symbol, ...(host !== undefined && { explorerUrl: `https://${host}` }) };
  }
  if (!network) return undefined;
  const { name, symbol, explorerUrl, dataApiUrl } = network;
  return { name, symbol, explorerUrl, dataApiUrl };
}

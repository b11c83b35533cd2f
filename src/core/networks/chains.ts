import { builtInNetworks, type Network } from './network.ts';

/**
 * Name, symbol and explorer of a well-known chain; undefined for any other.
 *
 * @example findWellKnownChain(43114)?.symbol // 'AVAX'
 */
export function findWellKnownChain(chainId: number): WellKnownChain | undefined {
  const network = [...publicExplorers, ...builtInNetworks].find((candidate) => candidate.chainId === chainId);
  const other = otherChains.find(([id]) => id === chainId);
  if (other) {
    const [, name, symbol, host] = other;
    return { name, symbol, ...(host !== undefined && { explorerUrl: `https://${host}` }) };
  }
  if (!network) return undefined;
  const { name, symbol, explorerUrl, dataApiUrl } = network;
  return { name, symbol, explorerUrl, dataApiUrl };
}

export interface WellKnownChain extends Pick<Network, 'name' | 'symbol' | 'explorerUrl' | 'dataApiUrl'> {}

type Chain = readonly [chainId: number, name: string, symbol: string, explorerHost?: string];

/** From https://github.com/ethereum-lists/chains, without those of {@link publicExplorers}. */
const otherChains: readonly Chain[] = [
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

type Explorer = readonly [id: string, name: string, chainId: number, host: string, symbol: string];

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

/** Chains of {@link publicExplorers} that the data API serves, by its chain ID. */
const dataApiChainIds = new Set([1, 10, 100, 137, 8453, 10200, 42161, 42220, 84532, 324, 534352, 11155111]);

/**
 * Public Blockscout instances, from https://github.com/blockscout/chainscout: suggestions for a person who adds a
 * network. Those at blockscout.com may require a key; for other endpoints of their chains see `publicEndpoints.ts`.
 */
export const publicExplorers: readonly Network[] = explorers
  .map(toBlockscoutNetwork)
  .map((network) =>
    dataApiChainIds.has(network.chainId) ? { ...network, dataApiUrl: 'https://api.covalenthq.com' } : network,
  );

function toBlockscoutNetwork([id, name, chainId, host, symbol]: Explorer): Network {
  const explorerUrl = `https://${host}`;
  return { id, name, chainId, rpcUrl: `${explorerUrl}/api/eth-rpc`, explorerUrl, symbol, decimals: 18 };
}

/**
 * The decimal chain ID of a well-known network. Case, dashes and underscores do not matter.
 *
 * @example findChainIdByName('base-sepolia') // '84532'
 */
export function findChainIdByName(name: string): string | undefined {
  if (name.length > MAX_NETWORK_NAME_CHARS) return undefined;
  return CHAIN_IDS_BY_NAME.get(name.toLowerCase().replaceAll(/[-_ ]/g, ''));
}

/** The longest name, with separators. */
const MAX_NETWORK_NAME_CHARS = 32;

/** Names as they appear in address books of projects, see https://github.com/ethereum-lists/chains. */
const CHAIN_IDS_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['mainnet', '1'],
  ['ethereum', '1'],
  ['sepolia', '11155111'],
  ['holesky', '17000'],
  ['hoodi', '560048'],
  ['ropsten', '3'],
  ['rinkeby', '4'],
  ['goerli', '5'],
  ['kovan', '42'],
  ['optimism', '10'],
  ['optimismgoerli', '420'],
  ['optimismsepolia', '11155420'],
  ['base', '8453'],
  ['basegoerli', '84531'],
  ['basesepolia', '84532'],
  ['arbitrum', '42161'],
  ['arbitrumone', '42161'],
  ['arbitrumgoerli', '421613'],
  ['arbitrumsepolia', '421614'],
  ['arbitrumnova', '42170'],
  ['polygon', '137'],
  ['polygonmumbai', '80001'],
  ['mumbai', '80001'],
  ['polygonamoy', '80002'],
  ['polygonzkevm', '1101'],
  ['amoy', '80002'],
  ['gnosis', '100'],
  ['xdai', '100'],
  ['bsc', '56'],
  ['bnb', '56'],
  ['bsctestnet', '97'],
  ['avalanche', '43114'],
  ['avalanchefuji', '43113'],
  ['fuji', '43113'],
  ['celo', '42220'],
  ['celoalfajores', '44787'],
  ['linea', '59144'],
  ['lineasepolia', '59141'],
  ['scroll', '534352'],
  ['scrollsepolia', '534351'],
  ['zksync', '324'],
  ['zksyncsepolia', '300'],
  ['blast', '81457'],
  ['mantle', '5000'],
  ['moonbeam', '1284'],
  ['fantom', '250'],
  ['sonic', '146'],
  ['ronin', '2020'],
  ['soneium', '1868'],
  ['ink', '57073'],
  ['monad', '143'],
  ['berachain', '80094'],
  ['unichain', '130'],
  ['unichainsepolia', '1301'],
  ['worldchain', '480'],
  ['zora', '7777777'],
  ['hardhat', '31337'],
  ['localhost', '31337'],
  ['anvil', '31337'],
  ['foundry', '31337'],
]);

/** Chain ids of networks by the names that address books of projects use, https://github.com/ethereum-lists/chains */
const CHAIN_IDS: ReadonlyMap<string, string> = new Map([
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

/** The longest name, with its dashes. */
const LONGEST_NETWORK = 32;

/**
 * The chain id of a well-known network, decimal; case, dashes and underscores do not count.
 *
 * @example chainIdOfNetwork('base-sepolia') // '84532'
 */
export function chainIdOfNetwork(name: string): string | undefined {
  if (name.length > LONGEST_NETWORK) return undefined;
  return CHAIN_IDS.get(name.toLowerCase().replaceAll(/[-_ ]/g, ''));
}

/**
 * The table with the logs of a chain at Dune, if it is known to have the chain.
 *
 * @example getDuneTable(56) // 'bnb.logs'
 */
export function getDuneTable(chainId: number): string | undefined {
  return Object.hasOwn(duneSchemas, chainId) ? `${duneSchemas[chainId]}.logs` : undefined;
}

/** Schemas by chain: `evms.info` of github.com/duneanalytics/spellbook, and docs.dune.com. */
const duneSchemas: Readonly<Record<number, string>> = {
  1: 'ethereum',
  10: 'optimism',
  14: 'flare',
  56: 'bnb',
  88: 'viction',
  100: 'gnosis',
  130: 'unichain',
  137: 'polygon',
  146: 'sonic',
  204: 'opbnb',
  250: 'fantom',
  288: 'boba',
  324: 'zksync',
  480: 'worldchain',
  1101: 'zkevm',
  1329: 'sei',
  2020: 'ronin',
  2741: 'abstract',
  5000: 'mantle',
  8217: 'kaia',
  8453: 'base',
  33139: 'apechain',
  34443: 'mode',
  42161: 'arbitrum',
  42170: 'nova',
  42220: 'celo',
  43114: 'avalanche_c',
  57073: 'ink',
  59144: 'linea',
  80094: 'berachain',
  81457: 'blast',
  167000: 'taiko',
  534352: 'scroll',
  7777777: 'zora',
  11155111: 'sepolia',
};

/**
 * The URL of HyperSync for a chain, if it is known to have the chain.
 *
 * @example getHyperSyncUrl(8453) // 'https://8453.hypersync.xyz/query'
 */
export function getHyperSyncUrl(chainId: number): string | undefined {
  return hyperSyncChains.has(chainId) ? `https://${chainId}.hypersync.xyz/query` : undefined;
}

/** See https://docs.envio.dev/docs/HyperSync/hypersync-supported-networks. */
const hyperSyncChains: ReadonlySet<number> = new Set([
  ...[1, 10, 14, 30, 42, 56, 97, 100, 137, 148, 169, 204, 250, 255, 288, 324, 1088, 1101, 1135, 1284, 1287],
  ...[2741, 2818, 4200, 5000, 7000, 7560, 8453, 8888, 10200, 17000, 34443, 36888, 42161, 42170, 42220],
  ...[43113, 43114, 48900, 50104, 59144, 80002, 81457, 84532, 421614, 534352, 7777777, 11155111, 11155420],
  ...[168587773, 245022934, 1313161554, 1666600000],
]);

/**
 * The public table of BigQuery with the logs of a chain, if there is one.
 *
 * @example getBigQueryTable(31337) // undefined
 */
export function getBigQueryTable(chainId: number): string | undefined {
  return Object.hasOwn(bigQueryTables, chainId) ? bigQueryTables[chainId] : undefined;
}

/** Public tables of logs in the form of github.com/blockchain-etl/ethereum-etl. */
const bigQueryTables: Readonly<Record<number, string>> = {
  1: 'bigquery-public-data.crypto_ethereum.logs',
  137: 'bigquery-public-data.crypto_polygon.logs',
};

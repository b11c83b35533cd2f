import { explorerApiUrl, isDevelopmentChain } from '../networks/network.ts';
import type { KeyPlaceFinder, KeyPlaceFinderOptions } from './covalent/keyPlace.ts';
import {
  createDataApiThrottle,
  dataApiHoldingsOffers,
  dataApiNftOffers,
  ETHERSCAN_URL,
  etherscanHistoryOffers,
  explorerContractOffers,
  explorerHistoryOffers,
  explorerHoldingsOffers,
  explorerNftOffers,
  type Provider,
} from './provider.ts';

/**
 * The REST API of a Blockscout explorer, at the same origin as its JSON-RPC. Its modules are loaded when it
 * is first opened.
 */
const blockscoutProvider: Provider = {
  name: 'blockscout',
  takesKey: false,
  hasIndex: true,
  // The JSON-RPC URL: each route is derived from it, query included.
  urlFor: ({ rpcUrl }) => explorerApiUrl(rpcUrl, '/api') && rpcUrl,
  offers: {
    holdings: explorerHoldingsOffers,
    nfts: explorerNftOffers,
    history: explorerHistoryOffers,
    identity: { identity: 'free' },
    verified: explorerContractOffers,
    transactions: { lookUpHash: 'free' },
  },
  // The origin's gate already paces these requests, as those of every client.
  createThrottle: () => ({ pass: async () => {} }),
  async open(options) {
    const { createExplorerPorts } = await import('./blockscout/ports.ts');
    return createExplorerPorts(options);
  },
};

/** See `creation.ts`, which is loaded with the first address. */
export const loadCreation = () => import('./creation.ts');

/** See {@link createKeyPlaceFinder}, whose module is loaded with the first key. */
export async function openKeyPlaceFinder(options?: KeyPlaceFinderOptions): Promise<KeyPlaceFinder> {
  const { createKeyPlaceFinder } = await import('./covalent/keyPlace.ts');
  return createKeyPlaceFinder(options);
}

/** Covalent's data API, now GoldRush. Its client is loaded when it is first opened, so never without a key. */
const covalentProvider: Provider = {
  name: 'covalent',
  takesKey: true,
  urlFor: ({ dataApiUrl }) => dataApiUrl,
  offers: { holdings: dataApiHoldingsOffers, nfts: dataApiNftOffers },
  createThrottle: createDataApiThrottle,
  /** @throws AppError `badInput` for `key` or `dataApiUrl`. */
  async open({ url: baseUrl, key, ...options }) {
    const { createDataApiClient } = await import('./covalent/client.ts');
    const client = createDataApiClient({
      ...options,
      baseUrl,
      key: key?.text ?? '',
      keyIn: key?.place ?? 'header',
    });
    return { holdings: client, nfts: client };
  },
};

/**
 * Etherscan's API V2. A third party that serves many chains and says itself which: it is opened only while the user's key
 * is stored, and comes after the providers that need no key. Of an identity it has the creation alone: see `withCreation`.
 */
const etherscanProvider: Provider = {
  name: 'etherscan',
  takesKey: true,
  urlFor: ({ chainId }) => (isDevelopmentChain(chainId) ? undefined : ETHERSCAN_URL),
  offers: {
    verified: explorerContractOffers,
    identity: { identity: 'free' },
    history: etherscanHistoryOffers,
  },
  // Its sender paces the requests, as those of an endpoint at Etherscan.
  createThrottle: () => ({ pass: async () => {} }),
  /** @throws AppError `badInput` for `key`. */
  async open(options) {
    const { createEtherscanPorts } = await import('./etherscan/ports.ts');
    return createEtherscanPorts(options);
  },
};

/** The network's own JSON-RPC endpoint. */
const endpoint = {
  name: 'calls',
  takesKey: false,
  urlFor: ({ rpcUrl }) => rpcUrl,
  // The origin's gate already paces these requests, as those of every client.
  createThrottle: () => ({ pass: async () => {} }),
} satisfies Partial<Provider>;

/** Reads the contracts themselves. Opening it makes no request. */
const rpcProvider: Provider = {
  ...endpoint,
  offers: { nfts: { nftContract: 'free', nftToken: 'free' }, identity: { identity: 'free' } },
  async open(options) {
    const [{ createRpcNfts }, { createRpcIdentity }] = await Promise.all([
      import('./rpc/nfts.ts'),
      import('./rpc/identity.ts'),
    ]);
    return { nfts: createRpcNfts(options), identity: createRpcIdentity(options) };
  },
};

/**
 * Transactions by a node's methods, which explorers also serve since Blockscout v6.3. Separate from {@link
 * rpcProvider} for two reasons: it precedes an explorer's index, which precedes the contracts; and opening it
 * checks whether the methods exist.
 */
const rpcTransactionsProvider: Provider = {
  ...endpoint,
  offers: { transactions: { lookUpHash: 'free' } },
  async open(options) {
    const { openRpcTransactions } = await import('./rpc/transactions.ts');
    const transactions = await openRpcTransactions(options);
    return transactions ? { transactions } : {};
  },
};

/** Every provider, the preferred first. Add a provider as a folder and one line here. */
export const providers: readonly Provider[] = [
  covalentProvider,
  rpcTransactionsProvider,
  blockscoutProvider,
  rpcProvider,
  etherscanProvider,
];

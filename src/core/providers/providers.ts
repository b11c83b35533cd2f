import { explorerApiUrl } from '../networks/network.ts';
import {
  createDataApiThrottle,
  dataApiHoldingsOffers,
  dataApiNftOffers,
  explorerContractOffers,
  explorerHistoryOffers,
  explorerHoldingsOffers,
  explorerNftOffers,
  type Provider,
} from './provider.ts';

/**
 * The REST interface of a Blockscout explorer, which the JSON-RPC of the same explorer is beside. What it is made of is
 * loaded when it is first opened.
 */
const blockscoutProvider: Provider = {
  name: 'blockscout',
  takesKey: false,
  hasIndex: true,
  // The JSON-RPC itself: each route is made from it, with the query that it has.
  urlFor: ({ rpcUrl }) => explorerApiUrl(rpcUrl, '/api') && rpcUrl,
  offers: {
    holdings: explorerHoldingsOffers,
    nfts: explorerNftOffers,
    history: explorerHistoryOffers,
    identity: { identity: 'free' },
    verified: explorerContractOffers,
    transactions: { lookUpHash: 'free' },
  },
  // The explorer is asked at the pace of its gate, as by everyone else.
  createThrottle: () => ({ pass: async () => {} }),
  async open(options) {
    const { createExplorerPorts } = await import('./blockscout/ports.ts');
    return createExplorerPorts(options);
  },
};

/** The data API (Covalent's, later GoldRush). Its client is loaded when it is first opened: without a key it never is. */
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
      keyIn: key?.place ?? 'nowhere',
    });
    return { holdings: client, nfts: client };
  },
};

/** What the network's own endpoint answers by JSON-RPC. */
const endpoint = {
  name: 'calls',
  takesKey: false,
  urlFor: ({ rpcUrl }) => rpcUrl,
  // The endpoint is asked at the pace of its gate, as by everyone else.
  createThrottle: () => ({ pass: async () => {} }),
} satisfies Partial<Provider>;

/** The contracts themselves. The endpoint is asked for nothing when it is opened. */
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
 * Transactions by the methods of a node, which explorers have too since Blockscout v6.3. A kind of its own beside
 * {@link rpcProvider}: of a transaction it is asked before an explorer's index and of an address behind it, and whether there
 * are the methods is asked when it is opened, of which NFTs and identities have no need.
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

/** Every source, the preferred first. A new one is a folder beside `covalentProvider` and one line here. */
export const providers: readonly Provider[] = [
  covalentProvider,
  rpcTransactionsProvider,
  blockscoutProvider,
  rpcProvider,
];

import type { SourceKind } from '../kind/sourceKind.ts';

/** What the network's own endpoint answers by JSON-RPC. */
const endpoint = {
  name: 'calls',
  takesKey: false,
  urlFor: ({ rpcUrl }) => rpcUrl,
  // The endpoint is asked at the pace of its gate, as by everyone else.
  createRateLimit: () => ({ pass: async () => {} }),
} satisfies Partial<SourceKind>;

/** The contracts themselves. The endpoint is asked for nothing when it is opened. */
export const calls: SourceKind = {
  ...endpoint,
  offers: { nfts: { nftContract: 'free', nftToken: 'free' }, identity: { identity: 'free' } },
  async open(options) {
    const [{ createNftCalls }, { createIdentityCalls }] = await Promise.all([
      import('./nftCalls.ts'),
      import('./identityCalls.ts'),
    ]);
    return { nfts: createNftCalls(options), identity: createIdentityCalls(options) };
  },
};

/**
 * Transactions by the methods of a node, which explorers have too since Blockscout v6.3. A kind of its own beside
 * {@link calls}: of a transaction it is asked before an explorer's index and of an address behind it, and whether there
 * are the methods is asked when it is opened, of which NFTs and identities have no need.
 */
export const transactionCalls: SourceKind = {
  ...endpoint,
  offers: { transactions: { lookUpHash: 'free' } },
  async open(options) {
    const { openTransactionCalls } = await import('./transactionCalls.ts');
    const transactions = await openTransactionCalls(options);
    return transactions ? { transactions } : {};
  },
};

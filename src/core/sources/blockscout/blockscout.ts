import { explorerApi } from '../../explorer/explorerUrls.ts';
import type { SourceKind } from '../kind/sourceKind.ts';
import { contractOffers } from './contracts/offers.ts';
import { historyOffers, holdingsOffers, nftOffers } from './rest/offers.ts';

/**
 * The REST interface of a Blockscout explorer, which the JSON-RPC of the same explorer is beside. What it is made of is
 * loaded when it is first opened.
 */
export const blockscout: SourceKind = {
  name: 'blockscout',
  takesKey: false,
  hasIndex: true,
  // The JSON-RPC itself: each route is made from it, with the query that it has.
  urlFor: ({ rpcUrl }) => explorerApi(rpcUrl, '/api') && rpcUrl,
  offers: {
    ...{ holdings: holdingsOffers, nfts: nftOffers, history: historyOffers },
    ...{ identity: { identity: 'free' }, verified: contractOffers },
    transactions: { lookUpHash: 'free' },
  },
  // The explorer is asked at the pace of its gate, as by everyone else.
  createRateLimit: () => ({ pass: async () => {} }),
  async open(options) {
    const { createExplorerPorts } = await import('./explorerPorts.ts');
    return createExplorerPorts(options);
  },
};

import type { SourceKind } from '../kind/sourceKind.ts';

/** The contracts themselves, through the network's endpoint. It is asked for nothing when it is opened. */
export const calls: SourceKind = {
  name: 'calls',
  takesKey: false,
  urlFor: ({ rpcUrl }) => rpcUrl,
  offers: { nfts: { nftContract: 'free', nftToken: 'free' } },
  // The endpoint is asked at the pace of its gate, as by everyone else.
  createRateLimit: () => ({ pass: async () => {} }),
  async open(options) {
    const { createNftCalls } = await import('./nftCalls.ts');
    return { nfts: createNftCalls(options) };
  },
};

import type { Offers } from '../../base/source.ts';
import type { VerifiedQuestion } from '../../verified/verifiedContract.ts';

export const sourcifyOffers: Offers<VerifiedQuestion> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
  verifiedOn: 'free',
};

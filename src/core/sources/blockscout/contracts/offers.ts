import type { Offers } from '../../../base/source.ts';
import type { VerifiedQuestion } from '../../../verified/verifiedContract.ts';

/** An explorer knows its own chain only. */
export const contractOffers: Offers<VerifiedQuestion> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
};

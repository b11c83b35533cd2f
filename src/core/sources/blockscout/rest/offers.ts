import type { Offers } from '../../../base/source.ts';
import type { HistoryQuestion } from '../../../history/historySource.ts';
import type { HoldingsQuestion } from '../../../holdings/holdingsSource.ts';
import type { NftSourceQuestion } from '../../../nfts/nftSource.ts';

/** What an explorer tells everyone. */
export const holdingsOffers: Offers<HoldingsQuestion> = { tokenBalances: 'free', holdings: 'free' };

export const nftOffers: Offers<NftSourceQuestion> = {
  ...{ nftContract: 'free', nftToken: 'free', nftTransfers: 'free' },
};

export const historyOffers: Offers<HistoryQuestion> = {
  ...{ transfers: 'free', coinBalances: 'free', coinBalancesByDay: 'free' },
};

import type { Cost, Offers } from '../../base/source.ts';
import type { HoldingsQuestion } from '../../holdings/holdingsSource.ts';
import type { NftSourceQuestion } from '../../nfts/nftSource.ts';

/**
 * What the service answers, at its prices (GoldRush documentation and SDK 2.3.8, 2026). What an address holds takes a
 * second request where NFTs do not come with the tokens.
 */
export const holdingsOffers: Offers<HoldingsQuestion> = {
  tokenBalances: perQuestion(1, 1),
  holdings: perQuestion(1, 2),
};

export const nftOffers: Offers<NftSourceQuestion> = {
  nftTransfers: { unit: 'credits', least: 0.1, most: 0.1, per: 'entry' },
  nftContract: 'unpublished',
  nftToken: 'unpublished',
};

function perQuestion(least: number, most: number): Cost {
  return { unit: 'credits', least, most, per: 'question' };
}

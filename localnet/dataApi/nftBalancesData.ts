import type { Hex } from 'ox';
import type { Holdings } from '../tokens/holdings.ts';
import { newerNftData } from './nftData.ts';
import { nanoseconds, seconds } from './times.ts';

/** `data` of `balances_nft`. */
export function nftBalancesData(
  { collections }: Holdings,
  address: Hex.Hex,
  noAssetMetadata: boolean,
  now: Date,
) {
  const items = collections.map((collection) => ({
    contract_name: collection.name ?? null,
    contract_ticker_symbol: collection.symbol ?? null,
    contract_address: collection.address,
    supports_erc: [collection.standard],
    is_spam: false,
    // Spelt so by the service.
    last_transfered_at: seconds(collection.lastTransfer),
    balance: collection.nfts.reduce((sum, { amount }) => sum + amount, 0n).toString(),
    balance_24h: null,
    type: 'nft',
    ...{ floor_price_quote: null, pretty_floor_price_quote: null, floor_price_native_quote: null },
    nft_data: newerNftData(collection, address, noAssetMetadata),
  }));
  return { address, updated_at: nanoseconds(now), items };
}

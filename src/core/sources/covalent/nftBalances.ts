import * as z from 'zod/mini';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { NftBalances, NftCollection } from '../../nfts/nftBalances.ts';
import { addressField, timeField, uint256Field } from '../../values/chainFields.ts';
import { listField, optionalField, readItems, textField } from '../../values/outsideFields.ts';
import { type Asked, readAddressData } from './addressData.ts';
import { readNftHoldings, tokenStandard } from './nftHoldings.ts';

const Item = z.object({
  contract_address: addressField,
  balance: z.nullish(uint256Field),
  contract_name: optionalField(textField),
  contract_ticker_symbol: optionalField(textField),
  supports_erc: optionalField(listField),
  is_spam: optionalField(z.boolean()),
  // Spelt so by the service.
  last_transfered_at: optionalField(timeField),
  nft_data: optionalField(listField),
});

/**
 * `data` of a `balances_nft` answer.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another address or chain.
 */
export async function readNftBalances(data: unknown, asked: Asked, slices: TimeSlices): Promise<NftBalances> {
  const { updatedAt, items } = readAddressData(data, asked);
  const { read, skipped } = await readItems(Item, items, { slices });
  let missing = skipped;
  const collections: NftCollection[] = [];
  for (const item of read) {
    const nfts = await readNftHoldings(item.nft_data, slices);
    missing += nfts.skipped;
    collections.push({
      contract: item.contract_address,
      standard: tokenStandard(item.supports_erc ?? [], nfts.standards),
      name: item.contract_name,
      symbol: item.contract_ticker_symbol,
      amount: item.balance ?? undefined,
      spam: item.is_spam,
      lastTransferAt: item.last_transfered_at,
      nfts: nfts.holdings,
    });
  }
  return { address: asked.address, updatedAt, collections, skipped: missing };
}

import * as z from 'zod/mini';
import type { Provenance } from '../../base/source.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { holdingWorth } from '../../holdings/holdingWorth.ts';
import { NATIVE_STAND_IN, type TokenBalance, type TokenBalances } from '../../holdings/tokenBalances.ts';
import type { Address } from '../../values/address.ts';
import { addressField, timeField, uint256Field } from '../../values/chainFields.ts';
import { listField, optionalField, readItems, textField } from '../../values/outsideFields.ts';
import { type Asked, readAddressData } from './addressData.ts';
import { readNftHoldings, tokenStandard } from './nftHoldings.ts';

/** A number of any size: one beyond what a number can be is read as infinite, and is no missing price. */
const moneyField = z.custom<number>((value) => typeof value === 'number');

// Fields of three generations: of 2021, of 2022 to 2025, and of keys made after 2026-04-01.
const Item = z.object({
  contract_address: z.nullish(addressField),
  balance: z.nullish(uint256Field),
  contract_decimals: optionalField(z.int().check(z.minimum(0), z.maximum(255))),
  contract_name: optionalField(textField),
  contract_ticker_symbol: optionalField(textField),
  is_native_token: optionalField(z.boolean()),
  native_token: optionalField(z.boolean()),
  supports_erc: optionalField(listField),
  quote_rate: optionalField(moneyField),
  quote: optionalField(moneyField),
  type: optionalField(textField),
  is_spam: optionalField(z.boolean()),
  last_transferred_at: optionalField(timeField),
  nft_data: optionalField(listField),
});
type Item = z.infer<typeof Item>;

/**
 * `data` of a `balances_v2` answer of any generation. An item without a usable contract address, or with an amount
 * that is no uint256, is skipped and counted; any other field that is missing, null or odd is undefined.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another address or chain.
 */
export async function readTokenBalances(
  data: unknown,
  asked: Asked & { readonly quoteCurrency: string },
  slices: TimeSlices,
): Promise<Omit<TokenBalances, keyof Provenance>> {
  const { updatedAt, items, ...head } = readAddressData(data, asked);
  const quoteCurrency = head.quoteCurrency?.toUpperCase() ?? asked.quoteCurrency;
  const { read, skipped } = await readItems(Item, items, { slices });
  let missing = skipped;
  const tokens: TokenBalance[] = [];
  for (const item of read) {
    const contract = contractOf(item);
    if (!contract) {
      missing++;
      continue;
    }
    const nfts = await readNftHoldings(item.nft_data, slices);
    missing += nfts.skipped;
    tokens.push(readToken(item, { contract, quoteCurrency, nfts }));
    if (slices.isOver()) await slices.rest();
  }
  return {
    ...{ address: asked.address, quoteCurrency, updatedAt, tokens, skipped: missing },
    tellsNfts: items.some(hasNftData),
  };
}

function hasNftData(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'nft_data' in item;
}

function contractOf(item: Item): Address | undefined {
  return item.contract_address ?? (nativeFlag(item) ? NATIVE_STAND_IN : undefined);
}

function nativeFlag(item: Item): boolean | undefined {
  return item.is_native_token ?? item.native_token;
}

/** What is known of a token beside its own entry. */
interface TokenFacts {
  readonly contract: Address;
  readonly quoteCurrency: string;
  readonly nfts: Awaited<ReturnType<typeof readNftHoldings>>;
}

function readToken(item: Item, { contract, quoteCurrency, nfts }: TokenFacts): TokenBalance {
  const native = nativeFlag(item) ?? contract === NATIVE_STAND_IN;
  const amount = item.balance ?? undefined;
  const decimals = item.contract_decimals;
  return {
    contract,
    native,
    standard: native ? undefined : tokenStandard(item.supports_erc ?? [], nfts.standards),
    name: item.contract_name,
    symbol: item.contract_ticker_symbol,
    ...{ decimals, amount },
    ...holdingWorth(item.quote_rate, { amount, decimals }, { currency: quoteCurrency, value: item.quote }),
    category: item.type,
    spam: item.is_spam,
    lastTransferAt: item.last_transferred_at,
    nfts: nfts.holdings,
  };
}

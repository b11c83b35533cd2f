import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { Provenance } from '../../base/provenance.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { Address } from '../../eth/hex.ts';
import {
  addressField,
  listField,
  optionalField,
  parseItems,
  textField,
  timeField,
  uint256Field,
} from '../../http/fields.ts';
import type { NftBalances, NftCollection, NftHolding } from '../../nfts/nft.ts';
import {
  computeHoldingValue,
  NATIVE_TOKEN_ADDRESS,
  type TokenBalance,
  type TokenBalances,
} from '../../tokens/holdings.ts';
import type { TokenStandard } from '../../tokens/transferEvents.ts';

/** A number of any size: one beyond what a number can be is read as infinite, and is no missing price. */
const moneyField = z.custom<number>((value) => typeof value === 'number');

// Fields of three generations: of 2021, of 2022 to 2025, and of keys made after 2026-04-01.
const TokenItem = z.object({
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
type TokenItem = z.infer<typeof TokenItem>;

/**
 * `data` of a `balances_v2` answer of any generation. An item without a usable contract address, or with an amount
 * that is no uint256, is skipped and counted; any other field that is missing, null or odd is undefined.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another address or chain.
 */
export async function parseTokenBalances(
  data: unknown,
  asked: AddressRequest & { readonly quoteCurrency: string },
  slices: TimeSlices,
): Promise<Omit<TokenBalances, keyof Provenance>> {
  const { updatedAt, items, ...head } = parseAddressData(data, asked);
  const quoteCurrency = head.quoteCurrency?.toUpperCase() ?? asked.quoteCurrency;
  const { read, skipped } = await parseItems(TokenItem, items, { slices });
  let missing = skipped;
  const tokens: TokenBalance[] = [];
  for (const item of read) {
    const contract = contractOf(item);
    if (!contract) {
      missing++;
      continue;
    }
    const nfts = await parseNftHoldings(item.nft_data, slices);
    missing += nfts.skipped;
    tokens.push(readToken(item, { contract, quoteCurrency, nfts }));
    if (slices.isOver()) await slices.rest();
  }
  return {
    address: asked.address,
    quoteCurrency,
    updatedAt,
    tokens,
    skipped: missing,
    includesNfts: items.some(hasNftData),
  };
}

function hasNftData(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'nft_data' in item;
}

function contractOf(item: TokenItem): Address | undefined {
  return item.contract_address ?? (nativeFlag(item) ? NATIVE_TOKEN_ADDRESS : undefined);
}

function nativeFlag(item: TokenItem): boolean | undefined {
  return item.is_native_token ?? item.native_token;
}

/** What is known of a token beside its own entry. */
interface TokenFacts {
  readonly contract: Address;
  readonly quoteCurrency: string;
  readonly nfts: Awaited<ReturnType<typeof parseNftHoldings>>;
}

function readToken(item: TokenItem, { contract, quoteCurrency, nfts }: TokenFacts): TokenBalance {
  const native = nativeFlag(item) ?? contract === NATIVE_TOKEN_ADDRESS;
  const amount = item.balance ?? undefined;
  const decimals = item.contract_decimals;
  return {
    contract,
    native,
    standard: native ? undefined : parseTokenStandard(item.supports_erc ?? [], nfts.standards),
    name: item.contract_name,
    symbol: item.contract_ticker_symbol,
    decimals,
    amount,
    ...computeHoldingValue(
      item.quote_rate,
      { amount, decimals },
      { currency: quoteCurrency, value: item.quote },
    ),
    category: item.type,
    spam: item.is_spam,
    lastTransferAt: item.last_transferred_at,
    nfts: nfts.holdings,
  };
}

const NftItem = z.object({
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
export async function parseNftBalances(
  data: unknown,
  asked: AddressRequest,
  slices: TimeSlices,
): Promise<NftBalances> {
  const { updatedAt, items } = parseAddressData(data, asked);
  const { read, skipped } = await parseItems(NftItem, items, { slices });
  let missing = skipped;
  const collections: NftCollection[] = [];
  for (const item of read) {
    const nfts = await parseNftHoldings(item.nft_data, slices);
    missing += nfts.skipped;
    collections.push({
      contract: item.contract_address,
      standard: parseTokenStandard(item.supports_erc ?? [], nfts.standards),
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

const NftData = z.object({
  token_id: uint256Field,
  token_balance: optionalField(uint256Field),
  supports_erc: optionalField(listField),
});

/** `nft_data` of an item; undefined where it was not asked for or the server no longer sends it. */
async function parseNftHoldings(nftData: readonly unknown[] | undefined, slices: TimeSlices) {
  if (!nftData) return { holdings: undefined, standards: [], skipped: 0 };
  const { read, skipped } = await parseItems(NftData, nftData, { slices });
  return {
    holdings: read.map((nft): NftHolding => ({ tokenId: nft.token_id, amount: nft.token_balance })),
    standards: read.map((nft) => parseTokenStandard(nft.supports_erc ?? [])),
    skipped,
  };
}

/**
 * The standard that lists of claimed ones (`supports_erc`) come down to: the service's FAQ ranks ERC-1155 over
 * ERC-721 over ERC-20, which NFT contracts list too. Undefined where none is claimed.
 *
 * @example
 * parseTokenStandard(['erc20', 'erc721']); // 'erc721'
 */
export function parseTokenStandard(
  claimed: readonly unknown[],
  more: readonly unknown[] = [],
): TokenStandard | undefined {
  const ranked = ['erc1155', 'erc721', 'erc20'] as const;
  return ranked.find((standard) => claimed.includes(standard) || more.includes(standard));
}

/** A chain id: an integer in `balances_v2`, a decimal string in the list of chains. */
export const chainIdField = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((id) => Number(id)),
);

/** The part of `data` that every answer about an address has, `items` unread. */
const AddressData = z.object({
  address: optionalField(addressField),
  updated_at: optionalField(timeField),
  quote_currency: optionalField(z.string().check(z.regex(/^[A-Za-z]{2,10}$/))),
  chain_id: optionalField(chainIdField),
  items: z.nullable(listField),
});

interface AddressRequest {
  readonly address: Address;
  readonly chainId: number;
}

/**
 * `data` of an answer about an address; null, or null for `items`, means that it holds nothing.
 *
 * @throws AppError `badResponse` when it is of another shape, or tells of another address or chain than was asked.
 */
function parseAddressData(data: unknown, asked: AddressRequest) {
  const parsed = AddressData.safeParse(data ?? { items: null });
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the data API has no list of items.', {
      cause: parsed.error,
    });
  }
  const { address, chain_id: chainId, items, ...rest } = parsed.data;
  if ((address ?? asked.address) !== asked.address) {
    throw new AppError('badResponse', 'The data API answered for another address.');
  }
  if ((chainId ?? asked.chainId) !== asked.chainId) {
    throw new AppError('badResponse', 'The data API answered for another chain.');
  }
  return { updatedAt: rest.updated_at, quoteCurrency: rest.quote_currency, items: items ?? [] };
}

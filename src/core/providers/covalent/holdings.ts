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
import { type Completeness, toCompleteness } from '../../tokens/completeness.ts';
import {
  computeHoldingValue,
  NATIVE_TOKEN_ADDRESS,
  type TokenBalance,
  type TokenBalances,
} from '../../tokens/holdings.ts';
import type { TokenStandard } from '../../tokens/transferEvents.ts';

/**
 * Parses `data` of a `balances_v2` response of any generation. Items without a usable contract address, or
 * with an amount that is not a uint256, are skipped and counted; any other missing, null or invalid field is
 * undefined.
 *
 * @throws AppError `badResponse` if it is malformed, or for another address or chain.
 */
export async function parseTokenBalances(
  data: unknown,
  request: AddressRequest & { readonly quoteCurrency: string },
  slices: TimeSlices,
): Promise<Omit<TokenBalances, keyof Provenance>> {
  const { updatedAt, items, hasMore, ...head } = parseAddressData(data, request);
  const quoteCurrency = head.quoteCurrency?.toUpperCase() ?? request.quoteCurrency;
  const { read, skipped } = await parseItems(TokenItem, items, { slices });
  let missing = skipped;
  const tokens: TokenBalance[] = [];
  for (const item of read) {
    const contract = getContract(item);
    if (!contract) {
      missing++;
      continue;
    }
    const nfts = await parseNftHoldings(item.nft_data, slices);
    missing += nfts.skipped;
    tokens.push(parseToken(item, { contract, quoteCurrency, nfts }));
    if (slices.isOver()) await slices.rest();
  }
  return {
    address: request.address,
    quoteCurrency,
    updatedAt,
    tokens,
    skipped: missing,
    includesNfts: items.some(hasNftData),
    ...(hasMore && { completeness: toPartial(items.length, missing) }),
  };
}

function toPartial(most: number, unreadable: number): Completeness {
  return toCompleteness([
    { code: 'bound', list: 'tokens', most },
    ...(unreadable > 0 ? [{ code: 'unreadable', count: unreadable } as const] : []),
  ]);
}

/** A number of any size: one too large for a double is Infinity, which is not a missing price. */
const moneyField = z.custom<number>((value) => typeof value === 'number');

// Fields of three generations: 2021, 2022 to 2025, and keys created after 2026-04-01.
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

function hasNftData(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'nft_data' in item;
}

function getContract(item: TokenItem): Address | undefined {
  return item.contract_address ?? (getNativeFlag(item) ? NATIVE_TOKEN_ADDRESS : undefined);
}

function getNativeFlag(item: TokenItem): boolean | undefined {
  return item.is_native_token ?? item.native_token;
}

interface TokenContext {
  readonly contract: Address;
  readonly quoteCurrency: string;
  readonly nfts: Awaited<ReturnType<typeof parseNftHoldings>>;
}

function parseToken(item: TokenItem, { contract, quoteCurrency, nfts }: TokenContext): TokenBalance {
  const native = getNativeFlag(item) ?? contract === NATIVE_TOKEN_ADDRESS;
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
  // The service's spelling.
  last_transfered_at: optionalField(timeField),
  nft_data: optionalField(listField),
});

/**
 * Parses `data` of a `balances_nft` response.
 *
 * @throws AppError `badResponse` if it is malformed, or for another address or chain.
 */
export async function parseNftBalances(
  data: unknown,
  request: AddressRequest,
  slices: TimeSlices,
): Promise<NftBalances> {
  const { updatedAt, items, hasMore } = parseAddressData(data, request);
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
  return { address: request.address, updatedAt, collections, skipped: missing + Number(hasMore) };
}

const NftData = z.object({
  token_id: uint256Field,
  token_balance: optionalField(uint256Field),
  supports_erc: optionalField(listField),
});

/** Parses `nft_data` of an item; undefined if it was not requested or the server no longer sends it. */
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
 * The standard that lists of claimed ones (`supports_erc`) imply: by the service's FAQ, ERC-1155 ranks above
 * ERC-721, and that above ERC-20, which NFT contracts list too. Undefined if none is claimed.
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

/** A chain ID: an integer in `balances_v2`, a decimal string in the list of chains. */
export const chainIdField = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((id) => Number(id)),
);

/** These routes are never paged, by the service's reference. One that is has more than was read. */
export const paginationField = optionalField(z.object({ has_more: optionalField(z.boolean()) }));

/** The part of `data` that all responses about an address share; `items` are not parsed yet. */
const AddressData = z.object({
  address: optionalField(addressField),
  updated_at: optionalField(timeField),
  quote_currency: optionalField(z.string().check(z.regex(/^[A-Za-z]{2,10}$/))),
  chain_id: optionalField(chainIdField),
  items: z.nullable(listField),
  pagination: paginationField,
});

interface AddressRequest {
  readonly address: Address;
  readonly chainId: number;
}

/**
 * Parses `data` of a response about an address; if it or `items` is null, the address owns nothing.
 *
 * @throws AppError `badResponse` for another shape, address or chain.
 */
function parseAddressData(data: unknown, request: AddressRequest) {
  const parsed = AddressData.safeParse(data ?? { items: null });
  if (!parsed.success) {
    throw new AppError('badResponse', 'The response of the data API has no list of items.', {
      cause: parsed.error,
    });
  }
  const { address, chain_id: chainId, items, ...rest } = parsed.data;
  if ((address ?? request.address) !== request.address) {
    throw new AppError('badResponse', 'The response of the data API is for another address.');
  }
  if ((chainId ?? request.chainId) !== request.chainId) {
    throw new AppError('badResponse', 'The response of the data API is for another chain.');
  }
  return {
    updatedAt: rest.updated_at,
    quoteCurrency: rest.quote_currency,
    items: items ?? [],
    hasMore: rest.pagination?.has_more === true,
  };
}

import type { AppError } from '../base/errors.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Address } from '../eth/hex.ts';
import { formatUnits } from '../eth/units.ts';
import type { NftBalances, NftCollection, NftHolding } from '../nfts/nft.ts';
import {
  type Completeness,
  type CompletenessReason,
  mergeCompleteness,
  toCompleteness,
} from './completeness.ts';
import { isAbsurdPrice, type QuoteCurrency } from './quoteCurrency.ts';
import type { TokenStandard } from './transferEvents.ts';

export interface HoldingsOptions extends FetchOptions {
  /** The requested currency; a provider may respond in another, and reports it. */
  readonly quoteCurrency: QuoteCurrency;
}

export type HoldingsMethod = 'holdings' | 'tokenBalances';

/**
 * Holdings on one chain. Concurrent equal calls share one request. A result may come from a short-lived
 * cache; its `readAt` says when the response arrived.
 *
 * Every method throws AppError of any network kind, and `creditsUsedUp`, `forbidden`, `notServed`,
 * `tooHeavy`, `unauthorized`; `aborted` when the signal fires or the key is removed.
 */
export interface HoldingsProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<HoldingsMethod>;
  tokenBalances(address: Address, options: HoldingsOptions): Promise<TokenBalances>;
  /** Tokens and NFTs; slower and often more expensive than the tokens alone. */
  holdings(address: Address, options: HoldingsOptions): Promise<Holdings>;
}

export interface Holdings {
  readonly balances: TokenBalances;
  readonly portfolio: Portfolio;
  /** Entries, NFTs included, that are missing because they were unreadable or over the limit. */
  readonly skipped: number;
  /** Why NFTs are missing; undefined if they are complete. */
  readonly nftError: AppError | undefined;
  /** Completeness of tokens and NFTs together, if the provider reports it. */
  readonly completeness?: Completeness | undefined;
}

/**
 * Merges tokens and NFTs of one address.
 *
 * @param nfts NFTs that were fetched separately, the error if that failed, and why some may be missing;
 *   omitted if `balances` includes them.
 * @example
 * const { portfolio } = mergeHoldings(balances, { balances: nftBalances });
 * portfolio.total.value; // 1234.5, in portfolio.total.quoteCurrency
 */
export function mergeHoldings(
  balances: TokenBalances,
  nfts: {
    readonly balances?: NftBalances;
    readonly error?: AppError | undefined;
    readonly reasons?: readonly CompletenessReason[];
  } = {},
): Holdings {
  return {
    balances,
    portfolio: arrangePortfolio(balances, nfts.balances),
    skipped: balances.skipped + (nfts.balances?.skipped ?? 0),
    nftError: nfts.error,
    completeness: mergeCompleteness([balances.completeness, nfts.reasons && toCompleteness(nfts.reasons)]),
  };
}

/** The holdings of an address, sorted into groups. Each holding is in one group. */
export interface Portfolio {
  readonly native: TokenBalance | undefined;
  /** By value, the highest first; then those without a credible price, by name. */
  readonly tokens: readonly TokenBalance[];
  /**
   * Zero, or worth less than 0.10 USD. Without a value: less than one whole token that the provider
   * classifies as dust.
   */
  readonly dust: readonly TokenBalance[];
  readonly spam: readonly TokenBalance[];
  readonly collections: readonly NftCollection[];
  readonly spamCollections: readonly NftCollection[];
  readonly total: PortfolioTotal;
}

/** The total value of the holdings, and how many it leaves out. */
export interface PortfolioTotal {
  /** Undefined if nothing that is owned has a value. */
  readonly value: number | undefined;
  readonly quoteCurrency: string;
  /** Holdings above zero without a value: no price, or an unknown amount. */
  readonly withoutValue: number;
  readonly absurdPrice: number;
  /** Without spam. */
  readonly nftCollections: number;
}

/**
 * Groups the holdings of an address and adds up their value.
 *
 * @param nfts collections that were fetched separately; they replace those in `balances`.
 * @example
 * const { tokens, total } = arrangePortfolio(await provider.tokenBalances(address, { quoteCurrency: 'EUR' }));
 */
export function arrangePortfolio(
  balances: Pick<TokenBalances, 'quoteCurrency' | 'tokens'>,
  nfts?: Pick<NftBalances, 'collections'>,
): Portfolio {
  const fungible = balances.tokens.filter((token) => !isNftBalance(token));
  const native = fungible.find((token) => token.native);
  const others = fungible.filter((token) => token !== native);
  const group = (name: Group) => others.filter((token) => classifyToken(token) === name).sort(compareTokens);
  const all = mergeCollections(balances.tokens.filter(isNftBalance).map(toCollection), nfts?.collections);
  const collections = all.filter(({ spam }) => !spam);
  return {
    native,
    tokens: group('tokens'),
    dust: group('dust'),
    spam: group('spam'),
    collections,
    spamCollections: all.filter(({ spam }) => spam),
    total: {
      ...computeTotal(fungible.filter((token) => token === native || classifyToken(token) !== 'spam')),
      quoteCurrency: balances.quoteCurrency,
      nftCollections: collections.length,
    },
  };
}

type Group = 'dust' | 'spam' | 'tokens';

function classifyToken(token: TokenBalance): Group {
  if (token.spam) return 'spam';
  return isDust(token) ? 'dust' : 'tokens';
}

/** Some providers classify any token without a value as dust; a whole token or more of one is not dust. */
function isDust({ amount, category, decimals, value }: TokenBalance): boolean {
  if (amount === 0n) return true;
  if (category !== 'dust' || amount === undefined) return false;
  return value !== undefined || (decimals !== undefined && amount < 10n ** BigInt(decimals));
}

function isNftBalance(token: TokenBalance): boolean {
  const { native, category, standard, nfts } = token;
  if (native) return false;
  return category === 'nft' || standard === 'erc721' || standard === 'erc1155' || (nfts?.length ?? 0) > 0;
}

function computeTotal(tokens: readonly TokenBalance[]) {
  const owned = tokens.filter(({ amount }) => amount !== 0n);
  const absurdPrice = owned.filter((token) => token.absurdPrice).length;
  const values = owned.map(getCredibleValue).filter((value) => value !== undefined);
  return {
    value:
      owned.length > 0 && values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0),
    withoutValue: owned.length - values.length - absurdPrice,
    absurdPrice,
  };
}

function toCollection(token: TokenBalance): NftCollection {
  const { contract, standard, name, symbol, spam, lastTransferAt, nfts } = token;
  return { contract, standard, name, symbol, spam, lastTransferAt, nfts, amount: countTokens(token) };
}

function countTokens({ amount, nfts }: TokenBalance): bigint | undefined {
  if (amount !== undefined || !nfts) return amount;
  return nfts.reduce<bigint | undefined>(
    (sum, nft) => (sum === undefined || nft.amount === undefined ? undefined : sum + nft.amount),
    0n,
  );
}

function mergeCollections(
  fromBalances: readonly NftCollection[],
  separate: readonly NftCollection[] = [],
): readonly NftCollection[] {
  const byContract = new Map<Address, NftCollection>();
  for (const collection of [...fromBalances, ...separate])
    byContract.set(collection.contract, sortIds(collection));
  return [...byContract.values()].sort((a, b) => compareText(a.name ?? a.contract, b.name ?? b.contract));
}

function sortIds(collection: NftCollection): NftCollection {
  const nfts = collection.nfts && [...collection.nfts].sort((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  return { ...collection, nfts };
}

function compareText(a: string, b: string): number {
  return a.localeCompare(b, 'en');
}

export interface TokenBalances extends Provenance {
  readonly address: Address;
  /** The currency of every price and value as the provider reports it; it may differ from the requested one. */
  readonly quoteCurrency: string;
  /** When the provider last synced with the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly tokens: readonly TokenBalance[];
  /** Whether `tokens` includes NFTs, if there are any. */
  readonly includesNfts: boolean;
  /** Entries that are missing because they were unreadable or over the limit. */
  readonly skipped: number;
  /** Set if the provider reports how complete its data is. */
  readonly completeness?: Completeness | undefined;
}

/** The placeholder for the chain's own coin that data APIs use on most chains. */
export const NATIVE_TOKEN_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/**
 * A token of an address. A value that the provider does not report is undefined, which is never the same as
 * zero.
 */
export interface TokenBalance {
  readonly contract: Address;
  /** Whether it is the chain's own coin, whose `contract` is a placeholder that differs by chain. */
  readonly native: boolean;
  readonly standard: TokenStandard | undefined;
  /** Untrusted text, sanitized and shortened; may still contain markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In the smallest unit. */
  readonly amount: bigint | undefined;
  /** Price of a whole token, above zero; undefined if the provider reports none, zero, or an impossible one. */
  readonly price: number | undefined;
  readonly value: number | undefined;
  /**
   * Whether the reported price, or the value at that price, is not credible: show it marked, and leave it out
   * of sums.
   */
  readonly absurdPrice: boolean;
  /**
   * The provider's class: `cryptocurrency`, `stablecoin`, `nft`, `dust` (worth less than 0.10 USD), or a
   * later one.
   */
  readonly category: string | undefined;
  /** Reported for few chains; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  /** Undefined if NFTs were not requested or the provider does not report them with balances. */
  readonly nfts: readonly NftHolding[] | undefined;
}

/**
 * Display order: the most valuable first, then those without a credible price, by name.
 *
 * @example
 * balances.tokens.toSorted(compareTokens)
 */
export function compareTokens(a: TokenBalance, b: TokenBalance): number {
  const byValue = (getCredibleValue(b) ?? -1) - (getCredibleValue(a) ?? -1);
  return byValue || getDisplayName(a).localeCompare(getDisplayName(b), 'en');
}

function getCredibleValue({ absurdPrice, value }: TokenBalance): number | undefined {
  return absurdPrice ? undefined : value;
}

function getDisplayName({ symbol, name, contract }: TokenBalance): string {
  return symbol ?? name ?? contract;
}

type HoldingValue = Pick<TokenBalance, 'absurdPrice' | 'price' | 'value'>;
type TokenAmount = Pick<TokenBalance, 'amount' | 'decimals'>;

/**
 * The value of a holding at the reported price of one whole token.
 *
 * @param rate zero and undefined mean no price; negative and infinite rates are impossible.
 * @param reported.value the provider's own value; computed if missing.
 * @example
 * computeHoldingValue(2, { amount: 1_500_000n, decimals: 6 }, { currency: 'USD' }).value // 3
 */
export function computeHoldingValue(
  rate: number | undefined,
  token: TokenAmount,
  reported: { readonly currency: string; readonly value?: number | undefined },
): HoldingValue {
  const price = rate !== undefined && rate > 0 && rate < Number.POSITIVE_INFINITY ? rate : undefined;
  const value = price === undefined ? undefined : (reported.value ?? computeValue(price, token));
  const absurdPrice = rate !== undefined && rate !== 0 && isAbsurdPrice(rate, value, reported.currency);
  return { price, value, absurdPrice };
}

function computeValue(price: number, { amount, decimals }: TokenAmount): number | undefined {
  if (amount === undefined || decimals === undefined) return undefined;
  return Number(formatUnits(amount, decimals)) * price;
}

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

/** What an address holds, in the groups that people read. Every holding stands in one group. */
export interface Portfolio {
  readonly native: TokenBalance | undefined;
  /** By value, the largest first; behind them those without a price that can be believed, by name. */
  readonly tokens: readonly TokenBalance[];
  /** None left, or worth less than 0.10 USD; of those that the source calls so without a price less than one whole token. */
  readonly dust: readonly TokenBalance[];
  readonly spam: readonly TokenBalance[];
  /** By name, each with its token ids in order. */
  readonly collections: readonly NftCollection[];
  readonly spamCollections: readonly NftCollection[];
  readonly total: PortfolioTotal;
}

/** What the holdings are worth together, and how many of them that figure leaves out. */
export interface PortfolioTotal {
  /** Undefined where something is held and nothing of it has a value. */
  readonly value: number | undefined;
  readonly quoteCurrency: string;
  /** Holdings of more than zero without a value: no price, or an unknown amount. */
  readonly withoutValue: number;
  readonly absurdPrice: number;
  /** Those of spam aside, which is no holding to count. */
  readonly nftCollections: number;
}

/**
 * Sorts what an address holds into groups and adds up its value.
 *
 * @param nfts collections that came by a call of their own; they take the place of those among the balances.
 * @example
 * const { tokens, total } = arrangePortfolio(await source.tokenBalances(address, { quoteCurrency: 'EUR' }));
 */
export function arrangePortfolio(
  balances: Pick<TokenBalances, 'quoteCurrency' | 'tokens'>,
  nfts?: Pick<NftBalances, 'collections'>,
): Portfolio {
  const fungible = balances.tokens.filter((token) => !isNftBalance(token));
  const native = fungible.find((token) => token.native);
  const others = fungible.filter((token) => token !== native);
  const group = (name: Group) => others.filter((token) => groupOf(token) === name).sort(compareTokens);
  const all = joinCollections(balances.tokens.filter(isNftBalance).map(toCollection), nfts?.collections);
  const collections = all.filter(({ spam }) => !spam);
  return {
    native,
    tokens: group('tokens'),
    dust: group('dust'),
    spam: group('spam'),
    collections,
    spamCollections: all.filter(({ spam }) => spam),
    total: {
      ...totalOf(fungible.filter((token) => token === native || groupOf(token) !== 'spam')),
      quoteCurrency: balances.quoteCurrency,
      nftCollections: collections.length,
    },
  };
}

type Group = 'dust' | 'spam' | 'tokens';

function groupOf(token: TokenBalance): Group {
  if (token.spam) return 'spam';
  return isDust(token) ? 'dust' : 'tokens';
}

/** What has no value to the source may be called dust for that alone: a plain amount of it is none. */
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

function totalOf(tokens: readonly TokenBalance[]) {
  const held = tokens.filter(({ amount }) => amount !== 0n);
  const absurdPrice = held.filter((token) => token.absurdPrice).length;
  const values = held.map(getCredibleValue).filter((value) => value !== undefined);
  return {
    value: held.length > 0 && values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0),
    withoutValue: held.length - values.length - absurdPrice,
    absurdPrice,
  };
}

function toCollection(token: TokenBalance): NftCollection {
  const { contract, standard, name, symbol, spam, lastTransferAt, nfts } = token;
  return { contract, standard, name, symbol, spam, lastTransferAt, nfts, amount: amountOf(token) };
}

function amountOf({ amount, nfts }: TokenBalance): bigint | undefined {
  if (amount !== undefined || !nfts) return amount;
  return nfts.reduce<bigint | undefined>(
    (sum, nft) => (sum === undefined || nft.amount === undefined ? undefined : sum + nft.amount),
    0n,
  );
}

function joinCollections(
  among: readonly NftCollection[],
  own: readonly NftCollection[] = [],
): readonly NftCollection[] {
  const byContract = new Map<Address, NftCollection>();
  for (const collection of [...among, ...own]) byContract.set(collection.contract, sortIds(collection));
  return [...byContract.values()].sort((a, b) => compareText(a.name ?? a.contract, b.name ?? b.contract));
}

function sortIds(collection: NftCollection): NftCollection {
  const nfts = collection.nfts && [...collection.nfts].sort((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  return { ...collection, nfts };
}

function compareText(a: string, b: string): number {
  return a.localeCompare(b, 'en');
}

/** The tokens of an address, as a source tells them. */
export interface TokenBalances extends Provenance {
  readonly address: Address;
  /** The currency of every price and value: the source's word, which may differ from what was asked. */
  readonly quoteCurrency: string;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly tokens: readonly TokenBalance[];
  /** Whether NFTs are, or would be, among the tokens. */
  readonly includesNfts: boolean;
  /** Entries of the answer that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
  /** What the list is worth, where the source can be asked for that. */
  readonly completeness?: Completeness | undefined;
}

/** Stands for the chain's own coin, as data APIs of most chains write it. */
export const NATIVE_TOKEN_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** One token held. `undefined` means that the source does not tell, which is never the same as zero. */
export interface TokenBalance {
  readonly contract: Address;
  /** Whether it is the chain's own coin, whose `contract` is a stand-in that differs by chain. */
  readonly native: boolean;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units. */
  readonly amount: bigint | undefined;
  /** Price of a whole token, above zero; undefined where the source gives none, zero, or one that cannot be true. */
  readonly price: number | undefined;
  /** Value of the holding; undefined where there is no price. */
  readonly value: number | undefined;
  /** The price told, or the value at it, is beyond belief: to be shown with a mark and left out of sums. */
  readonly absurdPrice: boolean;
  /** The source's class: `cryptocurrency`, `stablecoin`, `nft`, `dust` (worth less than 0.10 USD), or a later one. */
  readonly category: string | undefined;
  /** Told for a few chains only; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  /** Undefined where NFTs were not asked for or the source does not tell them with balances. */
  readonly nfts: readonly NftHolding[] | undefined;
}

/** What an address holds, NFTs included where the source can tell of them. */
export interface Holdings {
  readonly balances: TokenBalances;
  readonly portfolio: Portfolio;
  /** Entries of the answers, NFTs included, that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
  /** Why NFTs are missing; undefined where they are all there. */
  readonly nftProblem: AppError | undefined;
  /** What tokens and NFTs together are worth, where the source can be asked for that. */
  readonly completeness?: Completeness | undefined;
}

/**
 * Tokens and NFTs of one address put together.
 *
 * @param nfts NFTs that came by requests of their own, why they did not come, and why not all of them did; left out
 *   where `balances` has them.
 * @example
 * const { portfolio } = mergeHoldings(balances, nftBalances);
 * portfolio.total.value; // 1234.5, in portfolio.total.quoteCurrency
 */
export function mergeHoldings(
  balances: TokenBalances,
  nfts: {
    readonly balances?: NftBalances;
    readonly problem?: AppError | undefined;
    readonly reasons?: readonly CompletenessReason[];
  } = {},
): Holdings {
  return {
    balances,
    portfolio: arrangePortfolio(balances, nfts.balances),
    skipped: balances.skipped + (nfts.balances?.skipped ?? 0),
    nftProblem: nfts.problem,
    completeness: mergeCompleteness([balances.completeness, nfts.reasons && toCompleteness(nfts.reasons)]),
  };
}

export interface HoldingsOptions extends FetchOptions {
  /** What prices and values are asked in; a source may answer in another, and says so. */
  readonly quoteCurrency: QuoteCurrency;
}

/** The questions of {@link HoldingsProvider}. */
export type HoldingsMethod = 'holdings' | 'tokenBalances';

/**
 * Who tells what an address holds on one chain. Many who ask the same at once cost one request. An answer may be one
 * kept from a moment ago: its `readAt` says of when it is, and nobody else keeps it.
 *
 * @throws AppError, each question, of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
 *   `unauthorized`; `aborted` when the signal fires or the key is taken away.
 */
export interface HoldingsProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<HoldingsMethod>;
  /** The tokens of `address`. */
  tokenBalances(address: Address, options: HoldingsOptions): Promise<TokenBalances>;
  /** The tokens and NFTs of `address`; slower and often dearer than the tokens alone. */
  holdings(address: Address, options: HoldingsOptions): Promise<Holdings>;
}

/**
 * The order in which tokens are shown: the most valuable first, then those without a price to believe, by name.
 *
 * @example
 * balances.tokens.toSorted(compareTokens)
 */
export function compareTokens(a: TokenBalance, b: TokenBalance): number {
  const byValue = (getCredibleValue(b) ?? -1) - (getCredibleValue(a) ?? -1);
  return byValue || nameOf(a).localeCompare(nameOf(b), 'en');
}

/** What a holding is worth, as far as its price can be believed. */
function getCredibleValue({ absurdPrice, value }: TokenBalance): number | undefined {
  return absurdPrice ? undefined : value;
}

function nameOf({ symbol, name, contract }: TokenBalance): string {
  return symbol ?? name ?? contract;
}

type HoldingValue = Pick<TokenBalance, 'absurdPrice' | 'price' | 'value'>;
type HeldToken = Pick<TokenBalance, 'amount' | 'decimals'>;

/**
 * What a holding is worth by the rate that a source tells for one whole token.
 *
 * @param rate zero and undefined are no price; below zero and infinite ones cannot be true.
 * @param told.value the source's own figure; computed where it tells none.
 * @example
 * computeHoldingValue(2, { amount: 1_500_000n, decimals: 6 }, { currency: 'USD' }).value // 3
 */
export function computeHoldingValue(
  rate: number | undefined,
  held: HeldToken,
  told: { readonly currency: string; readonly value?: number | undefined },
): HoldingValue {
  const price = rate !== undefined && rate > 0 && rate < Number.POSITIVE_INFINITY ? rate : undefined;
  const value = price === undefined ? undefined : (told.value ?? valueAt(price, held));
  const absurdPrice = rate !== undefined && rate !== 0 && isAbsurdPrice(rate, value, told.currency);
  return { price, value, absurdPrice };
}

function valueAt(price: number, { amount, decimals }: HeldToken): number | undefined {
  if (amount === undefined || decimals === undefined) return undefined;
  return Number(formatUnits(amount, decimals)) * price;
}

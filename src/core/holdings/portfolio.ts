import type { NftBalances, NftCollection } from '../nfts/nftBalances.ts';
import type { Address } from '../values/address.ts';
import type { TokenBalance, TokenBalances } from './tokenBalances.ts';
import { believedValue, compareTokens } from './tokenOrder.ts';

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
  const fungible = balances.tokens.filter((token) => !isNft(token));
  const native = fungible.find((token) => token.native);
  const others = fungible.filter((token) => token !== native);
  const group = (name: Group) => others.filter((token) => groupOf(token) === name).sort(compareTokens);
  const all = joinCollections(balances.tokens.filter(isNft).map(toCollection), nfts?.collections);
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

function isNft(token: TokenBalance): boolean {
  const { native, category, standard, nfts } = token;
  if (native) return false;
  return category === 'nft' || standard === 'erc721' || standard === 'erc1155' || (nfts?.length ?? 0) > 0;
}

function totalOf(tokens: readonly TokenBalance[]) {
  const held = tokens.filter(({ amount }) => amount !== 0n);
  const absurdPrice = held.filter((token) => token.absurdPrice).length;
  const values = held.map(believedValue).filter((value) => value !== undefined);
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

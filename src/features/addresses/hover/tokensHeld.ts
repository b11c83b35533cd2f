import * as vscode from 'vscode';
import {
  type Address,
  compareTokens,
  type Erc20Balance,
  formatShortAddress,
  formatShortUnits,
  type TokenBalance,
  type TokenBalances,
  toChecksumAddress,
} from '../../../core/index.ts';
import { formatValue } from '../balances/money.ts';
import type { WatchedFigure } from './hoverReader.ts';

/** Tokens that fit on a line; the rest is counted. */
const MOST_SHOWN = 4;
/** From this on a sum of money is written short. */
const LARGE_SUM = 1e6;

/** What is held in one line: watched tokens, the most valuable ones of a source, how many more, NFTs. Empty for none. */
export function tokensHeld(watched: readonly WatchedFigure[], balances: TokenBalances | undefined): string {
  const isWatched = new Set(watched.map(({ contract }) => contract));
  // Spam is neither listed nor counted: whoever sends it wants to be read.
  const held = (balances?.tokens ?? []).filter(
    ({ native, spam, amount }) => !native && !spam && amount !== 0n,
  );
  const tokens = held
    .filter((token) => !isNft(token) && !isWatched.has(token.contract))
    .sort((a, b) => rank(a) - rank(b) || compareTokens(a, b));
  const some = watched.filter(({ balance }) => balance.state !== 'known' || balance.amount > 0n);
  // That there is none of a watched token is worth a word only where there is nothing else to say.
  const own = some.length > 0 || tokens.length > 0 ? some : watched;
  const words = [
    ...own.flatMap(({ contract, balance }) => watchedWords(contract, balance) ?? []),
    ...tokens.map(sourceWords),
  ];
  const left = words.length - MOST_SHOWN;
  const nfts = held.filter(isNft).reduce((sum, token) => sum + countOf(token), 0n);
  return [
    ...words.slice(0, MOST_SHOWN),
    ...(left > 0 ? [vscode.l10n.t('{0} more', left)] : []),
    ...(nfts === 0n ? [] : [nfts === 1n ? vscode.l10n.t('1 NFT') : vscode.l10n.t('{0} NFTs', String(nfts))]),
  ].join(', ');
}

/** A sum of money, in millions and more short: `$25M`. */
export function shortValue(value: number, currency: string): string {
  if (value < LARGE_SUM) return formatValue(value, currency);
  try {
    return new Intl.NumberFormat(vscode.env.language, {
      ...{ style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 3 },
    }).format(value);
  } catch {
    return formatValue(value, currency);
  }
}

/** Dust behind all that is worth something. */
function rank({ category }: TokenBalance): number {
  return category === 'dust' ? 1 : 0;
}

function isNft({ category, standard }: TokenBalance): boolean {
  return category === 'nft' || standard === 'erc721' || standard === 'erc1155';
}

function countOf({ amount, nfts }: TokenBalance): bigint {
  return amount ?? BigInt(nfts?.length ?? 1);
}

function watchedWords(contract: Address, balance: Erc20Balance): string | undefined {
  const address = formatShortAddress(toChecksumAddress(contract));
  switch (balance.state) {
    case 'known':
      return amountWords(balance.amount, balance.decimals, balance.symbol ?? address);
    case 'notAToken':
      return vscode.l10n.t('{0}: not an ERC-20 token here', address);
    case 'notOffered':
      return undefined;
  }
}

function sourceWords({ amount, decimals, symbol, name, contract }: TokenBalance): string {
  const ticker = symbol ?? name ?? formatShortAddress(toChecksumAddress(contract));
  return amount === undefined
    ? vscode.l10n.t('{0}: amount unknown', ticker)
    : amountWords(amount, decimals, ticker);
}

function amountWords(amount: bigint, decimals: number | undefined, ticker: string): string {
  return decimals === undefined
    ? vscode.l10n.t('{0} smallest units of {1}', formatShortUnits(amount, 0), ticker)
    : `${formatShortUnits(amount, decimals)} ${ticker}`;
}

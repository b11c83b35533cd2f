import * as vscode from 'vscode';
import {
  formatUnitsGrouped,
  type Network,
  type NftCollection,
  plainText,
  shortAddress,
  type TokenBalance,
  toChecksumAddress,
} from '../../../core/index.ts';
import { formatTime } from '../../../host/words/formatTime.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import type { NativeFigure, ReadyHoldings } from './balanceReader.ts';
import { formatPrice, formatValue } from './money.ts';

/** A native balance, exact and with its symbol. Unknown is said to be unknown, not zero. */
export function nativeWords({ balance }: NativeFigure, network: Network): string {
  if (balance.state === 'unknown') return vscode.l10n.t('no balance recorded');
  return `${formatUnitsGrouped(balance.wei, network.decimals)} ${plainText(network.symbol)}`;
}

/** Of which network and block a figure is, and of when. */
export function chainSource(
  { head, readAt }: Pick<NativeFigure, 'head' | 'readAt'>,
  network: Network,
): string {
  if (!head) return vscode.l10n.t('{0}, read at {1}', network.name, formatTime(readAt));
  return vscode.l10n.t(
    '{0}, block {1}, read at {2}',
    network.name,
    head.block.toString(),
    formatTime(readAt),
  );
}

/** The amount of a token with its ticker, exact; what its source leaves out is said to be unknown. */
export function holdingWords(token: TokenBalance): string {
  const ticker = token.symbol ?? token.name ?? vscode.l10n.t('unnamed token');
  if (token.amount === undefined) return vscode.l10n.t('amount unknown, {0}', ticker);
  if (token.decimals === undefined) {
    return vscode.l10n.t('{0} smallest units of {1}', token.amount.toString(), ticker);
  }
  return `${formatUnitsGrouped(token.amount, token.decimals)} ${ticker}`;
}

/** The value of a holding and the price that it is at, or that there is none that can be believed. */
export function valueWords({ absurdPrice, price, value }: TokenBalance, currency: string): string {
  if (absurdPrice) return vscode.l10n.t('price not believable');
  if (price === undefined) return vscode.l10n.t('no price');
  const each = formatPrice(price, currency);
  return value === undefined
    ? vscode.l10n.t('{0} each', each)
    : vscode.l10n.t('{0} at {1} each', formatValue(value, currency), each);
}

/** Whose figures these are, of which network and of when. */
export function holdingsSource({ holdings }: ReadyHoldings, { name }: Network): string {
  const { source, updatedAt, readAt } = holdings.balances;
  const from = sourceName(source, vscode.l10n);
  return updatedAt === undefined
    ? vscode.l10n.t('{0}, from {1}, read at {2}', name, from, formatTime(readAt))
    : vscode.l10n.t('{0}, from {1}, as of {2}', name, from, formatTime(updatedAt));
}

export function collectionName({ name, symbol, contract }: NftCollection): string {
  return name ?? symbol ?? shortAddress(toChecksumAddress(contract));
}

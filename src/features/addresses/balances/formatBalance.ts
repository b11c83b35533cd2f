import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatShortAddress,
  formatShortUnits,
  formatTimeOfDay,
  formatUnitsGrouped,
  groupDigits,
  type Network,
  type NftCollection,
  sanitizeText,
  type TokenBalance,
  toChecksumAddress,
} from '../../../core/index.ts';
import { formatAge } from '../../../host/formatTime.ts';
import { formatProviderName } from '../../../host/formatting.ts';
import { formatNumber } from '../../../host/numbers.ts';
import type { LoadedHoldings, NativeBalanceRead } from './balanceReader.ts';

/** Exact, with the symbol. An unknown balance is not zero. */
export function formatNative({ balance }: NativeBalanceRead, network: Network): string {
  if (balance.state === 'unknown') return vscode.l10n.t('Unknown');
  return `${formatUnitsGrouped(balance.wei, network.decimals)} ${sanitizeText(network.symbol)}`;
}

/**
 * {@link formatNative}, rounded. A recent change precedes the symbol, because the end of a narrow row is cut off.
 */
export function formatShortNative({ balance }: NativeBalanceRead, network: Network, change?: bigint): string {
  if (balance.state === 'unknown') return vscode.l10n.t('Unknown');
  const changed = change === undefined ? [] : [formatChange(change, network.decimals)];
  return [formatShortUnits(balance.wei, network.decimals), ...changed, sanitizeText(network.symbol)].join(
    ' ',
  );
}

/** A native balance in wei, or in the smallest unit of the network; undefined for zero. */
export function formatSmallestUnit({ balance }: NativeBalanceRead, network: Network): string | undefined {
  if (balance.state === 'unknown' || balance.wei === 0n) return undefined;
  const amount = groupDigits(balance.wei);
  if (network.decimals === 18) return `${amount} wei`;
  return balance.wei === 1n ? vscode.l10n.t('1 smallest unit') : vscode.l10n.t('{0} smallest units', amount);
}

/** `+0.5`, `−0.00002` */
export function formatChange(change: bigint, decimals: number): string {
  return `${change < 0n ? '−' : '+'}${formatChangeAmount(change, decimals)}`;
}

/** {@link formatChange} for a screen reader. */
export function formatSpokenChange(change: bigint, decimals: number): string {
  const amount = formatChangeAmount(change, decimals);
  return change < 0n ? vscode.l10n.t('down by {0}', amount) : vscode.l10n.t('up by {0}', amount);
}

function formatChangeAmount(change: bigint, decimals: number): string {
  const amount = change < 0n ? -change : change;
  const short = formatShortUnits(amount, decimals);
  return short.startsWith('<') ? formatUnitsGrouped(amount, decimals) : short;
}

/** By wall-clock time: other clocks stop while the machine sleeps. */
export function formatBalanceAge(
  { readAt }: Pick<NativeBalanceRead, 'readAt'>,
  clock: Pick<Clock, 'now'>,
): string {
  return formatAge(Math.max(0, clock.now() - readAt), vscode.l10n);
}

/** {@link formatBalanceAge} of a value that could not be refreshed. */
export function formatLastRead(figure: Pick<NativeBalanceRead, 'readAt'>, clock: Pick<Clock, 'now'>): string {
  return vscode.l10n.t('last read {0}', formatBalanceAge(figure, clock));
}

/** The network, the block and the age. */
export function formatBalanceOrigin(
  figure: Pick<NativeBalanceRead, 'head' | 'readAt'>,
  network: Network,
  clock: Pick<Clock, 'now'>,
): string {
  const age = formatBalanceAge(figure, clock);
  if (!figure.head) return vscode.l10n.t('{0}, read {1}', network.name, age);
  return vscode.l10n.t('{0}, block {1}, read {2}', network.name, formatNumber(figure.head.block), age);
}

/** The exact amount with the ticker; an amount or decimals that the provider omits are marked as unknown. */
export function formatHolding(token: TokenBalance): string {
  const ticker = getTicker(token);
  if (token.amount === undefined) return vscode.l10n.t('amount unknown, {0}', ticker);
  if (token.decimals === undefined) {
    return token.amount === 1n
      ? vscode.l10n.t('1 smallest unit of {0}', ticker)
      : vscode.l10n.t('{0} smallest units of {1}', token.amount.toString(), ticker);
  }
  return `${formatUnitsGrouped(token.amount, token.decimals)} ${ticker}`;
}

/** {@link formatHolding}, rounded. */
export function formatShortHolding(token: TokenBalance): string {
  const { amount, decimals } = token;
  if (amount === undefined || decimals === undefined) return formatHolding(token);
  return `${formatShortUnits(amount, decimals)} ${getTicker(token)}`;
}

function getTicker({ symbol, name }: Pick<TokenBalance, 'name' | 'symbol'>): string {
  return symbol ?? name ?? vscode.l10n.t('unnamed token');
}

/** The value and the unit price, or that there is no plausible one. */
export function formatHoldingValue({ absurdPrice, price, value }: TokenBalance, currency: string): string {
  if (absurdPrice) return vscode.l10n.t('implausible price');
  if (price === undefined) return vscode.l10n.t('no price');
  const each = formatPrice(price, currency);
  return value === undefined
    ? vscode.l10n.t('{0} each', each)
    : vscode.l10n.t('{0} at {1} each', formatValue(value, currency), each);
}

/** The network, the provider and the time. */
export function formatHoldingsOrigin({ holdings }: LoadedHoldings, { name }: Network): string {
  const { source, updatedAt, readAt } = holdings.balances;
  const from = formatProviderName(source, vscode.l10n);
  return updatedAt === undefined
    ? vscode.l10n.t('{0}, from {1}, read at {2}', name, from, formatTimeOfDay(readAt))
    : vscode.l10n.t('{0}, from {1}, as of {2}', name, from, formatTimeOfDay(updatedAt));
}

export function getCollectionName(
  { name, symbol, contract }: NftCollection,
  nameOf: (address: Address) => string | undefined = () => undefined,
): string {
  return name ?? symbol ?? nameOf(contract) ?? formatShortAddress(toChecksumAddress(contract));
}

const formatters = new Map<string, Intl.NumberFormat | undefined>();

/** A sum of money in the language of VS Code. A positive value is never shown as zero. */
export function formatValue(value: number, currency: string): string {
  const formatter = getFormatter(currency, {});
  if (!formatter) return `${value} ${sanitizeText(currency)}`;
  const least = 10 ** -(formatter.resolvedOptions().maximumFractionDigits ?? 0);
  return value > 0 && value < least ? `<${formatter.format(least)}` : formatter.format(value);
}

/** Larger values are written short. */
const MIN_SHORTENED_VALUE = 1e6;

/** {@link formatValue}, from a million with the digits and the suffix of `formatShortUnits`: `$25M`. */
export function formatShortValue(value: number, currency: string): string {
  const parts = getFormatter(currency, { maximumFractionDigits: 0 })?.formatToParts(value);
  if (value < MIN_SHORTENED_VALUE || !Number.isFinite(value) || !parts) return formatValue(value, currency);
  const isDigits = ({ type }: Intl.NumberFormatPart) => type === 'integer' || type === 'group';
  const number = formatShortUnits(BigInt(Math.trunc(value)), 0);
  const first = parts.findIndex(isDigits);
  return parts.flatMap((part, at) => (at === first ? number : isDigits(part) ? [] : part.value)).join('');
}

/** The price of one token: as {@link formatValue}; below one with four significant digits. */
export function formatPrice(price: number, currency: string): string {
  if (price >= 1) return formatValue(price, currency);
  return (
    getFormatter(currency, { maximumSignificantDigits: 4 })?.format(price) ??
    `${price} ${sanitizeText(currency)}`
  );
}

/** Undefined if `currency`, which the provider sends, is no currency code. Cached: creating a formatter is slow. */
function getFormatter(currency: string, digits: Intl.NumberFormatOptions): Intl.NumberFormat | undefined {
  const key = JSON.stringify([currency, digits]);
  if (!formatters.has(key)) formatters.set(key, createFormatter(currency, digits));
  return formatters.get(key);
}

function createFormatter(currency: string, digits: Intl.NumberFormatOptions): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat(vscode.env.language, { style: 'currency', currency, ...digits });
  } catch {
    return undefined;
  }
}

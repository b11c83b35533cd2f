import * as vscode from 'vscode';
import { sanitizeText } from '../../../core/index.ts';

const formatters = new Map<string, Intl.NumberFormat | undefined>();

/** A sum of money in the editor's language. What is more than nothing never reads as nothing. */
export function formatValue(value: number, currency: string): string {
  const formatter = formatterOf(currency, {});
  if (!formatter) return `${value} ${sanitizeText(currency)}`;
  const least = 10 ** -(formatter.resolvedOptions().maximumFractionDigits ?? 0);
  return value > 0 && value < least ? `<${formatter.format(least)}` : formatter.format(value);
}

/** The price of one token: as {@link formatValue}, below one to four significant digits. */
export function formatPrice(price: number, currency: string): string {
  if (price >= 1) return formatValue(price, currency);
  return (
    formatterOf(currency, { maximumSignificantDigits: 4 })?.format(price) ??
    `${price} ${sanitizeText(currency)}`
  );
}

/** Undefined where `currency`, which is the server's word, is no currency code. Kept: making one takes long. */
function formatterOf(currency: string, digits: Intl.NumberFormatOptions): Intl.NumberFormat | undefined {
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

import { type Currency, findCurrency } from '../tokens/prices.ts';
import { Refused } from './refusals.ts';

/** The parameters of `balances_v2`. */
export type BalancesQuery = {
  readonly currency: Currency;
  readonly format: 'JSON' | 'CSV';
  /** Whether NFTs are among the items. */
  readonly nft: boolean;
  /** Whether metadata from outside the chain is left out. */
  readonly noNftFetch: boolean;
};

/** @throws Refused with 400 for a value that is none. */
export function readBalancesQuery(params: URLSearchParams): BalancesQuery {
  const currencyCode = params.get('quote-currency') ?? 'USD';
  const currency = findCurrency(currencyCode);
  if (!currency) throw invalid('quote-currency', currencyCode);
  const format = params.get('format')?.toUpperCase() ?? 'JSON';
  if (format !== 'JSON' && format !== 'CSV') throw invalid('format', format);
  return { currency, format, nft: readFlag(params, 'nft'), noNftFetch: readFlag(params, 'no-nft-fetch') };
}

/** A boolean parameter, false when it is not there. @throws Refused with 400. */
export function readFlag(params: URLSearchParams, name: string): boolean {
  const text = params.get(name)?.toLowerCase() ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalid(name, text);
  return text === 'true';
}

// The service's answer to an odd value is not on record beyond its status.
function invalid(name: string, value: string): Refused {
  return new Refused(400, `Invalid value of ${name}: ${value}`);
}

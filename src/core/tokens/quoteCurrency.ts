/**
 * A currency code that a source prices in (GoldRush client SDK 3.0.6), and how many units of it make one US
 * dollar, to an order of magnitude: enough to tell an absurd price from a possible one, and for nothing else.
 */
const unitsPerDollar = {
  USD: 1,
  CAD: 1,
  EUR: 1,
  SGD: 1,
  INR: 100,
  JPY: 100,
  VND: 10_000,
  CNY: 10,
  KRW: 1_000,
  RUB: 100,
  TRY: 10,
  NGN: 1_000,
  ARS: 1_000,
  AUD: 1,
  CHF: 1,
  GBP: 1,
} as const;

export type QuoteCurrency = keyof typeof unitsPerDollar;

/** Every {@link QuoteCurrency}, the default first. */
export const quoteCurrencies = Object.keys(unitsPerDollar) as readonly QuoteCurrency[];

/**
 * The code written in any case, or undefined if it is none of them.
 *
 * @example
 * parseQuoteCurrency(' eur'); // 'EUR'
 */
export function parseQuoteCurrency(text: unknown): QuoteCurrency | undefined {
  if (typeof text !== 'string') return undefined;
  const code = text.trim().toUpperCase();
  return quoteCurrencies.find((known) => known === code);
}

// No coin has cost ten million dollars and no address holds a trillion; thin pools yield rates of 10^19.
const MAX_TOKEN_PRICE_DOLLARS = 1e7;
const MAX_HOLDING_DOLLARS = 1e12;

/**
 * Whether a price of one whole token, or the value of a holding at it, is beyond belief: too high, below nothing, or
 * no number at all.
 *
 * @param currency a code as the server wrote it; one that is not known counts like the dollar.
 * @example
 * isAbsurdPrice(1e19, undefined, 'USD'); // true
 */
export function isAbsurdPrice(price: number, value: number | undefined, currency: string): boolean {
  const known = parseQuoteCurrency(currency);
  const units = known ? unitsPerDollar[known] : 1;
  return (
    !isWithin(price, MAX_TOKEN_PRICE_DOLLARS * units) || !isWithin(value ?? 0, MAX_HOLDING_DOLLARS * units)
  );
}

function isWithin(amount: number, most: number): boolean {
  return amount >= 0 && amount <= most;
}

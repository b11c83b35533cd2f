/**
 * The currencies of GoldRush (client SDK 3.0.6), with the units that make one US dollar to an order of
 * magnitude: accurate enough to detect an absurd price, and for nothing else.
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

/** The default comes first. */
export const quoteCurrencies = Object.keys(unitsPerDollar) as readonly QuoteCurrency[];

/**
 * Parses a currency code in any case; undefined if not supported.
 *
 * @example
 * parseQuoteCurrency(' eur'); // 'EUR'
 */
export function parseQuoteCurrency(text: unknown): QuoteCurrency | undefined {
  if (typeof text !== 'string') return undefined;
  const code = text.trim().toUpperCase();
  return quoteCurrencies.find((supported) => supported === code);
}

// No coin has cost ten million dollars and no address owns a trillion; thin pools yield rates of 10^19.
const MAX_TOKEN_PRICE_DOLLARS = 1e7;
const MAX_HOLDING_DOLLARS = 1e12;

/**
 * Whether the price of one whole token, or the value of a holding at that price, is not credible: too high,
 * negative, or not a number.
 *
 * @param currency as the server reports it; an unknown one is treated like the dollar.
 * @example
 * isAbsurdPrice(1e19, undefined, 'USD'); // true
 */
export function isAbsurdPrice(price: number, value: number | undefined, currency: string): boolean {
  const supported = parseQuoteCurrency(currency);
  const units = supported ? unitsPerDollar[supported] : 1;
  return (
    !isWithin(price, MAX_TOKEN_PRICE_DOLLARS * units) || !isWithin(value ?? 0, MAX_HOLDING_DOLLARS * units)
  );
}

function isWithin(amount: number, max: number): boolean {
  return amount >= 0 && amount <= max;
}

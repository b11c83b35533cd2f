/** What one US dollar is worth here, forever: answers must repeat. Its keys are the service's currencies. */
const perDollar = {
  ...{ USD: 1, CAD: 1.37, EUR: 0.92, SGD: 1.34, INR: 83.5, JPY: 151, VND: 25_000, CNY: 7.2 },
  ...{ KRW: 1350, RUB: 92, TRY: 32, NGN: 1400, ARS: 870, AUD: 1.52, CHF: 0.9, GBP: 0.79 },
} as const;

export type Currency = keyof typeof perDollar;

/** Dollars for a whole token. Tide, and whatever else is not here, has no price. */
const dollars: Readonly<Record<string, number>> = { PALM: 0.0123, ETH: 2500, HUSD: 1.0001 };

const stablecoins: ReadonlySet<string> = new Set(['HUSD']);
const dustBelowDollars = 0.1;

/** The currency of a code in any case. */
export function findCurrency(code: string): Currency | undefined {
  const upper = code.toUpperCase();
  return Object.hasOwn(perDollar, upper) ? (upper as Currency) : undefined;
}

export type Quote = { readonly rate: number; readonly value: number };

export function quote(
  symbol: string | undefined,
  amount: bigint,
  decimals: number,
  currency: Currency,
): Quote | undefined {
  const price = dollarPrice(symbol);
  if (price === undefined) return undefined;
  const rate = price * perDollar[currency];
  return { rate, value: wholeTokens(amount, decimals) * rate };
}

/** The service's class of a holding that is not an NFT. */
export function category(symbol: string | undefined, amount: bigint, decimals: number): string {
  const price = dollarPrice(symbol);
  if (price !== undefined && wholeTokens(amount, decimals) * price < dustBelowDollars) return 'dust';
  return stablecoins.has(symbol ?? '') ? 'stablecoin' : 'cryptocurrency';
}

export function prettyQuote(value: number, currency: Currency): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(value);
}

/** Dollars for a whole token; undefined where it has no price. */
export function dollarPrice(symbol: string | undefined): number | undefined {
  return symbol !== undefined && Object.hasOwn(dollars, symbol) ? dollars[symbol] : undefined;
}

function wholeTokens(amount: bigint, decimals: number): number {
  return Number(amount) / 10 ** decimals;
}

/** Credits of a request, by the route of the explorer behind the gateway; the first pattern that fits. */
const prices: readonly (readonly [RegExp, number])[] = [
  [/\/coin-balance-history$|\/coin-balance-history-by-day$|\/raw-trace$|\/summary$/, 50],
  [/\/internal-transactions$/, 40],
  [/\/addresses\/[^/]+\/(?:logs|token-transfers)$|\/tokens\/[^/]+\/transfers$|\/v2\/tokens$/, 30],
];
const DEFAULT_PRICE = 20;

export function priceOf(path: string): number {
  return prices.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_PRICE;
}

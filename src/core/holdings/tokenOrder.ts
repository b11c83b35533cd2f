import type { TokenBalance } from './tokenBalances.ts';

/**
 * The order in which tokens are shown: the most valuable first, then those without a price to believe, by name.
 *
 * @example
 * balances.tokens.toSorted(compareTokens)
 */
export function compareTokens(a: TokenBalance, b: TokenBalance): number {
  const byValue = (believedValue(b) ?? -1) - (believedValue(a) ?? -1);
  return byValue || nameOf(a).localeCompare(nameOf(b), 'en');
}

/** What a holding is worth, as far as its price can be believed. */
export function believedValue({ absurdPrice, value }: TokenBalance): number | undefined {
  return absurdPrice ? undefined : value;
}

function nameOf({ symbol, name, contract }: TokenBalance): string {
  return symbol ?? name ?? contract;
}

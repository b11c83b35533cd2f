import { formatUnits } from '../values/units.ts';
import { isAbsurdPrice } from './quoteCurrency.ts';
import type { TokenBalance } from './tokenBalances.ts';

type Worth = Pick<TokenBalance, 'absurdPrice' | 'price' | 'value'>;
type Held = Pick<TokenBalance, 'amount' | 'decimals'>;

/**
 * What a holding is worth by the rate that a source tells for one whole token.
 *
 * @param rate zero and undefined are no price; below zero and infinite ones cannot be true.
 * @param told.value the source's own figure; computed where it tells none.
 * @example
 * holdingWorth(2, { amount: 1_500_000n, decimals: 6 }, { currency: 'USD' }).value // 3
 */
export function holdingWorth(
  rate: number | undefined,
  held: Held,
  told: { readonly currency: string; readonly value?: number | undefined },
): Worth {
  const price = rate !== undefined && rate > 0 && rate < Number.POSITIVE_INFINITY ? rate : undefined;
  const value = price === undefined ? undefined : (told.value ?? valueAt(price, held));
  const absurdPrice = rate !== undefined && rate !== 0 && isAbsurdPrice(rate, value, told.currency);
  return { price, value, absurdPrice };
}

function valueAt(price: number, { amount, decimals }: Held): number | undefined {
  if (amount === undefined || decimals === undefined) return undefined;
  return Number(formatUnits(amount, decimals)) * price;
}

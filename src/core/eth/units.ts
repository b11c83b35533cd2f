import { format } from 'ox/Value';
import { groupDigits } from '../base/text.ts';

/**
 * An integer amount of smallest units as an exact decimal string: 1500000000000000000 with 18 decimals is `1.5`.
 *
 * @param decimals 0 to 255.
 * @example formatUnits(1_500_000_000_000_000_000n, 18) // '1.5'
 */
export function formatUnits(amount: bigint, decimals: number): string {
  return format(amount, decimals);
}

/**
 * {@link formatUnits} with the whole part grouped by commas: `1,234,567.000001`.
 *
 * @example formatUnitsGrouped(1_234_567_000_001n, 6) // '1,234,567.000001'
 */
export function formatUnitsGrouped(amount: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(amount, decimals).split('.');
  const grouped = groupDigits(whole);
  return fraction ? `${grouped}.${fraction}` : grouped;
}

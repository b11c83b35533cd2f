import { format } from 'ox/Value';

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

/**
 * A count with its noun, for output that is not localized: `1 log`, `5 logs`.
 *
 * @example formatQuantity(1, 'log') // '1 log'
 */
export function formatQuantity(count: bigint | number, noun: string): string {
  return `${count} ${noun}${count.toString() === '1' ? '' : 's'}`;
}

/**
 * A whole number with its digits grouped by commas: `21,345,678`.
 *
 * @example groupDigits(21_345_678) // '21,345,678'
 */
export function groupDigits(whole: string | bigint | number): string {
  const digits = whole.toString();
  const start = digits.startsWith('-') ? 1 : 0;
  let at = start + ((digits.length - start) % 3 || 3);
  let grouped = digits.slice(0, at);
  for (; at < digits.length; at += 3) grouped += `,${digits.slice(at, at + 3)}`;
  return grouped;
}

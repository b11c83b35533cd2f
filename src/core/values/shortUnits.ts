import { formatUnits, groupDigits } from './units.ts';

const scales = [
  { digits: 13, drop: 12, name: 'T' },
  { digits: 10, drop: 9, name: 'B' },
  { digits: 7, drop: 6, name: 'M' },
] as const;

/** Above this many digits a number is no longer read as one. */
const MOST_DIGITS = 18;
const SIGNIFICANT = 4;

/**
 * An amount for a narrow place, cut and never rounded up, so that nobody seems to have more than they have: millions
 * and more with two decimals and `M`, `B` or `T`, thousands with two decimals, below a thousand four, below one four
 * significant digits. What is more than nothing never reads as nothing.
 *
 * @param amount in smallest units, zero or more.
 * @param decimals 0 to 255.
 * @example shortUnits(49_882_000_123_456n, 6) // '49.88 M'
 * @example shortUnits(10_002_250_000_000_000_000_000n, 18) // '10,002.25'
 * @example shortUnits(1n, 18) // '<0.000001'
 */
export function shortUnits(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const scale = scales.find(({ digits }) => whole.length >= digits);
  if (whole.length > MOST_DIGITS) return `${whole[0]}.${whole.slice(1, 3)}e${whole.length - 1}`;
  if (scale) {
    const cut = whole.length - scale.drop;
    return `${withFraction(groupDigits(whole.slice(0, cut)), whole.slice(cut, cut + 2))} ${scale.name}`;
  }
  if (whole.length > 3) return withFraction(groupDigits(whole), fraction.slice(0, 2));
  if (whole !== '0') return withFraction(whole, fraction.slice(0, SIGNIFICANT));
  const first = fraction.search(/[1-9]/);
  if (first < 0) return '0';
  return first >= 6 ? '<0.000001' : withFraction('0', fraction.slice(0, first + SIGNIFICANT));
}

function withFraction(whole: string, fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
}

import type { AbiEvent } from '../abi/item.ts';
import { formatUnits, formatUnitsGrouped, groupDigits } from '../eth/units.ts';

/** How amounts of a token are written. */
export interface TokenUnits {
  readonly symbol: string | undefined;
  readonly decimals: number;
}

const WITH_AMOUNT = new Set(['Transfer(address,address,uint256)', 'Approval(address,address,uint256)']);
const AMOUNT_INDEX = 2;
/** Digits behind the point that are shown at least, and at most. */
const MIN_FRACTION_DIGITS = 2;
const MAX_FRACTION_DIGITS = 8;

/**
 * Whether an argument of an event is an amount of the token that emits it: the last of ERC-20's `Transfer` and
 * `Approval`. In those of ERC-721, of the same signatures, it is indexed and a token id.
 *
 * @param index of the argument, from 0.
 * @example isAmount(event, 2); // true for the value of an ERC-20 Transfer
 */
export function isAmount({ signature, inputs }: AbiEvent, index: number): boolean {
  return index === AMOUNT_INDEX && WITH_AMOUNT.has(signature) && inputs[index]?.indexed === false;
}

/**
 * An amount in units with its symbol: two digits behind the point or more, of which the ninth and those behind it are
 * only told by an ellipsis, but for the first two that are not zero.
 *
 * @param amount in smallest units.
 * @example formatAmount(1_250_000_000n, { symbol: 'HUSD', decimals: 6 }) // '1,250.00 HUSD'
 */
export function formatAmount(amount: bigint, { symbol, decimals }: TokenUnits): string {
  const number = formatFraction(amount, decimals);
  return symbol === undefined ? number : `${number} ${symbol}`;
}

function formatFraction(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnitsGrouped(amount, decimals).split('.');
  const padded = fraction.padEnd(Math.min(MIN_FRACTION_DIGITS, decimals), '0');
  if (padded === '') return whole;
  const most =
    whole === '0'
      ? Math.max(MAX_FRACTION_DIGITS, padded.search(/[1-9]/) + MIN_FRACTION_DIGITS)
      : MAX_FRACTION_DIGITS;
  return padded.length > most ? `${whole}.${padded.slice(0, most)}…` : `${whole}.${padded}`;
}

/**
 * Whether an event tells an amount of the token that emits it.
 *
 * @returns true where {@link isAmount} holds of an argument.
 * @example hasAmount(event); // true for an ERC-20 Transfer
 */
export function hasAmount(event: AbiEvent): boolean {
  return isAmount(event, AMOUNT_INDEX);
}

const scales = [
  { digits: 13, drop: 12, name: 'T' },
  { digits: 10, drop: 9, name: 'B' },
  { digits: 7, drop: 6, name: 'M' },
] as const;

/** Above this many digits a number is no longer read as one. */
const MAX_WHOLE_DIGITS = 18;
const SIGNIFICANT_DIGITS = 4;

/**
 * An amount for a narrow place, cut and never rounded up, so that nobody seems to have more than they have: millions
 * and more with two decimals and `M`, `B` or `T`, thousands with two decimals, below a thousand four, below one four
 * significant digits. What is more than nothing never reads as nothing.
 *
 * @param amount in smallest units, zero or more.
 * @param decimals 0 to 255.
 * @example formatShortUnits(49_882_000_123_456n, 6) // '49.88 M'
 * @example formatShortUnits(10_002_250_000_000_000_000_000n, 18) // '10,002.25'
 * @example formatShortUnits(1n, 18) // '<0.000001'
 */
export function formatShortUnits(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const scale = scales.find(({ digits }) => whole.length >= digits);
  if (whole.length > MAX_WHOLE_DIGITS) return `${whole[0]}.${whole.slice(1, 3)}e${whole.length - 1}`;
  if (scale) {
    const cut = whole.length - scale.drop;
    return `${withFraction(groupDigits(whole.slice(0, cut)), whole.slice(cut, cut + 2))} ${scale.name}`;
  }
  if (whole.length > 3) return withFraction(groupDigits(whole), fraction.slice(0, 2));
  if (whole !== '0') return withFraction(whole, fraction.slice(0, SIGNIFICANT_DIGITS));
  const first = fraction.search(/[1-9]/);
  if (first < 0) return '0';
  return first >= 6 ? '<0.000001' : withFraction('0', fraction.slice(0, first + SIGNIFICANT_DIGITS));
}

function withFraction(whole: string, fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
}

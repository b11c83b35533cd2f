import { formatUnitsGrouped } from '../values/units.ts';
import type { AbiEvent } from './abiItem.ts';

/** How amounts of a token are written. */
export interface TokenUnits {
  readonly symbol: string | undefined;
  readonly decimals: number;
}

const WITH_AMOUNT = new Set(['Transfer(address,address,uint256)', 'Approval(address,address,uint256)']);
const AMOUNT_INDEX = 2;
/** Digits behind the point that are shown at least, and at most. */
const LEAST_FRACTION = 2;
const MOST_FRACTION = 8;

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
 * @example amountText(1_250_000_000n, { symbol: 'HUSD', decimals: 6 }) // '1,250.00 HUSD'
 */
export function amountText(amount: bigint, { symbol, decimals }: TokenUnits): string {
  const number = numberText(amount, decimals);
  return symbol === undefined ? number : `${number} ${symbol}`;
}

function numberText(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnitsGrouped(amount, decimals).split('.');
  const padded = fraction.padEnd(Math.min(LEAST_FRACTION, decimals), '0');
  if (padded === '') return whole;
  const most =
    whole === '0' ? Math.max(MOST_FRACTION, padded.search(/[1-9]/) + LEAST_FRACTION) : MOST_FRACTION;
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

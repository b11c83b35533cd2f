import { formatUnitsGrouped } from '../values/units.ts';
import type { AbiEvent } from './abiItem.ts';

/** How amounts of a token are written. */
export interface TokenUnits {
  readonly symbol: string | undefined;
  readonly decimals: number;
}

const WITH_AMOUNT = new Set(['Transfer(address,address,uint256)', 'Approval(address,address,uint256)']);
const AMOUNT_INDEX = 2;
const UNLIMITED = 2n ** 256n - 1n;
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
 * only told by an ellipsis. The greatest uint256, which an allowance means as without limit, is `unlimited`.
 *
 * @param amount in smallest units.
 * @example amountText(1_250_000_000n, { symbol: 'HUSD', decimals: 6 }) // '1,250.00 HUSD'
 */
export function amountText(amount: bigint, { symbol, decimals }: TokenUnits): string {
  const number = amount === UNLIMITED ? 'unlimited' : numberText(amount, decimals);
  return symbol === undefined ? number : `${number} ${symbol}`;
}

function numberText(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnitsGrouped(amount, decimals).split('.');
  const padded = fraction.padEnd(Math.min(LEAST_FRACTION, decimals), '0');
  if (padded === '') return whole;
  return padded.length > MOST_FRACTION ? `${whole}.${padded.slice(0, MOST_FRACTION)}…` : `${whole}.${padded}`;
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

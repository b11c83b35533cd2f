import { type StoredWord, wordOf } from './packed/storedWord.ts';

/** A number as a person types it, exact: `1,250.5` is 12505 with one digit behind the point. */
export interface TypedNumber {
  readonly digits: bigint;
  readonly fraction: number;
}

const NUMBER = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/;
/** A uint256 has 78. */
const MOST_DIGITS = 100;

export function readNumber(text: string): TypedNumber | undefined {
  if (text.length > MOST_DIGITS) return undefined;
  const [, sign = '', whole = '', fraction = ''] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  return { digits: BigInt(`${sign}${whole.replaceAll(',', '')}${fraction}`), fraction: fraction.length };
}

/** What a number is in smallest units: the integer at it or below, and whether that is it. */
export interface InUnits {
  readonly floor: bigint;
  readonly isExact: boolean;
}

export function inUnits({ digits, fraction }: TypedNumber, decimals: number): InUnits {
  if (decimals >= fraction) return { floor: digits * 10n ** BigInt(decimals - fraction), isExact: true };
  const divisor = 10n ** BigInt(fraction - decimals);
  const rest = digits % divisor;
  return { floor: digits / divisor - (rest < 0n ? 1n : 0n), isExact: rest === 0n };
}

const BITS = 256;

/** An integer as a word of 256 bits, with sign or without; undefined where it does not fit. */
export function fittingWord(value: bigint, signed: boolean): StoredWord | undefined {
  const fits = signed ? BigInt.asIntN(BITS, value) === value : BigInt.asUintN(BITS, value) === value;
  return fits ? wordOf(value) : undefined;
}

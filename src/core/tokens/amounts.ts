import type { AbiEvent, AbiFunction } from '../abi/item.ts';
import { type AbiType, type AmountUnit, isHashed } from '../abi/type.ts';
import { groupDigits } from '../base/text.ts';
import type { Address } from '../eth/hex.ts';
import { formatUnits, formatUnitsGrouped } from '../eth/units.ts';

/**
 * Whether an argument of an event is an amount of the token that emits it: the last one of ERC-20's
 * `Transfer` and `Approval`. ERC-721 has the same signatures, but indexes that argument, which is a token ID.
 *
 * @param index of the argument, from 0.
 * @example isAmount(event, 2); // true for the value of an ERC-20 Transfer
 */
export function isAmount({ signature, inputs }: AbiEvent, index: number): boolean {
  return index === AMOUNT_INDEX && SIGNATURES_WITH_AMOUNT.has(signature) && inputs[index]?.indexed === false;
}

/** Finds the units of a token by its address, or by the name or symbol that a unit has; undefined until they are known. */
export type UnitsOf = (token: string) => TokenUnits | undefined;

/** For units with fixed decimals, and types whose tokens are resolved. */
export const noTokens: UnitsOf = () => undefined;

/**
 * What an argument of an event counts: as the project says it, else the token that emits it, by {@link isAmount}.
 * Undefined for other arguments.
 *
 * @param contract that emitted the event.
 * @example getUnit(transfer, 2, token); // { kind: 'token', token: '0x…' }
 */
export function getUnit(event: AbiEvent, index: number, contract: Address): AmountUnit | undefined {
  const input = event.inputs[index];
  if (!input || isHashed(input)) return undefined;
  const declared = getDeclaredUnit(input.type);
  return declared ?? (isAmount(event, index) ? { kind: 'token', token: contract } : undefined);
}

/**
 * Whether an argument of an event counts something, in any contract that emits it.
 *
 * @example hasUnit(transfer, 2); // true
 */
export function hasUnit(event: AbiEvent, index: number): boolean {
  return getUnit(event, index, '0x') !== undefined;
}

/** What an integer counts, if the project says it. */
export function getDeclaredUnit(type: AbiType): AmountUnit | undefined {
  return type.kind === 'uint' || type.kind === 'int' ? type.unit : undefined;
}

/**
 * The symbol and decimals of a unit; undefined for a token whose units are not known.
 *
 * @example resolveUnit({ kind: 'fixed', symbol: 'ether', decimals: 18 }, () => undefined)?.decimals // 18
 */
export function resolveUnit(unit: AmountUnit | undefined, unitsOf: UnitsOf): TokenUnits | undefined {
  if (!unit) return undefined;
  return unit.kind === 'fixed' ? unit : unitsOf(unit.token);
}

/**
 * The tokens that the arguments of an event are amounts of, by address or name.
 *
 * @example listEventTokens(transfer, token); // ['0x…']
 */
export function listEventTokens(event: AbiEvent, contract: Address): readonly string[] {
  const tokens = listTokens(event.inputs.filter((input) => !isHashed(input)).map(({ type }) => type));
  return isAmount(event, AMOUNT_INDEX) ? [...tokens, contract] : tokens;
}

/** The tokens that values of these types are amounts of, as the project says it. */
export function listTokens(types: readonly AbiType[]): readonly string[] {
  return types.flatMap((type): readonly string[] => {
    if (type.kind === 'array') return listTokens([type.item]);
    if (type.kind === 'tuple') return listTokens(type.members.map((member) => member.type));
    const unit = getDeclaredUnit(type);
    return unit?.kind === 'token' ? [unit.token] : [];
  });
}

/** The type with the symbols and decimals of tokens in place of their names. */
export function resolveTypeUnits(type: AbiType, unitsOf: UnitsOf): AbiType {
  if (type.kind === 'array') return { ...type, item: resolveTypeUnits(type.item, unitsOf) };
  if (type.kind === 'tuple') {
    const resolve = (member: AbiType) => resolveTypeUnits(member, unitsOf);
    return { ...type, members: type.members.map((one) => ({ ...one, type: resolve(one.type) })) };
  }
  const units = resolveUnit(getDeclaredUnit(type), unitsOf);
  return units ? ({ ...type, unit: { kind: 'fixed', ...units } } as AbiType) : type;
}

/**
 * Whether a view function returns an amount of the token that it belongs to: `totalSupply`, `balanceOf` and `allowance` of
 * ERC-20. ERC-721 has the first two as well, but no decimals.
 *
 * @example returnsAmount(parseAbiItem('function totalSupply() view returns (uint256)')); // true
 */
export function returnsAmount({
  signature,
  outputs: [output, ...others],
}: Pick<AbiFunction, 'outputs' | 'signature'>): boolean {
  return VIEWS_OF_AMOUNTS.has(signature) && output?.type.text === 'uint256' && others.length === 0;
}

const VIEWS_OF_AMOUNTS = new Set(['totalSupply()', 'balanceOf(address)', 'allowance(address,address)']);

export interface TokenUnits {
  readonly symbol: string | undefined;
  readonly decimals: number;
}

/**
 * Formats an amount in whole units, with the symbol: at least two decimals and at most eight, or up to the
 * second significant digit if that is longer. An ellipsis marks further digits.
 *
 * @param amount in the smallest unit.
 * @example formatAmount(1_250_000_000n, { symbol: 'HUSD', decimals: 6 }) // '1,250.00 HUSD'
 */
export function formatAmount(amount: bigint, { symbol, decimals }: TokenUnits): string {
  const number = formatFraction(amount, decimals);
  return symbol === undefined ? number : `${number} ${symbol}`;
}

const MIN_FRACTION_DIGITS = 2;
const MAX_FRACTION_DIGITS = 8;

function formatFraction(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnitsGrouped(amount, decimals).split('.');
  const padded = fraction.padEnd(Math.min(MIN_FRACTION_DIGITS, decimals), '0');
  if (padded === '') return whole;
  const maxDigits =
    whole === '0'
      ? Math.max(MAX_FRACTION_DIGITS, padded.search(/[1-9]/) + MIN_FRACTION_DIGITS)
      : MAX_FRACTION_DIGITS;
  return padded.length > maxDigits ? `${whole}.${padded.slice(0, maxDigits)}…` : `${whole}.${padded}`;
}

const SIGNATURES_WITH_AMOUNT = new Set([
  'Transfer(address,address,uint256)',
  'Approval(address,address,uint256)',
]);
const AMOUNT_INDEX = 2;

/**
 * Formats an amount for a narrow column. Truncates and never rounds up, so that nobody appears to own more
 * than they do: two decimals with `M`, `B` or `T` from a million, two decimals from a thousand, four below
 * that, four significant digits below one. An amount above zero never reads as zero.
 *
 * @param amount in the smallest unit, zero or more.
 * @param decimals 0 to 255.
 * @example formatShortUnits(49_882_000_123_456n, 6) // '49.88M'
 * @example formatShortUnits(10_002_250_000_000_000_000_000n, 18) // '10,002.25'
 * @example formatShortUnits(1n, 18) // '<0.000001'
 */
export function formatShortUnits(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const scale = scales.find(({ digits }) => whole.length >= digits);
  if (whole.length > MAX_WHOLE_DIGITS) return `${whole[0]}.${whole.slice(1, 3)}e${whole.length - 1}`;
  if (scale) {
    const cut = whole.length - scale.drop;
    return `${withFraction(groupDigits(whole.slice(0, cut)), whole.slice(cut, cut + 2))}${scale.name}`;
  }
  if (whole.length > 3) return withFraction(groupDigits(whole), fraction.slice(0, 2));
  if (whole !== '0') return withFraction(whole, fraction.slice(0, SIGNIFICANT_DIGITS));
  const first = fraction.search(/[1-9]/);
  if (first < 0) return '0';
  return first >= 6 ? '<0.000001' : withFraction('0', fraction.slice(0, first + SIGNIFICANT_DIGITS));
}

const scales = [
  { digits: 13, drop: 12, name: 'T' },
  { digits: 10, drop: 9, name: 'B' },
  { digits: 7, drop: 6, name: 'M' },
] as const;

/** Longer numbers are written in exponential notation. */
const MAX_WHOLE_DIGITS = 18;
const SIGNIFICANT_DIGITS = 4;

function withFraction(whole: string, fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
}

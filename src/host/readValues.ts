import {
  type AbiFunction,
  type AbiItemText,
  type AbiLookup,
  type AbiType,
  type AbiValue,
  type Address,
  type ChainAddress,
  type ChainClient,
  formatAbiItem,
  formatAmount,
  formatReadValue,
  parseAbiItem,
  type ReadFormat,
  returnsAmount,
  type TokenUnits,
} from '../core/index.ts';
import type { Localizer } from './l10n.ts';

/**
 * The function of a declaration, with the enums that the project declares for it.
 *
 * @returns undefined if it is not a declaration of a function.
 */
export function parseViewFunction(
  declaration: AbiItemText,
  at: ChainAddress,
  lookup: AbiLookup | undefined,
): AbiFunction | undefined {
  const item = parseAbiItem(declaration);
  if (item?.kind !== 'function') return undefined;
  const text = formatAbiItem(item);
  const candidates = lookup?.functions(item.selector, at) ?? [];
  return candidates.find((candidate) => formatAbiItem(candidate.item) === text)?.item ?? item;
}

/** The units of what a function returns; undefined if that is no amount of its token, or they cannot be read. */
export async function fetchReadUnits(
  { address, item }: { readonly address: Address; readonly item: AbiFunction },
  client: Pick<ChainClient, 'fetchTokenUnits'>,
  options: { readonly signal: AbortSignal },
): Promise<TokenUnits | undefined> {
  return returnsAmount(item) ? client.fetchTokenUnits(address, options).catch(() => undefined) : undefined;
}

export interface ViewFormat extends ReadFormat {
  /** Set if the value is an amount. */
  readonly units?: TokenUnits | undefined;
  readonly l10n: Localizer;
}

/** A returned value on one line, as `formatReadValue` writes it; an amount in units of its token. */
export function formatViewValue(
  type: AbiType,
  value: AbiValue,
  { units, l10n, ...format }: ViewFormat,
): string {
  if (!units || typeof value !== 'bigint') return formatReadValue(type, value, format);
  return value === NO_LIMIT ? l10n.t('Unlimited') : formatAmount(value, units);
}

/** An allowance that is never used up. */
const NO_LIMIT = 2n ** 256n - 1n;

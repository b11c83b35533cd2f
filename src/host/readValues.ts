import {
  type AbiFunction,
  type AbiItemText,
  type AbiLookup,
  type AbiType,
  type AbiValue,
  type ChainAddress,
  fetchNamedUnits,
  formatAbiItem,
  formatReadValue,
  getDeclaredUnit,
  noTokens,
  parseAbiItem,
  type ReadDeps,
  type ReadFormat,
  resolveUnit,
  type TokenUnits,
} from '../core/index.ts';
import type { WorkspaceContracts } from './contracts/workspaceContracts.ts';
import type { Localizer } from './l10n.ts';
import type { Connection } from './session/session.ts';

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

/** Fetches the units of amounts that view functions return: of the token itself, and as the project says them. */
export function createUnitsFetcher(
  contracts: Pick<WorkspaceContracts, 'known'>,
  { client, network }: Pick<Connection, 'client' | 'network'>,
): NonNullable<ReadDeps['fetchUnits']> {
  return (tokens, options) =>
    fetchNamedUnits(tokens, { client, chainId: network.chainId, index: contracts.known }, options);
}

/** The units of a value that a view function returned; undefined if it is no amount, or they are not known. */
export function getReturnedUnits(type: AbiType): TokenUnits | undefined {
  return resolveUnit(getDeclaredUnit(type), noTokens);
}

export interface ViewFormat extends ReadFormat {
  readonly l10n: Localizer;
}

/** A returned value on one line, as `formatReadValue` writes it; an amount of the greatest integer is unlimited. */
export function formatViewValue(type: AbiType, value: AbiValue, { l10n, ...format }: ViewFormat): string {
  const isUnlimited = value === NO_LIMIT && getReturnedUnits(type) !== undefined;
  return isUnlimited ? l10n.t('Unlimited') : formatReadValue(type, value, format);
}

/** An allowance that is never used up. */
const NO_LIMIT = 2n ** 256n - 1n;

import {
  formatIsoTime,
  formatLocalTime,
  formatTimeOfDay,
  type Origin,
  type Price,
  type ProviderLabel,
  toChecksumAddress,
  type VerifiedOrigin,
  type VisibleBackoff,
} from '../core/index.ts';
import type { PanelError } from '../messaging/panel.ts';
import type { ErrorDescription } from './errors.ts';
import type { Localizer } from './l10n.ts';

/** Formats the price of a request to a provider, as a sentence. */
export function formatCost(price: Price, l10n: Localizer, locale: string): string {
  if (price === 'free') return l10n.t('It costs nothing.');
  if (price === 'unpublished') return l10n.t('The provider does not publish its cost in credits.');
  const credits = price.max.toLocaleString(locale);
  const isOne = price.max === 1;
  if (price.per === 'question') {
    return isOne
      ? l10n.t('It costs 1 credit of your key.')
      : l10n.t('It costs {0} credits of your key.', credits);
  }
  return isOne
    ? l10n.t('It costs 1 credit of your key for each entry.')
    : l10n.t('It costs {0} credits of your key for each entry.', credits);
}

export function toPanelError({
  message,
  advice,
  remedies,
}: Pick<ErrorDescription, 'message' | 'advice' | 'remedies'>): PanelError {
  return { message, advice, remedies: remedies.map(({ title }) => title) };
}

/** A time for a cell: to the second, since blocks are seconds apart, and in UTC. */
interface FormattedTime {
  readonly text: string;
  readonly hint: string;
}

/** Formats milliseconds since the Unix epoch. */
export function formatTimeCell(time: number): FormattedTime {
  return { text: formatLocalTime(time), hint: formatIsoTime(time) ?? '' };
}

/**
 * Names the origin of an item: a workspace file and its contract, the verifier of the contract, a bundled list, or
 * a signature database.
 */
export function formatOriginLabel(origin: Origin, l10n: Localizer): string {
  const { trust, from, contract, line, verified } = origin;
  if (verified) return formatVerifiedOrigin(origin, verified, l10n);
  if (trust === 'signatures') return l10n.t('name only, from {0}', from);
  if (trust === 'bundled') return from === 'Solidity' ? from : l10n.t('bundled list {0}', from);
  const place = line === undefined ? from : `${from}:${line}`;
  const location = contract === undefined ? place : l10n.t('{0} in {1}', contract, place);
  return trust === 'deployment' ? l10n.t('deployment of {0}', location) : location;
}

function formatVerifiedOrigin(
  { trust, from, contract }: Origin,
  verified: VerifiedOrigin,
  l10n: Localizer,
): string {
  const named = contract === undefined ? from : l10n.t('{0} at {1}', contract, from);
  if (trust === 'twin') {
    if (verified.twin === undefined)
      return l10n.t('{0}: verified for another contract with the same code', named);
    return l10n.t(
      '{0}: verified for a contract with the same code, {1}',
      named,
      toChecksumAddress(verified.twin),
    );
  }
  if (verified.changedBytecode) return l10n.t('verified {0}; its code has changed since', named);
  return trust === 'verified'
    ? l10n.t('verified {0}', named)
    : l10n.t('verified except for metadata: {0}', named);
}

/** A prefix that identifies a commit within a repository. */
export function formatShortCommit(commit: string): string {
  return commit.slice(0, 8);
}

/** Names a provider: "the data API", "the contract", or its origin. */
export function formatProviderName({ name, origin }: ProviderLabel, l10n: Localizer): string {
  if (name === 'covalent') return l10n.t('the data API');
  return name === 'calls' ? l10n.t('the contract') : origin;
}

/** Formats a backoff by its end rather than the remaining time, so that screen readers read it once. */
export function formatBackoff({ endsAt, byServer }: VisibleBackoff, l10n: Localizer): string {
  const end = formatTimeOfDay(endsAt);
  return byServer
    ? l10n.t('The server requested a pause. Retrying at {0}.', end)
    : l10n.t('The server failed. Retrying at {0}.', end);
}

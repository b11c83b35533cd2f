import {
  formatIsoTime,
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
  if (price === 'unpublished') return l10n.t('What it costs in credits of your key is not published.');
  const credits = price.max.toLocaleString(locale);
  return price.per === 'question'
    ? l10n.t('It costs {0} credits of your key.', credits)
    : l10n.t('It costs {0} credits of your key for each entry, however many there are.', credits);
}

export function toPanelError({
  message,
  advice,
  remedies,
}: Pick<ErrorDescription, 'message' | 'advice' | 'remedies'>): PanelError {
  return { message, advice, remedies: remedies.map(({ title }) => title) };
}

/** Time formats, which are reused because creating one is slower than formatting. */
export interface TimeFormats {
  readonly cell: Intl.DateTimeFormat;
  readonly full: Intl.DateTimeFormat;
}

export function createTimeFormats(locale: string): TimeFormats {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...options });
  return { cell: format({ dateStyle: 'short', hourCycle: 'h23' }), full: format({ dateStyle: 'medium' }) };
}

/** A time for a cell: to the second, since blocks are seconds apart, and in full with UTC. */
interface FormattedTime {
  readonly text: string;
  readonly hint: string;
}

/** Formats milliseconds since the Unix epoch. */
export function formatTimeCell(time: number, { cell, full }: TimeFormats): FormattedTime {
  return { text: cell.format(time), hint: `${full.format(time)} (${formatIsoTime(time)})` };
}

/**
 * Names the origin of an item: a workspace file and its contract, the verifier of the contract, a bundled list, or
 * a signature database.
 */
export function formatOriginLabel(origin: Origin, l10n: Localizer): string {
  const { trust, from, contract, line, verified } = origin;
  if (verified) return formatVerifiedOrigin(origin, verified, l10n);
  if (trust === 'signatures') return l10n.t('name alone, by {0}', from);
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
      return l10n.t('{0}: verified of another contract with the same code', named);
    return l10n.t(
      '{0}: verified of a contract with the same code, {1}',
      named,
      toChecksumAddress(verified.twin),
    );
  }
  if (verified.changedBytecode) return l10n.t('verified {0}; its code has changed since', named);
  return trust === 'verified'
    ? l10n.t('verified {0}', named)
    : l10n.t('verified but for its metadata: {0}', named);
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
export function formatBackoff({ endsAt, byServer }: VisibleBackoff, l10n: Localizer, locale: string): string {
  const end = new Date(endsAt).toLocaleTimeString(locale);
  return byServer
    ? l10n.t('Waiting until {0}, as the server requests.', end)
    : l10n.t('Waiting until {0} to try again: the server failed.', end);
}

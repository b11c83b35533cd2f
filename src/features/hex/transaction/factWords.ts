import {
  type Address,
  formatIsoTime,
  formatUnitsGrouped,
  groupDigits,
  type HashResult,
  type Network,
  sanitizeText,
  type Transaction,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { Wording } from '../words/wording.ts';

const GWEI = 9;
const LONGEST_WORDS = 300;

export function statusWords({ status }: Pick<Transaction, 'status'>, l10n: Localizer): string {
  const words = {
    success: l10n.t('Success'),
    failed: l10n.t('Failed'),
    pending: l10n.t('Pending'),
    unknown: l10n.t('Status not known'),
  };
  return words[status];
}

/** An amount of the chain's coin. */
export function coinWords(wei: bigint, { decimals, symbol }: Pick<Network, 'decimals' | 'symbol'>): string {
  return `${formatUnitsGrouped(wei, decimals)} ${symbol}`;
}

/** An address by its name, if it has one, and as it is. */
export function addressWords(address: Address, { nameOf }: Pick<Wording, 'nameOf'>): string {
  const name = nameOf(address);
  const checksummed = toChecksumAddress(address);
  return name === undefined ? checksummed : `${name} (${checksummed})`;
}

/** What was paid, with its parts where there are several. */
export function feeWords(
  { fee, gasUsed, gasPrice }: Pick<Transaction, 'fee' | 'gasPrice' | 'gasUsed'>,
  network: Network,
  l10n: Localizer,
): string | undefined {
  if (!fee) return undefined;
  const { total, l1, blobs, execution } = fee;
  const gas =
    gasUsed === undefined || gasPrice === undefined
      ? undefined
      : l10n.t('{0} gas at {1} gwei', groupDigits(gasUsed), formatUnitsGrouped(gasPrice, GWEI));
  const parts = [
    gas,
    l1 === undefined ? undefined : l10n.t('{0} for data on L1', coinWords(l1, network)),
    blobs === undefined ? undefined : l10n.t('{0} for blobs', coinWords(blobs, network)),
  ].filter((part) => part !== undefined);
  const known = total ?? execution;
  const sum =
    total !== undefined
      ? coinWords(total, network)
      : known === undefined
        ? l10n.t('not known')
        : l10n.t('{0} and a part that is not known', coinWords(known, network));
  return parts.length === 0 ? sum : `${sum} (${parts.join(', ')})`;
}

/** As EIP-2718 numbers them. */
export function typeWords(type: number, l10n: Localizer): string {
  const names = [
    l10n.t('legacy'),
    l10n.t('access list'),
    l10n.t('fee market'),
    l10n.t('blobs'),
    l10n.t('set code, EIP-7702'),
  ];
  const name = names[type];
  return name === undefined ? String(type) : `${type} (${name})`;
}

/** As an ISO 8601 time, which says the same everywhere. */
export function timeWords(time: number | undefined, l10n: Localizer): string {
  return formatIsoTime(time) ?? l10n.t('not known');
}

/** Who told it, by what, and when. */
export function sourceWords({ source, asked, readAt }: HashResult, l10n: Localizer): string {
  return l10n.t('{0} at {1}, by {2}', source.origin, formatIsoTime(readAt) ?? '', asked.join(', '));
}

/** What a server says, as far as it is fit to be shown. */
export function serversWords(words: string): string {
  return sanitizeText(words, LONGEST_WORDS);
}

import {
  type DecodedEvent,
  groupDigits,
  toChecksumAddress,
  type UndecodedReason,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

type VersionReason = Extract<UndecodedReason, { readonly code: 'version' }>;

/** Which version of an upgraded contract a log is of; undefined for a contract that has one. */
export function versionWords({ code, origin }: DecodedEvent, l10n: Localizer): string | undefined {
  if (!code) return undefined;
  const address = toChecksumAddress(code.address);
  const name = origin.contract === undefined ? address : l10n.t('{0} at {1}', origin.contract, address);
  return l10n.t('Implementation: {0}, in force since block {1}', name, groupDigits(BigInt(code.since.block)));
}

/** Why it is not known which version of an upgraded contract a log is of. */
export function versionDoubtWords({ doubt, inForce }: VersionReason, l10n: Localizer): string {
  switch (doubt) {
    case 'constructor':
      return l10n.t('Emitted before the first upgrade that is told of: its version is not known.');
    case 'unread':
      return l10n.t('The upgrades of the contract are not read through this block.');
    case 'uncertain':
      return l10n.t(
        'Upgrades of the contract may be missing in what the server tells: its version is not certain.',
      );
    case 'noAbi':
      return inForce
        ? l10n.t('The ABI of its implementation then, {0}, is not known.', toChecksumAddress(inForce.address))
        : l10n.t('The ABI of its implementation then is not known.');
    case 'several':
      return l10n.t(
        'Several contracts whose code may have emitted it have such an event, and read it differently.',
      );
  }
}

import { type Origin, toChecksumAddress, type VerifiedOrigin } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/**
 * Who knows an item: a file of the workspace and the contract in it, who has verified the contract, a list that comes
 * with the product, or a database of names.
 */
export function originWords(origin: Origin, l10n: Localizer): string {
  const { trust, from, contract, line, verified } = origin;
  if (verified) return verifiedWords(origin, verified, l10n);
  if (trust === 'signatures') return l10n.t('name alone, by {0}', from);
  if (trust === 'bundled') return from === 'Solidity' ? from : l10n.t('bundled list {0}', from);
  const place = line === undefined ? from : `${from}:${line}`;
  const words = contract === undefined ? place : l10n.t('{0} in {1}', contract, place);
  return trust === 'deployment' ? l10n.t('deployment of {0}', words) : words;
}

function verifiedWords({ trust, from, contract }: Origin, at: VerifiedOrigin, l10n: Localizer): string {
  const named = contract === undefined ? from : l10n.t('{0} at {1}', contract, from);
  if (trust === 'twin') {
    if (at.twin === undefined) return l10n.t('{0}: verified of another contract with the same code', named);
    return l10n.t('{0}: verified of a contract with the same code, {1}', named, toChecksumAddress(at.twin));
  }
  if (at.changedBytecode) return l10n.t('verified {0}; its code has changed since', named);
  return trust === 'verified'
    ? l10n.t('verified {0}', named)
    : l10n.t('verified but for its metadata: {0}', named);
}

import type { Origin } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/** Who knows an item: a file of the workspace and the contract in it, or a list that comes with the product. */
export function originWords({ trust, from, contract, line }: Origin, l10n: Localizer): string {
  if (trust === 'bundled') return from === 'Solidity' ? from : l10n.t('bundled list {0}', from);
  const place = line === undefined ? from : `${from}:${line}`;
  const words = contract === undefined ? place : l10n.t('{0} in {1}', contract, place);
  return trust === 'deployment' ? l10n.t('deployment of {0}', words) : words;
}

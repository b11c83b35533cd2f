import type { ProviderLabel } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/** What people call a source: the data API and a contract by these names, any other by where it is. */
export function sourceName({ name, origin }: ProviderLabel, l10n: Localizer): string {
  if (name === 'covalent') return l10n.t('the data API');
  return name === 'calls' ? l10n.t('the contract') : origin;
}

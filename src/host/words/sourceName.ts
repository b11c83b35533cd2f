import type { SourceLabel } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/** What people call a source: the data API by that name, any other by where it is. */
export function sourceName({ name, origin }: SourceLabel, l10n: Localizer): string {
  return name === 'covalent' ? l10n.t('the data API') : origin;
}

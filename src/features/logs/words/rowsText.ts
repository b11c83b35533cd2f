import type { Language } from '../../../host/words/localizer.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';

/** How many of the loaded rows the filter lets through, or what is being done to the rows; empty if nothing is. */
export function rowsText(
  { wanted, shown, working, length }: Pick<ArrangedRows, 'wanted' | 'shown' | 'working' | 'length'>,
  loaded: number,
  { l10n, locale }: Language,
): string {
  const number = (value: number) => value.toLocaleString(locale);
  if (wanted.filter !== shown.filter) return l10n.t('Filtering…');
  if (wanted !== shown) return l10n.t('Sorting…');
  if (shown.filter.trim() === '') return '';
  if (working) return l10n.t('{0} found so far…', number(length));
  return l10n.t('{0} of {1} loaded', number(length), number(loaded));
}

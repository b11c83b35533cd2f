import type { Price } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** What a question to a source costs, as a sentence. */
export function costWords(price: Price, l10n: Localizer, locale: string): string {
  if (price === 'free') return l10n.t('It costs nothing.');
  if (price === 'unpublished') return l10n.t('What it costs in credits of your key is not published.');
  const credits = price.most.toLocaleString(locale);
  return price.per === 'question'
    ? l10n.t('It costs {0} credits of your key.', credits)
    : l10n.t('It costs {0} credits of your key for each entry, however many there are.', credits);
}

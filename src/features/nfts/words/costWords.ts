import { creditCosts, type DataApiCall } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** What a call of the data API costs of the key's credits, as a sentence. */
export function costWords(call: DataApiCall, l10n: Localizer, locale: string): string {
  const cost = creditCosts[call];
  if (!cost) return l10n.t('What it costs in credits of your key is not published.');
  const credits = cost.credits.toLocaleString(locale);
  return cost.per === 'call'
    ? l10n.t('It costs {0} credits of your key.', credits)
    : l10n.t('It costs {0} credits of your key for each entry, however many there are.', credits);
}

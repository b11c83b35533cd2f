import type { Localizer } from '../../../host/words/localizer.ts';

/** Why nothing is told of tokens where no source of the network does: in a row, and behind it. */
export function noTokenData(l10n: Localizer): { readonly short: string; readonly whole: string } {
  return {
    short: l10n.t('neither a data API nor an explorer lists them'),
    whole: l10n.t(
      'This network has neither a data API nor an explorer to list what an address holds. Single tokens can be watched by their contract.',
    ),
  };
}

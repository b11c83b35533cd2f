import type { CopyError } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** Why something is not copied: what core says of it, or that a row is not decoded. */
export type CopyRefusal = CopyError | 'notDecoded';

export function refusalWords(refusal: CopyRefusal, l10n: Localizer): string {
  switch (refusal) {
    case 'blocks':
      return l10n.t('Its blocks are known once the query has run');
    case 'chain':
      return l10n.t('Not known to have this chain');
    case 'header':
      return l10n.t('Sends no key in a header');
    case 'tooLong':
      return l10n.t('Too long');
    case 'name':
      return l10n.t('The name of the event is none in Solidity');
    case 'type':
      return l10n.t('A value cannot be written in Solidity, or takes too many lines');
    case 'layouts':
      return l10n.t('The rows have one event in two forms');
    case 'notDecoded':
      return l10n.t('A row is not decoded');
  }
}

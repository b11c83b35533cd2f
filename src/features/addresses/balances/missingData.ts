import { type CompletenessReason, formatPercent } from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';

/** Why there is no token data on a network without a provider: for a row and its tooltip. */
export function formatNoTokenData(l10n: Localizer): { readonly short: string; readonly whole: string } {
  return {
    short: l10n.t('neither a data API nor an explorer lists them'),
    whole: l10n.t(
      'This network has neither a data API nor an explorer to list what an address holds. Single tokens can be watched by their contract.',
    ),
  };
}

/** Why a result is or may be incomplete, in sentences; each reason once. */
export function formatCompletenessReasons(
  reasons: readonly CompletenessReason[],
  l10n: Localizer,
): readonly string[] {
  return [...new Set(reasons.map((reason) => formatCompletenessReason(reason, l10n)))];
}

function formatCompletenessReason(reason: CompletenessReason, l10n: Localizer): string {
  switch (reason.code) {
    case 'scamHidden':
      return l10n.t(
        'The explorer counts {0} tokens and lists {1}: it may hide those that it calls scam.',
        reason.counted,
        reason.listed,
      );
    case 'indexing':
      return reason.ratio === undefined
        ? l10n.t('The explorer has not indexed every block yet.')
        : l10n.t('The explorer has indexed {0} of the blocks.', formatPercent(reason.ratio));
    case 'indexingUnknown':
      return l10n.t('The explorer does not tell whether it has indexed every block.');
    case 'pageRepeated':
      return l10n.t('The explorer gave a page again in the place of the next one.');
    case 'listBroken':
      return l10n.t('A later page of the list could not be read.');
    case 'bound':
      return l10n.t('The list is longer than the {0} entries that are read.', reason.most);
    case 'recentDays':
      return reason.days === undefined
        ? l10n.t('The explorer looks back some days, and does not tell how many.')
        : l10n.t('The explorer looks back {0} days, and no further.', reason.days);
    case 'unreadable':
      return l10n.t('{0} entries could not be read.', reason.count);
    case 'coinUnread':
      return l10n.t("The total lacks the chain's own coin, which could not be read.");
  }
}

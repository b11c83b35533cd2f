import { type CompletenessReason, describeCompleteness } from '../../../core/index.ts';
import { type Localizer, localize } from '../../../host/l10n.ts';

/** Why there is no token data on a network without a provider: for a row and its tooltip. */
export function formatNoTokenData(l10n: Localizer): { readonly short: string; readonly whole: string } {
  return {
    short: l10n.t('neither a data API nor an explorer lists tokens here'),
    whole: l10n.t(
      'Neither a data API nor an explorer lists tokens on this network. You can watch a single token by its contract address.',
    ),
  };
}

/** Why a result is or may be incomplete, in sentences; each reason once. */
export function formatCompletenessReasons(
  reasons: readonly CompletenessReason[],
  l10n: Localizer,
): readonly string[] {
  return [...new Set(reasons.map((reason) => localize(describeCompleteness(reason), l10n)))];
}

import type { Address } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** What meanings are put into words with. */
export interface Wording {
  readonly l10n: Localizer;
  /** How an address is called on the active network. */
  nameOf(address: Address): string | undefined;
}

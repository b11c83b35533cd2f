import type { Address, Origin } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** What meanings are put into words with. */
export interface Wording {
  readonly l10n: Localizer;
  /** How an address is called on the active network. */
  nameOf(address: Address): string | undefined;
  /** Where an item is declared, or read from; undefined for one of a bundled list. */
  placeOf(origin: Origin): OriginPlace | undefined;
}

/** A line of a file of the workspace, from 0; the file as a URI. */
export interface OriginPlace {
  readonly file: string;
  readonly line: number;
}

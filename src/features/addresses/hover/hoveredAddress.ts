import type { FoundAddress } from '../../../host/places/findAddresses.ts';
import type { TextPlace } from '../../../manifest.ts';

/** An address under the pointer, and where it stands. */
export interface HoveredAddress extends FoundAddress {
  readonly place: TextPlace;
}

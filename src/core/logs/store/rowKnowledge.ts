import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { StoredArgument } from './storedArgument.ts';

/** What is known of the events and addresses of stored rows: by that they are sorted and filtered as they are read. */
export interface RowKnowledge {
  /** The argument that a column shows, by its place in the event that is asked for. */
  argumentAt(index: number): StoredArgument | undefined;
  /** The arguments of this name that rows may have, one for each event. Letter case does not count. */
  argumentsNamed(name: string): readonly NamedArgument[];
  /** Topics 0 of events with `text` in their names; letter case does not count. */
  eventsNamed(text: string): readonly Hex[];
  /** Addresses with `text` in their names; letter case does not count. */
  addressesNamed(text: string): readonly Address[];
  /** The decimals in which amounts of this contract are shown. */
  decimalsOf(contract: Address): number | undefined;
}

export interface NamedArgument extends StoredArgument {
  /** Whether it is shown in the units of the contract that emitted it. */
  readonly isAmount: boolean;
}

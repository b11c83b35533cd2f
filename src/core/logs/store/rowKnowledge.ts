import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { StoredArgument } from './storedArgument.ts';

/** What is known of the events and addresses of stored rows: by that they are sorted and filtered as they are read. */
export interface RowKnowledge {
  /** The argument that a column shows, by its place in the event that is asked for. */
  argumentAt(index: number): StoredArgument | undefined;
  /** The arguments of this name that rows may have, one for each event. Letter case does not count. */
  argumentsNamed(name: string): readonly NamedArgument[];
  /** Topics 0 of events that are named so; letter case does not count. */
  eventsNamed(text: string, as: NamePart): readonly Hex[];
  /** Addresses that are named so; letter case does not count. */
  addressesNamed(text: string, as: NamePart): readonly Address[];
  /** The decimals in which amounts of this contract are shown. */
  decimalsOf(contract: Address): number | undefined;
}

/** Whether a text is the whole of a name, or anything in it. */
export type NamePart = 'whole' | 'part';

export interface NamedArgument extends StoredArgument {
  /** Whether it is shown in the units of the contract that emitted it. */
  readonly isAmount: boolean;
}

/**
 * What is named by `text` where a name is asked for: all of that name, or where there is none, all with it in theirs.
 */
export function namedBest<T>(text: string, find: (text: string, as: NamePart) => readonly T[]): readonly T[] {
  const whole = find(text, 'whole');
  return whole.length > 0 ? whole : find(text, 'part');
}

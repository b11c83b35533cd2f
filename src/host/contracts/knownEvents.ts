import type { IndexedContract, LocatedItem, TimeSlices } from '../../core/index.ts';
import { queryableEvent } from './queryableEvents.ts';

/** An event that can be chosen, with the contract or list that is known best to have it. */
export interface KnownEvent {
  /** As it is declared, without the word `event`. */
  readonly declared: string;
  readonly name: string;
  /** The contract; undefined in a bundled list. */
  readonly contract: string | undefined;
  /** How many other contracts have it. */
  readonly others: number;
  /** The file as a path from the root of the workspace, or the name of a bundled list. */
  readonly from: string;
  /** Of the contract that is asked for, of the project itself, of its libraries, of a bundled list. */
  readonly standing: Standing;
}

/** The first is trusted most. */
const standings = ['asked', 'own', 'library', 'bundled'] as const;
export type Standing = (typeof standings)[number];

interface Draft extends KnownEvent {
  others: number;
}

const EVENT = 'event ';
/** Contracts between two looks at the clock. */
const STRIDE = 16;

/** Every event of the contracts and of the lists, each declaration once. In slices, as a workspace may have 5,000 contracts. */
export async function gatherEvents(
  contracts: readonly IndexedContract[],
  bundled: readonly LocatedItem[],
  slices: TimeSlices,
): Promise<readonly KnownEvent[]> {
  const found = new Map<string, Draft>();
  for (const [index, contract] of contracts.entries()) {
    for (const event of eventsOf(contract, contract.isOwn ? 'own' : 'library')) put(found, event);
    if (index % STRIDE === 0 && slices.isOver()) await slices.rest();
  }
  for (const { text, origin } of bundled) {
    const event = eventOf(text, { contract: undefined, from: origin.from, standing: 'bundled' });
    if (event && !found.has(event.declared)) found.set(event.declared, event);
  }
  return [...found.values()];
}

/** The events of one contract. */
export function eventsOf(contract: IndexedContract, standing: Standing): readonly KnownEvent[] {
  const from = contract.source ?? contract.artifact ?? '';
  return contract.abi.flatMap((text) => eventOf(text, { contract: contract.name, from, standing }) ?? []);
}

/** Less: to be offered before the other. */
function compareStandings(a: Standing, b: Standing): number {
  return standings.indexOf(a) - standings.indexOf(b);
}

function eventOf(
  text: string,
  where: Pick<KnownEvent, 'contract' | 'from' | 'standing'>,
): KnownEvent | undefined {
  const event = queryableEvent(text);
  return event && { name: event.name, declared: event.declaration.slice(EVENT.length), others: 0, ...where };
}

function put(found: Map<string, Draft>, event: KnownEvent): void {
  const known = found.get(event.declared);
  if (!known) found.set(event.declared, { ...event });
  else if (compareStandings(event.standing, known.standing) < 0) {
    found.set(event.declared, { ...event, others: known.others + 1 });
  } else known.others++;
}

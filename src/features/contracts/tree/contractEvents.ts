import { compareValues, type IndexedContract } from '../../../core/index.ts';
import { type QueryableEvent, queryableEvent } from '../../../host/contracts/queryableEvents.ts';

/** The events of a contract that logs can be asked for by, by name. */
export function eventsOf(contract: IndexedContract | undefined): readonly QueryableEvent[] {
  const events = (contract?.abi ?? []).flatMap((text) => queryableEvent(text) ?? []);
  return events.sort((a, b) => compareValues(a.name, b.name));
}

import {
  type AbiEvent,
  editDistance,
  parseAbiItem,
  parseDeclaredEvent,
  type TimeSlices,
} from '../../../core/index.ts';
import type { KnownEvent } from '../../../host/contracts/knownEvents.ts';

/** How a typed event differs from known ones. */
export type EventDifference = 'name' | 'types' | 'indexed';

export interface NearestEvents {
  readonly differ: EventDifference;
  /** Declarations, the nearest first. */
  readonly declared: readonly string[];
}

const MAX_OFFERED_EVENTS = 3;
/** Declarations of one name that are parsed and hashed. */
const MAX_PARSED_DECLARATIONS = 64;
/** Names that differ by this many letters may be typos. */
const MAX_TYPO_LETTERS = 2;
/** Shorter names are near to too many others. */
const MAX_SHORT_NAME_CHARS = 5;
/** Events between two checks of the time slice. */
const EVENTS_PER_CHECK = 512;

/**
 * The known events that may be meant by one without logs: the same name with other types, the same types with
 * other parameters indexed, else names that differ by a letter or two. Undefined if the event is known as
 * typed, or nothing is near. `events` come in order of trust.
 */
export async function findNearestEvents(
  typed: string,
  events: readonly KnownEvent[],
  slices: TimeSlices,
): Promise<NearestEvents | undefined> {
  const event = parseEvent(typed);
  if (!event) return undefined;
  const named = events.filter(({ name }) => name === event.name).slice(0, MAX_PARSED_DECLARATIONS);
  const parsed = named.flatMap(({ declared }) => {
    const item = parseEvent(declared);
    return item ? [{ declared, item }] : [];
  });
  const same = parsed.filter(({ item }) => item.topic0 === event.topic0);
  if (same.length > 0) {
    const isUndeclared = parseDeclaredEvent(typed) === undefined;
    const isKnown =
      isUndeclared || same.some(({ item }) => getIndexedLayout(item) === getIndexedLayout(event));
    return isKnown ? undefined : toNearestEvents('indexed', same);
  }
  if (parsed.length > 0)
    return toNearestEvents(
      'types',
      sortBy(parsed, (item) => countTypeDifferences(item, event)),
    );
  const near = await findSimilarNames(event, events, slices);
  return near.length === 0 ? undefined : toNearestEvents('name', near);
}

/**
 * The contract at the address, if its ABI is known and has no such event. The ABI of a proxy is ignored: it
 * lacks the events of its implementation.
 */
export function findContractWithoutEvent(typed: string, events: readonly KnownEvent[]): string | undefined {
  const event = parseEvent(typed);
  const [first, ...others] = events.filter(({ rank }) => rank === 'asked');
  if (!event || first?.contract === undefined || /proxy$/i.test(first.contract)) return undefined;
  if (others.some(({ contract }) => contract !== first.contract)) return undefined;
  const named = [first, ...others]
    .filter(({ name }) => name === event.name)
    .slice(0, MAX_PARSED_DECLARATIONS);
  return named.some(({ declared }) => parseEvent(declared)?.topic0 === event.topic0)
    ? undefined
    : first.contract;
}

interface ParsedEvent {
  readonly declared: string;
  readonly item: AbiEvent;
}

function parseEvent(typed: string): AbiEvent | undefined {
  const text = typed.trim();
  const item = parseAbiItem(/^event\s/.test(text) ? text : `event ${text}`);
  return item?.kind === 'event' ? item : undefined;
}

function getIndexedLayout({ inputs }: AbiEvent): string {
  return inputs.map(({ indexed }) => (indexed ? 'i' : '-')).join('');
}

/** The number of parameters with different types. */
function countTypeDifferences(one: AbiEvent, other: AbiEvent): number {
  const count = Math.max(one.inputs.length, other.inputs.length);
  return Array.from({ length: count }).filter(
    (_, at) => one.inputs[at]?.type.text !== other.inputs[at]?.type.text,
  ).length;
}

async function findSimilarNames(
  event: AbiEvent,
  events: readonly KnownEvent[],
  slices: TimeSlices,
): Promise<readonly ParsedEvent[]> {
  const lowerName = event.name.toLowerCase();
  const maxDistance = lowerName.length < MAX_SHORT_NAME_CHARS ? 1 : MAX_TYPO_LETTERS;
  const distances = new Map<string, number | undefined>();
  const near: { readonly event: KnownEvent; readonly distance: number }[] = [];
  for (const [index, candidate] of events.entries()) {
    const { name } = candidate;
    if (!distances.has(name)) distances.set(name, editDistance(lowerName, name.toLowerCase(), maxDistance));
    const distance = distances.get(name);
    if (distance !== undefined) near.push({ event: candidate, distance });
    if (index % EVENTS_PER_CHECK === 0 && slices.isOver()) await slices.rest();
  }
  near.sort((a, b) => a.distance - b.distance);
  const [nearest] = near;
  const parsed = near
    .filter(({ distance }) => distance === nearest?.distance)
    .slice(0, MAX_PARSED_DECLARATIONS)
    .flatMap(({ event: { declared } }) => {
      const item = parseEvent(declared);
      return item ? [{ declared, item }] : [];
    });
  return sortBy(parsed, (item) => countTypeDifferences(item, event));
}

function sortBy(events: readonly ParsedEvent[], rank: (item: AbiEvent) => number): readonly ParsedEvent[] {
  return events.toSorted((a, b) => rank(a.item) - rank(b.item));
}

/** Each layout once: parameter names make no difference on the chain. */
function toNearestEvents(differ: EventDifference, events: readonly ParsedEvent[]): NearestEvents {
  const byLayout = new Map<string, string>();
  for (const { declared, item } of events) {
    const layout = item.signature + getIndexedLayout(item);
    if (!byLayout.has(layout)) byLayout.set(layout, declared);
  }
  return { differ, declared: [...byLayout.values()].slice(0, MAX_OFFERED_EVENTS) };
}

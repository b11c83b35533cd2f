import type { AbiEvent, AbiLookup, Address, Log, LogFilter } from '../../../core/index.ts';

/** What the columns of an answer are made of. */
export type Shape =
  /** A column for each argument of the one event that is asked for. */
  | { readonly kind: 'event'; readonly event: AbiEvent; readonly showsAddress: boolean }
  /** One column that tells each event in words. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'raw' };

interface Asked {
  readonly filter: LogFilter;
  readonly chainId: number;
  readonly lookup: AbiLookup;
  /** The first log of the answer: by its topics, events of one signature are told apart. */
  readonly first: Log | undefined;
}

/** More columns than a screen can show. */
const MOST_ARGUMENTS = 24;

export function shapeOf(asked: Asked): Shape {
  const event = askedEvent(asked);
  if (!event || event.inputs.length === 0 || event.inputs.length > MOST_ARGUMENTS) return { kind: 'mixed' };
  return { kind: 'event', event, showsAddress: asked.filter.addresses.length !== 1 };
}

/** The event that all logs of the answer are of, if the query asks for one and it is known. */
export function askedEvent(asked: Asked): AbiEvent | undefined {
  const layouts = askedLayouts(asked);
  const { first } = asked;
  const fitting = first && layouts.find((layout) => topicsOf(layout) === first.topics.length);
  return fitting ?? layouts[0];
}

/** The forms in which the one event that a query asks for is known, the most trusted first. */
export function askedLayouts({ filter, chainId, lookup, first }: Asked): readonly AbiEvent[] {
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined || others.length > 0) return [];
  return layoutsOf(lookup, topic0, { address: onlyAddress(filter) ?? first?.address, chainId });
}

/** The forms in which events of a topic0 are known. */
export function layoutsOf(
  lookup: AbiLookup,
  topic0: Log['topics'][number],
  { address, chainId }: { readonly address: Address | undefined; readonly chainId: number },
): readonly AbiEvent[] {
  const at = address === undefined ? undefined : { address, chainId };
  return lookup
    .events(topic0, at)
    .map(({ item }) => item)
    .filter(({ anonymous }) => !anonymous);
}

export function onlyAddress({ addresses }: LogFilter): Address | undefined {
  return addresses.length === 1 ? addresses[0] : undefined;
}

function topicsOf({ inputs }: AbiEvent): number {
  return 1 + inputs.filter(({ indexed }) => indexed).length;
}

import type { Log } from '../../logs/query/log.ts';
import type { LogFilter } from '../../logs/query/logFilter.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { VersionedLookup } from '../codeVersions.ts';

/** A query, and what is known of events. */
export interface AskedEvents {
  readonly filter: Pick<LogFilter, 'addresses' | 'topics'>;
  readonly chainId: number;
  readonly lookup: VersionedLookup;
  /** A log of the answer: by its topics, events of one signature are told apart. */
  readonly first?: Pick<Log, 'address' | 'topics'> | undefined;
}

/**
 * The one event that a query asks for, if it asks for one and that is known: in the form that a log of the answer has,
 * or the most trusted. Whatever their form, logs of one topic0 have arguments of the same types.
 *
 * @example
 * askedEvent({ filter: parseLogFilter({ topics: [topic0] }), chainId: 1, lookup })?.inputs;
 */
export function askedEvent(asked: AskedEvents): AbiEvent | undefined {
  const { filter, lookup, chainId, first } = asked;
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined || others.length > 0) return undefined;
  const layouts = layoutsOf(lookup, topic0, { address: onlyAddress(filter) ?? first?.address, chainId });
  const fitting = first && layouts.find((layout) => topicsOf(layout) === first.topics.length);
  return fitting ?? layouts[0];
}

/**
 * The forms in which events of a topic0 are known, the most trusted first.
 *
 * @example layoutsOf(lookup, topic0, { address: undefined, chainId: 1 }).map(({ signature }) => signature);
 */
export function layoutsOf(
  lookup: VersionedLookup,
  topic0: Hex,
  { address, chainId }: { readonly address: Address | undefined; readonly chainId: number },
): readonly AbiEvent[] {
  const at = address === undefined ? undefined : { address, chainId };
  const ofVersions = (at && lookup.versionsAt?.(at)?.layouts(topic0)) ?? [];
  const known = lookup.events(topic0, at).map(({ item }) => item);
  return [...ofVersions, ...known].filter(({ anonymous }) => !anonymous);
}

/**
 * The address that all logs of a query are from, if that is one.
 *
 * @example onlyAddress({ addresses: [] }) // undefined
 */
export function onlyAddress({ addresses }: Pick<LogFilter, 'addresses'>): Address | undefined {
  return addresses.length === 1 ? addresses[0] : undefined;
}

function topicsOf({ inputs }: AbiEvent): number {
  return 1 + inputs.filter(({ indexed }) => indexed).length;
}

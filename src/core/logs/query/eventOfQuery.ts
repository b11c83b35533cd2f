import type { VersionedLookup } from '../../abi/candidates.ts';
import type { AbiEvent } from '../../abi/item.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import type { LogFilter } from './filter.ts';

/** A query, and what is known of events. */
export interface QueriedEventInput {
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
 * findQueriedEvent({ filter: parseLogFilter({ topics: [topic0] }), chainId: 1, lookup })?.inputs;
 */
export function findQueriedEvent(asked: QueriedEventInput): AbiEvent | undefined {
  const { filter, lookup, chainId, first } = asked;
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined || others.length > 0) return undefined;
  const layouts = listEventLayouts(lookup, topic0, {
    address: getOnlyAddress(filter) ?? first?.address,
    chainId,
  });
  const fitting = first && layouts.find((layout) => topicsOf(layout) === first.topics.length);
  return fitting ?? layouts[0];
}

/**
 * The forms in which events of a topic0 are known, the most trusted first.
 *
 * @example listEventLayouts(lookup, topic0, { address: undefined, chainId: 1 }).map(({ signature }) => signature);
 */
export function listEventLayouts(
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
 * @example getOnlyAddress({ addresses: [] }) // undefined
 */
export function getOnlyAddress({ addresses }: Pick<LogFilter, 'addresses'>): Address | undefined {
  return addresses.length === 1 ? addresses[0] : undefined;
}

function topicsOf({ inputs }: AbiEvent): number {
  return 1 + inputs.filter(({ indexed }) => indexed).length;
}

/**
 * Which parameter of an event stands for the one at `index` of `shown`, an event of the same signature whose parameters
 * name the columns: the one there, or the one of that name where a version of the contract has another order. Undefined
 * where the name is that of none, and the one there is that of another column.
 *
 * @example
 * const to = findAlignedInput(shown, event, 1);
 */
export function findAlignedInput(
  { inputs: shown }: Pick<AbiEvent, 'inputs'>,
  { inputs }: Pick<AbiEvent, 'inputs'>,
  index: number,
): number | undefined {
  const wanted = shown[index];
  const there = inputs[index];
  if (!wanted || !there) return undefined;
  if (wanted.name === there.name || wanted.name === '' || there.name === '') return index;
  const named = inputs.findIndex(({ name }) => name === wanted.name);
  if (named >= 0) return inputs[named]?.type.text === wanted.type.text ? named : undefined;
  return shown.some(({ name }) => name === there.name) ? undefined : index;
}

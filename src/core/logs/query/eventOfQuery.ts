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
  /** A log of the result: its topics decide between events of one signature. */
  readonly first?: Pick<Log, 'address' | 'topics'> | undefined;
}

/**
 * The single event that a query requests, if it is known: in the layout that fits a log of the result, else in the
 * most trusted one. In every layout, logs of one topic0 have arguments of the same types.
 *
 * @example
 * findQueriedEvent({ filter: parseLogFilter({ topics: [topic0] }), chainId: 1, lookup })?.inputs;
 */
export function findQueriedEvent(input: QueriedEventInput): AbiEvent | undefined {
  const { filter, lookup, chainId, first } = input;
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined || others.length > 0) return undefined;
  const layouts = listEventLayouts(lookup, topic0, {
    address: getOnlyAddress(filter) ?? first?.address,
    chainId,
  });
  const fitting = first && layouts.find((layout) => countTopics(layout) === first.topics.length);
  return fitting ?? layouts[0];
}

/**
 * The known layouts of events with this topic0, the most trusted first.
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
  const events = lookup.events(topic0, at).map(({ item }) => item);
  return [...ofVersions, ...events].filter(({ anonymous }) => !anonymous);
}

/**
 * The address that all logs of a query come from, if there is only one.
 *
 * @example getOnlyAddress({ addresses: [] }) // undefined
 */
export function getOnlyAddress({ addresses }: Pick<LogFilter, 'addresses'>): Address | undefined {
  return addresses.length === 1 ? addresses[0] : undefined;
}

function countTopics({ inputs }: AbiEvent): number {
  return 1 + inputs.filter(({ indexed }) => indexed).length;
}

/**
 * The parameter of an event that belongs in the column `index` of `shown`, an event of the same signature whose
 * parameters name the columns. It is the one at the same index, or the one of the same name if a version of the
 * contract has another order. Undefined if none has that name, and the one at the index belongs in another column.
 *
 * @example
 * const to = findAlignedInput(shown, event, 1);
 */
export function findAlignedInput(
  { inputs: shown }: Pick<AbiEvent, 'inputs'>,
  { inputs }: Pick<AbiEvent, 'inputs'>,
  index: number,
): number | undefined {
  const column = shown[index];
  const candidate = inputs[index];
  if (!column || !candidate) return undefined;
  if (column.name === candidate.name || column.name === '' || candidate.name === '') return index;
  const named = inputs.findIndex(({ name }) => name === column.name);
  if (named >= 0) return inputs[named]?.type.text === column.type.text ? named : undefined;
  return shown.some(({ name }) => name === candidate.name) ? undefined : index;
}

import { badInput } from '../../base/errors.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { LogFilter } from '../query/filter.ts';
import { type Dialect, getFilterSupport } from './dialect.ts';

/** The part of a filter that is sent to a server, in its own JSON. The rest is applied to the response. */
export interface ServerFilter {
  readonly address?: Address | readonly Address[];
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
}

/**
 * The requests that together return every row of `filter`, in a form that the server interprets correctly.
 *
 * A node takes the complete filter, with up to 1,000 values in each list (geth since v1.16). Blockscout takes one address. It removes null topics, which shifts positions, and
 * fails on a list that is not in the last position. So it gets the leading run of topics up to a list or a null, and
 * several addresses one by one. An unidentified server is treated like Blockscout, as nodes understand that too.
 *
 * @returns an empty list if nothing of the filter can be sent before the server is identified.
 * @throws AppError `badInput` if a Blockscout server would have to return everything.
 */
export function toServerFilters(filter: LogFilter, dialect: Dialect): readonly ServerFilter[] {
  const support = getFilterSupport(dialect);
  if (support === 'whole') {
    return splitLists(toWholeServerFilter(filter), dialect.maxValues ?? MAX_NODE_VALUES);
  }
  const topicRuns = leadingRuns(filter.topics);
  const addresses = filter.addresses.length > 0 ? filter.addresses : [undefined];
  if (filter.addresses.length === 0 && topicRuns[0]?.length === 0) {
    if (support === 'unknown') return [];
    throw badInput('address', 'An explorer needs an address or an event. Enter at least one of them.');
  }
  return addresses.flatMap((address) =>
    topicRuns.map((topics) => ({
      ...(address === undefined ? {} : { address }),
      ...(topics.length === 0 ? {} : { topics }),
    })),
  );
}

/**
 * Whether the server must be identified before {@link toServerFilters}. If an explorer has taken the place of a
 * node, it would misread wildcards and lists; and an explorer takes no filter without address and topic0. A long list
 * is one request to a node, and many to an explorer.
 */
export function dependsOnServer({ addresses, topics }: LogFilter, dialect: Dialect): boolean {
  const support = getFilterSupport(dialect);
  if (support === 'unknown' && addresses.length > MAX_VALUES) return true;
  if (support !== 'whole') return addresses.length === 0 && !topics[0];
  const last = topics.length - 1;
  const isRun = topics.every((values, index) => values !== null && (values.length === 1 || index === last));
  return !isRun || addresses.length > 1 || (addresses.length === 0 && topics.length === 0);
}

/** The complete filter in one request, as a node takes it. */
export function toWholeServerFilter(filter: LogFilter): ServerFilter {
  const [first, ...others] = filter.addresses;
  const address = others.length > 0 ? filter.addresses : first;
  return {
    ...(address === undefined ? {} : { address }),
    ...(filter.topics.length === 0 ? {} : { topics: filter.topics.map(unwrapSingle) }),
  };
}

/** In one list of a request to a node. */
const MAX_NODE_VALUES = 1000;

/**
 * Filters that together return the same rows, with at most `max` values in each list.
 *
 * @example splitLists({ topics: [['0x01', '0x02']] }, 1) // [{ topics: ['0x01'] }, { topics: ['0x02'] }]
 */
export function splitLists(part: ServerFilter, max: number): readonly ServerFilter[] {
  const { address, topics } = part;
  if (typeof address === 'object' && address.length > max) {
    return splitIntoChunks(address, max).flatMap((values) =>
      splitLists({ ...part, address: values.length === 1 ? (values[0] as Address) : values }, max),
    );
  }
  const long =
    topics?.findIndex((values) => typeof values === 'object' && values && values.length > max) ?? -1;
  if (!topics || long < 0) return [part];
  return splitIntoChunks(topics[long] as readonly Hex[], max).flatMap((values) =>
    splitLists({ ...part, topics: topics.with(long, unwrapSingle(values)) }, max),
  );
}

/** Length of the longest list of a filter. */
export function countListValues({ address, topics = [] }: ServerFilter): number {
  return Math.max(
    1,
    ...[address, ...topics].map((values) => (typeof values === 'object' && values ? values.length : 1)),
  );
}

/** Of one list: Blockscout joins its values by UNION. */
const MAX_VALUES = 16;

/**
 * The topics up to the first null, ending at the first list. A list that is too long for one request is split over
 * several runs.
 */
function leadingRuns(topics: LogFilter['topics']): readonly (readonly (Hex | readonly Hex[])[])[] {
  const run: Hex[] = [];
  for (const position of topics) {
    if (position === null) break;
    const [only, ...others] = position;
    if (only === undefined) break;
    if (others.length > 0)
      return splitIntoChunks(position, MAX_VALUES).map((values) => [...run, unwrapSingle(values) ?? only]);
    run.push(only);
  }
  return [run];
}

function unwrapSingle(position: readonly Hex[] | null): Hex | readonly Hex[] | null {
  return position?.length === 1 ? (position[0] ?? null) : position;
}

function splitIntoChunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}

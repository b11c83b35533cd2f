import { badInput } from '../../base/errors.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { LogFilter } from '../query/filter.ts';
import { type Dialect, getFilterSupport } from './dialect.ts';

/** The part of a filter that a server is asked for, in its own JSON. The rest is applied to what comes back. */
export interface ServerFilter {
  readonly address?: Address | readonly Address[];
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
}

/** Blockscout joins the values of a list by UNION, up to this many. */
const MAX_VALUES = 16;

/**
 * The requests that together give every row of `filter`, and that the server understands rightly.
 *
 * A node takes the whole filter. Blockscout takes one address, removes null topics and so shifts positions, and
 * fails on a list that is not in the last position; so it gets the leading run of topics up to a list or a null,
 * and several addresses one by one. A server that is not known is asked like Blockscout, which nodes understand too.
 *
 * @returns an empty list when nothing of the filter can be sent before the server is known.
 * @throws AppError `badInput` when a Blockscout server would have to be asked for everything.
 */
export function toServerFilters(filter: LogFilter, dialect: Dialect): readonly ServerFilter[] {
  const support = getFilterSupport(dialect);
  if (support === 'whole') return [toWholeServerFilter(filter)];
  const topicRuns = leadingRuns(filter.topics);
  const addresses = filter.addresses.length > 0 ? filter.addresses : [undefined];
  if (filter.addresses.length === 0 && topicRuns[0]?.length === 0) {
    if (support === 'unknown') return [];
    throw badInput('address', 'An explorer searches by address or topic0. Give at least one of them.', {
      code: 'nothingToSearchBy',
    });
  }
  return addresses.flatMap((address) =>
    topicRuns.map((topics) => ({
      ...(address === undefined ? {} : { address }),
      ...(topics.length === 0 ? {} : { topics }),
    })),
  );
}

/**
 * Whether {@link toServerFilters} needs to know the server before `filter` can be asked for: a node that has become an
 * explorer would read wildcards and lists wrongly, and an explorer takes no filter without address and topic0.
 */
export function dependsOnServer({ addresses, topics }: LogFilter, dialect: Dialect): boolean {
  if (getFilterSupport(dialect) !== 'whole') return addresses.length === 0 && !topics[0];
  const last = topics.length - 1;
  const isRun = topics.every((values, index) => values !== null && (values.length === 1 || index === last));
  return !isRun || addresses.length > 1 || (addresses.length === 0 && topics.length === 0);
}

/** The filter as a node takes it, all in one. */
export function toWholeServerFilter(filter: LogFilter): ServerFilter {
  const [first, ...others] = filter.addresses;
  const address = others.length > 0 ? filter.addresses : first;
  return {
    ...(address === undefined ? {} : { address }),
    ...(filter.topics.length === 0 ? {} : { topics: filter.topics.map(single) }),
  };
}

/** The topics up to the first null, ending at the first list; a list too long to send is spread over several runs. */
function leadingRuns(topics: LogFilter['topics']): readonly (readonly (Hex | readonly Hex[])[])[] {
  const run: Hex[] = [];
  for (const position of topics) {
    if (position === null) break;
    const [only, ...others] = position;
    if (only === undefined) break;
    if (others.length > 0)
      return chunks(position, MAX_VALUES).map((values) => [...run, single(values) ?? only]);
    run.push(only);
  }
  return [run];
}

function single(position: readonly Hex[] | null): Hex | readonly Hex[] | null {
  return position?.length === 1 ? (position[0] ?? null) : position;
}

function chunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}

import type { LogFilter } from '../../logs/query/logFilter.ts';
import { toQuantity } from '../../values/hex.ts';
import type { HandedBlocks } from './handover.ts';

type OneOrSeveral = string | readonly string[];

/** What of a filter `eth_getLogs` takes beside the blocks; a list of one is written as that one. */
interface RpcPlaces {
  readonly address?: OneOrSeveral;
  readonly topics?: readonly (OneOrSeveral | null)[];
}

/**
 * Addresses and topics as `eth_getLogs` takes them; what is any is left out.
 *
 * @example rpcPlaces({ addresses: [], topics: [] }) // {}
 */
export function rpcPlaces({ addresses, topics }: Pick<LogFilter, 'addresses' | 'topics'>): RpcPlaces {
  return {
    ...(addresses.length > 0 && { address: oneOrSeveral(addresses) }),
    ...(topics.length > 0 && { topics: topics.map((values) => values && oneOrSeveral(values)) }),
  };
}

/** The parameter of `eth_getLogs`. */
export function rpcFilter(filter: LogFilter, { from, to }: HandedBlocks) {
  const toBlock = to === 'latest' ? to : toQuantity(to);
  return { ...rpcPlaces(filter), fromBlock: toQuantity(from), toBlock };
}

function oneOrSeveral(values: readonly string[]): OneOrSeveral {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

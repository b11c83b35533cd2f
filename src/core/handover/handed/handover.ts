import type { AbiEvent } from '../../abi/abiItem.ts';
import type { KnownLog } from '../../abi/decode/logDecoder.ts';
import type { Log } from '../../logs/query/log.ts';
import type { LogFilter } from '../../logs/query/logFilter.ts';
import type { Verdict } from '../../logs/query/verdict.ts';
import type { Network } from '../../networks/network.ts';

/** A log query as other tools are to ask it. */
export interface HandedQuery {
  readonly filter: LogFilter;
  /** What its bounds stood for when it was asked; undefined where that is not known. */
  readonly resolved?: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined;
  /** The one event that it asks for, where that is known. */
  readonly event?: AbiEvent | undefined;
  readonly network: HandedNetwork;
  /** When the first and the last of its blocks were made, in milliseconds since the Unix epoch, where that is known. */
  readonly times?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
}

export type HandedNetwork = Pick<Network, 'name' | 'chainId' | 'rpcUrl' | 'rpcAuth'>;

/** A log with what it says. */
export interface HandedLog {
  readonly log: Log;
  readonly known: Pick<KnownLog, 'event' | 'values'>;
}

/**
 * Why something cannot be handed to a tool.
 *
 * - `blocks`: which blocks are meant is told by a run of the query alone.
 * - `chain`: the tool is not known to have the chain.
 * - `header`: the endpoint takes its secret in a header, which the tool does not send.
 * - `tooLong`: it would be longer than the tool, or the shell, takes.
 * - `name`: the event has a name that is none in Solidity.
 * - `type`: a value of its type cannot be written in Solidity.
 * - `layouts`: of the same event in two forms, one contract declares one.
 */
export type HandoverRefusal = 'blocks' | 'chain' | 'header' | 'layouts' | 'name' | 'tooLong' | 'type';

/** What is handed over, or why nothing is. */
export type Handed = { readonly text: string } | { readonly refused: HandoverRefusal };

/** The blocks of a handed query; the last is `latest` where its height is not known. */
export interface HandedBlocks {
  readonly from: bigint;
  readonly to: bigint | 'latest';
}

/**
 * The blocks that a query is handed over with: those that it stood for when it was asked, through the newest block of then,
 * so that other tools find the same rows. Undefined where a bound counts from the latest block, or is a time, and nothing
 * says what it stood for.
 *
 * @example blocksOf({ filter: parseLogFilter({ fromBlock: 5 }) }) // { from: 5n, to: 'latest' }
 */
export function blocksOf({
  filter,
  resolved,
}: Pick<HandedQuery, 'filter' | 'resolved'>): HandedBlocks | undefined {
  const from = resolved?.fromBlock ?? heightIn(filter.fromBlock);
  // A chain that had not come to the first block has none of them.
  const isReached = resolved && resolved.toBlock >= resolved.fromBlock;
  const to = isReached
    ? resolved.toBlock
    : (heightIn(filter.toBlock) ?? onlyLatest(filter.toBlock, resolved));
  return from === undefined || to === undefined ? undefined : { from, to };
}

function heightIn(tag: LogFilter['fromBlock']): bigint | undefined {
  return tag === 'earliest' ? 0n : typeof tag === 'bigint' ? tag : undefined;
}

function onlyLatest(tag: LogFilter['toBlock'], resolved: HandedQuery['resolved']): 'latest' | undefined {
  return tag === 'latest' || resolved ? 'latest' : undefined;
}

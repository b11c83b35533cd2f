import { badInput } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { formatIsoTime, isTimeTag, resolveTimeTag } from '../eth/time.ts';
import { type BlockTag, parseBlockTag, resolveHeight } from '../logs/query/filter.ts';
import { describeReasons } from '../logs/query/verdict.ts';
import type { BlockAtTime } from '../rpc/blockTimes.ts';
import type { OneBlockClient } from './oneBlock.ts';

/**
 * Finds the number of a block as people write it: a number, `latest`, `latest-1000`, `earliest`, `finalized`, `safe`, or a
 * time, for which it is the last block at or before it.
 *
 * @param now in milliseconds since the Unix epoch.
 * @throws AppError `badInput` for `block` if it is none of these, if the chain has not reached it, or if the block of a time
 *   is not certain; any network kind.
 * @example await fetchReadBlock('latest-10', client, systemClock.now())
 */
export async function fetchReadBlock(
  text: string | number | bigint,
  client: ReadBlockClient,
  now: number,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<bigint> {
  const tag = parseReadBlock(text);
  if (tag === 'finalized' || tag === 'safe') {
    const block = await client.getTaggedBlock(tag, options);
    if (block !== undefined) return block;
    throw badInput('block', createMessage('The endpoint does not know the block {0}. Enter a number.', tag));
  }
  if (isTimeTag(tag)) {
    const found = await client.findBlockAt({ time: resolveTimeTag(tag, now), closest: 'before' }, options);
    const [doubt] = describeFoundBlock(found);
    if (doubt) throw badInput('block', doubt);
    return found.block;
  }
  const head = await client.getBlockNumber(options);
  const block = resolveHeight(tag, head);
  if (block <= head) return block;
  const time = UNIX_SECONDS.test(String(block)) ? formatIsoTime(Number(block) * 1000) : undefined;
  const message =
    time === undefined
      ? createMessage('The latest block is {0}. Enter {0} or lower.', String(head))
      : createMessage('The latest block is {0}. If you mean a time, write {1}.', String(head), time);
  throw badInput('block', message);
}

/**
 * Why the block found for a time may not be the last one at or before it; empty if it is.
 *
 * @example describeFoundBlock({ block: 7n, time: 0, source: 'eth_getBlockByNumber' }).length // 0
 */
export function describeFoundBlock({
  block,
  time,
  outside,
  unorderedAt,
}: Omit<BlockAtTime, 'source'>): readonly Message[] {
  // Where times go backwards, nothing is known of the ends of the chain either.
  if (unorderedAt !== undefined) return describeReasons([{ code: 'unorderedTimes', block: unorderedAt }]);
  if (outside === 'beforeFirst') return [createMessage('The chain begins after this time.')];
  if (outside === undefined) return [];
  const at = formatIsoTime(time);
  return [
    at === undefined
      ? createMessage(
          'The chain has not reached this time. Its latest block is {0}. Enter latest, or try again later.',
          block.toString(),
        )
      : createMessage(
          'The chain has not reached this time. Its latest block is {0}, of {1}. Enter latest, or try again later.',
          block.toString(),
          at,
        ),
  ];
}

/** From 2001 on: no chain has as many blocks. */
const UNIX_SECONDS = /^\d{10}$/;

/**
 * Parses a block as {@link fetchReadBlock} takes it.
 *
 * @throws AppError `badInput` for `block`.
 * @example parseReadBlock('Safe') // 'safe'
 */
export function parseReadBlock(text: string | number | bigint): BlockTag | 'finalized' | 'safe' {
  const typed = String(text).trim().toLowerCase();
  return typed === 'finalized' || typed === 'safe' ? typed : parseBlockTag(typed, 'block');
}

export type ReadBlockClient = Pick<ChainClient, 'findBlockAt' | 'getBlockNumber' | 'getTaggedBlock'> &
  OneBlockClient;

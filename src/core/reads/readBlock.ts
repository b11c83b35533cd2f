import { badInput } from '../base/errors.ts';
import { createMessage } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { formatIsoTime, isTimeTag, resolveTimeTag } from '../eth/time.ts';
import { type BlockTag, parseBlockTag, resolveHeight } from '../logs/query/filter.ts';

/**
 * Finds the number of a block as people write it: a number, `latest`, `latest-1000`, `earliest`, `finalized`, `safe`, or a
 * time, for which it is the last block at or before it.
 *
 * @param now in milliseconds since the Unix epoch.
 * @throws AppError `badInput` for `block` if it is none of these, or not on the chain yet; any network kind.
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
    if (found.outside === 'beforeFirst') throw badInput('block', 'The chain begins after this time.');
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

export type ReadBlockClient = Pick<ChainClient, 'findBlockAt' | 'getBlockNumber' | 'getTaggedBlock'>;

import type { Abortable } from '../base/concurrency.ts';
import { badInput, createError, isAppError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { formatIsoTime, isTimeTag, resolveTimeTag, type TimeTag } from '../eth/time.ts';
import { type BlockTag, isMovingTag, parseBlockTag, resolveExactHeight } from '../logs/query/filter.ts';
import { describeReasons } from '../logs/query/verdict.ts';
import type { OneBlockClient } from './oneBlock.ts';

/** A block as people write it, and why it may not be the one that is meant; no reasons if it is. */
export interface ResolvedBlock {
  readonly block: bigint;
  readonly reasons: readonly Message[];
  /** The latest block that it follows from; undefined if it stays the same on a longer chain. */
  readonly head?: bigint;
}

/**
 * Finds the number of a block as people write it: a number, `latest`, `latest-1000`, `earliest`, `finalized`, `safe`, or a
 * time, for which it is the last block at or before it. A time that the chain has not reached is a reason, and so are
 * block times that go backwards.
 *
 * @param now in milliseconds since the Unix epoch.
 * @throws AppError `badInput` for `block` if it is none of these; `blockNotSeen` if it is not on the chain yet, or the node
 *   has no blocks yet; any network kind.
 * @example const { block, reasons } = await resolveReadBlock('-1d', client, systemClock.now());
 */
export async function resolveReadBlock(
  text: string | number | bigint,
  client: ReadBlockClient,
  now: number,
  options: Abortable = {},
): Promise<ResolvedBlock> {
  const tag = parseReadBlock(text);
  if (!isTimeTag(tag)) return { ...(await fetchHeight(tag, client, options)), reasons: [] };
  const found = await client.findBlockAt({ time: resolveTimeTag(tag, now), closest: 'before' }, options);
  const { block, outside, unorderedAt } = found;
  // Where times go backwards, nothing is known of the ends of the chain either.
  if (unorderedAt !== undefined)
    return { block, reasons: describeReasons([{ code: 'unorderedTimes', block: unorderedAt }]) };
  if (outside === 'beforeFirst') throw badInput('block', 'The chain begins after this time.');
  if (outside === undefined) return { block, reasons: [] };
  return { block, reasons: [createMessage(NOT_REACHED, decimal(block))], head: block };
}

const NOT_REACHED = 'The chain has not reached this time: its latest block is {0}.';

/**
 * Resolves a block as people write it, and reads at that block. If the latest block decides which one that is, and a later one has been
 * reported meanwhile, a lagging replica has reported the first: it is read again, three times at most.
 *
 * @param place.isFinal whether a result is certain enough to end with; otherwise the latest block is requested once more.
 * @throws AppError as {@link resolveReadBlock} and `read` do.
 * @example await readAtBlock({ text: 'latest', client, now }, ({ block }) => client.getCode({ to, block }))
 */
export async function readAtBlock<Value>(
  {
    text,
    client,
    now,
    isFinal = () => true,
  }: {
    readonly text: string | number | bigint;
    readonly client: ReadBlockClient;
    readonly now: number;
    readonly isFinal?: (value: Value) => boolean;
  },
  read: (resolved: ResolvedBlock) => Promise<Value>,
  options: Abortable = {},
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    const resolved = await resolveReadBlock(text, client, now, options);
    const { head } = resolved;
    const [result] = await Promise.allSettled([read(resolved)]);
    if (head !== undefined && attempt < MAX_READS && !options.signal?.aborted) {
      const isOpen = result.status === 'fulfilled' && !isFinal(result.value);
      if (isOpen) await client.getBlockNumber(options).catch(() => undefined);
      if (client.getNewerHead?.(head) !== undefined) continue;
    }
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }
}

const MAX_READS = 3;

/**
 * {@link resolveReadBlock}, for a block that must be certain.
 *
 * @throws AppError as it does; `badInput` for `block` with its reason.
 * @example await fetchReadBlock('latest-10', client, systemClock.now())
 */
export async function fetchReadBlock(...request: Parameters<typeof resolveReadBlock>): Promise<bigint> {
  const { block, reasons } = await resolveReadBlock(...request).catch((error: unknown) => {
    if (!isAppError(error, 'blockNotSeen') || !error.details.validation) throw error;
    throw badInput('block', error.details.validation);
  });
  const [reason] = reasons;
  if (reason) throw badInput('block', reason);
  return block;
}

async function fetchHeight(
  tag: Exclude<ReturnType<typeof parseReadBlock>, TimeTag>,
  client: ReadBlockClient,
  options: Abortable,
): Promise<Pick<ResolvedBlock, 'block' | 'head'>> {
  if (tag === 'finalized' || tag === 'safe') {
    const block = await client.getTaggedBlock(tag, options);
    if (block !== undefined) return { block };
    throw badInput(
      'block',
      createMessage('The endpoint does not know the block {0}. Enter a number.', foreign(tag)),
    );
  }
  let head = await client.getBlockNumber(options);
  const block = resolveExactHeight(tag, head, 'block');
  // The replica that reported the head may lag.
  for (let attempt = 0; block > head && attempt < MAX_HEAD_RETRIES; attempt++) {
    const other = await client.getBlockNumber(options);
    if (other > head) head = other;
  }
  if (block <= head) return isMovingTag(tag) ? { block, head } : { block };
  const time = UNIX_SECONDS.test(String(block)) ? formatIsoTime(Number(block) * 1000) : undefined;
  if (time !== undefined)
    throw badInput(
      'block',
      createMessage('The latest block is {0}. If you mean a time, write {1}.', decimal(head), foreign(time)),
    );
  throw createError(
    'blockNotSeen',
    createMessage('The latest block is {0}. Enter {0} or lower.', decimal(head)),
    { field: 'block' },
  );
}

const MAX_HEAD_RETRIES = 3;

/** From 2001 on: no chain has as many blocks. */
const UNIX_SECONDS = /^\d{10}$/;

/**
 * Parses a block as {@link resolveReadBlock} takes it.
 *
 * @throws AppError `badInput` for `block`.
 * @example parseReadBlock('Safe') // 'safe'
 */
export function parseReadBlock(text: string | number | bigint): BlockTag | 'finalized' | 'safe' {
  const typed = String(text).trim().toLowerCase();
  return typed === 'finalized' || typed === 'safe' ? typed : parseBlockTag(typed, 'block');
}

export type ReadBlockClient = Pick<ChainClient, 'findBlockAt' | 'getBlockNumber' | 'getTaggedBlock'> &
  Partial<Pick<ChainClient, 'getNewerHead'>> &
  OneBlockClient;

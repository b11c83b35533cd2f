import type { Abortable } from '../base/concurrency.ts';
import { createError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, type Message } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Hex } from '../eth/hex.ts';

/** What tells whether a block was replaced. A client without it is believed. */
export type OneBlockClient = Partial<Pick<ChainClient, 'getBlockHash' | 'isSettled'>>;

/** What was read, and of which block. */
export interface ReadOfOneBlock<Value> {
  readonly value: Value;
  /** Undefined if the endpoint does not return it, or if the block is too old to be replaced. */
  readonly blockHash: Hex | undefined;
  /** Whether the block was replaced during each attempt, so that the value may be of several blocks. */
  readonly isReplaced: boolean;
}

const MAX_ATTEMPTS = 3;

/**
 * Reads an answer that takes several calls at a block. If a reorg replaces the block meanwhile, it is read again, three
 * times at most.
 *
 * @throws AppError as `read` and `getBlockHash` do.
 * @example const { value, isReplaced } = await readOneBlock({ block, client }, () => fetchContractViews(at, deps));
 */
export async function readOneBlock<Value>(
  { block, client }: { readonly block: bigint; readonly client: OneBlockClient },
  read: () => Promise<Value>,
  { signal }: Abortable = {},
): Promise<ReadOfOneBlock<Value>> {
  const fetchHash = async () =>
    client.isSettled?.(block) ? undefined : client.getBlockHash?.(block, { signal });
  let before = await fetchHash();
  for (let attempt = 1; ; attempt++) {
    const value = await read();
    const after = await fetchHash();
    const isReplaced = before !== after;
    if (!isReplaced || attempt === MAX_ATTEMPTS) return { value, blockHash: after, isReplaced };
    before = after;
  }
}

/** What is wrong with an answer whose block was replaced while it was read. */
export const describeReplaced = (block: bigint): Message =>
  createMessage('Block {0} was replaced by another one meanwhile. Run it again.', decimal(block));

/**
 * {@link readOneBlock}, for answers that have no reasons.
 *
 * @throws AppError `blockNotSeen` if the block was replaced during each attempt; and as {@link readOneBlock} does.
 */
export async function readWholeBlock<Value>(
  place: Parameters<typeof readOneBlock>[0],
  read: () => Promise<Value>,
  options: Abortable = {},
): Promise<Value> {
  const { value, isReplaced } = await readOneBlock(place, read, options);
  if (isReplaced) throw createError('blockNotSeen', describeReplaced(place.block));
  return value;
}

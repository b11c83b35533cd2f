import * as z from 'zod/mini';
import { isAppError } from '../base/errors.ts';
import { parseQuantity, toQuantity } from '../values/hex.ts';
import { isMissingMethod } from './ethCall.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/** Blocks that one question may be about: Blockscout before v8 takes no larger batch. */
export const MOST_BLOCK_TIMES = 5;
const MOST_BYTES = 8 * 1024 * 1024;
/** Seconds up to the last date that can be written. */
const LAST_SECOND = 8_640_000_000_000n;

const Header = z.object({ timestamp: z.string() });

/**
 * When blocks were made, in milliseconds since the Unix epoch, by `eth_getBlockByNumber`. Those that the server does not
 * know are missing.
 *
 * @param call sends what is asked at the same time together, as `gatherCalls` does.
 * @param blocks of which the first {@link MOST_BLOCK_TIMES} are asked for.
 * @returns undefined where the server does not offer the method.
 * @throws AppError of any network kind.
 * @example
 * await readBlockTimes(call, [12n]); // Map { 12n => 1767323045000 }
 */
export async function readBlockTimes(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options?: RpcCallOptions,
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const times = new Map<bigint, number>();
  const limits = { maxBytes: MOST_BYTES, ...options };
  const reads = blocks.slice(0, MOST_BLOCK_TIMES).map(async (block) => {
    const time = readTime(await call('eth_getBlockByNumber', [toQuantity(block), false], limits));
    if (time !== undefined) times.set(block, time);
  });
  for (const read of await Promise.allSettled(reads)) {
    if (read.status === 'fulfilled') continue;
    if (!isAppError(read.reason, 'rpc')) throw read.reason;
    if (isMissingMethod(read.reason)) return undefined;
  }
  return times;
}

function readTime(header: unknown): number | undefined {
  const seconds = parseQuantity(Header.safeParse(header).data?.timestamp);
  return seconds === undefined || seconds > LAST_SECOND ? undefined : Number(seconds) * 1000;
}

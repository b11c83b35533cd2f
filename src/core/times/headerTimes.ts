import * as z from 'zod/mini';
import { isAppError } from '../base/errors.ts';
import { isMissingMethod } from '../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { parseQuantity, toQuantity } from '../values/hex.ts';
import { readSeconds } from './knownTime.ts';

/** A header has the hashes of its block's transactions: some thousands, of 70 bytes each. */
const MOST_BYTES = 16 * 1024 * 1024;

const Header = z.object({ timestamp: z.unknown(), number: z.optional(z.unknown()) });

/**
 * When blocks were made, in milliseconds since the Unix epoch, by `eth_getBlockByNumber`. Those that the server does
 * not know, or of which it gives another block's header, are missing.
 *
 * @param call sends what is asked at the same time together, as `gatherCalls` does.
 * @returns undefined where the server does not offer the method.
 * @throws AppError of any network kind.
 */
export async function readHeaderTimes(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options: RpcCallOptions = {},
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const times = new Map<bigint, number>();
  const limits = { maxBytes: MOST_BYTES, ...options };
  const reads = blocks.map(async (block) => {
    const time = timeOf(await call('eth_getBlockByNumber', [toQuantity(block), false], limits), block);
    if (time !== undefined) times.set(block, time);
  });
  for (const read of await Promise.allSettled(reads)) {
    if (read.status === 'fulfilled') continue;
    if (isAppError(read.reason, 'tooLarge') && blocks.length > 1) return inHalves(call, blocks, options);
    if (!isAppError(read.reason, 'rpc')) throw read.reason;
    if (isMissingMethod(read.reason)) return undefined;
  }
  return times;
}

async function inHalves(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options: RpcCallOptions,
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const middle = blocks.length >>> 1;
  const first = await readHeaderTimes(call, blocks.slice(0, middle), options);
  const second = first && (await readHeaderTimes(call, blocks.slice(middle), options));
  return second && new Map([...first, ...second]);
}

function timeOf(header: unknown, block: bigint): number | undefined {
  const { data } = Header.safeParse(header);
  const number = data?.number === undefined ? block : parseQuantity(data.number);
  return number === block ? readSeconds(data?.timestamp) : undefined;
}

import type { Clock } from '../base/clock.ts';
import { isRecord } from '../base/values.ts';
import { type Address, type Hex, parseAddress, parseHexData, parseQuantity } from '../eth/hex.ts';
import { type BlockRange, resolveRange, resolveTimes } from '../logs/engine/blockRange.ts';
import { createProofReader, NULL_BACKOFF_MS } from '../logs/proof/proofReader.ts';
import { isRangeReversed, parseBlockTag, reversedBlocksError } from '../logs/query/filter.ts';
import type { FoundBounds } from '../logs/query/verdict.ts';
import type { BlockAtRequest, BlockAtTime } from '../rpc/blockTimes.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { type BlockHeader, fetchBlockHeader } from './block.ts';

/** A transaction that failed, by its receipt. */
export interface FailedTransaction {
  readonly hash: Hex;
  /** The address that it was sent to, or that of the contract that it would have created; undefined if not reported. */
  readonly target: Address | undefined;
}

/**
 * Why not all failed transactions of a block may be known.
 *
 * - `noBlock`: the endpoint does not return the block.
 * - `noReceipts`: it does not return the receipts of the block.
 * - `otherReceipts`: what it returns is not one receipt for each transaction of the block.
 * - `noStatus`: a receipt has no status, as before Byzantium.
 * - `replaced`: it is no longer in the chain, or its parent is not the block that was read.
 */
export type FailureGap = 'noBlock' | 'noReceipts' | 'noStatus' | 'otherReceipts' | 'replaced';

/** What is known of one block. */
export interface BlockFailures {
  readonly block: bigint;
  /** By their index in the block. */
  readonly failed: readonly FailedTransaction[];
  readonly gap: FailureGap | undefined;
}

export interface FailedTransactions extends BlockRange {
  /** The blocks found if the range has times. */
  readonly found: FoundBounds | undefined;
  /** Reads the blocks of the range in order. @throws AppError of any network kind. */
  read(): AsyncGenerator<BlockFailures>;
}

interface FailureDeps {
  /** Sends concurrent calls as one batch, as `createBatchedCall` does. */
  readonly call: RpcClient['call'];
  readonly clock: Clock;
  /** The newest block. */
  readonly head: bigint;
  readonly blockAt: (request: BlockAtRequest) => Promise<BlockAtTime>;
}

/** Headers in one request. */
const HEADERS_PER_BATCH = 50n;
/** Receipts of a block of Ethereum take 1 MiB or less. */
const BLOCKS_PER_BATCH = 10;

/**
 * Opens the failed transactions of a range of blocks, by the receipts of each block.
 *
 * @param bounds as people write them, see `parseBlockTag`.
 * @throws AppError `badInput` for `fromBlock` or `toBlock`; any network kind if a time has to be found.
 * @example
 * const { read } = await openFailedTransactions({ fromBlock: '-100', toBlock: 'latest' }, deps, { signal });
 */
export async function openFailedTransactions(
  { fromBlock, toBlock }: { readonly fromBlock: string; readonly toBlock: string },
  { call, clock, head, blockAt }: FailureDeps,
  options: Pick<RpcCallOptions, 'signal'> = {},
): Promise<FailedTransactions> {
  const given = {
    fromBlock: parseBlockTag(fromBlock, 'fromBlock'),
    toBlock: parseBlockTag(toBlock, 'toBlock'),
  };
  if (isRangeReversed(given.fromBlock, given.toBlock))
    throw reversedBlocksError(given.fromBlock, given.toBlock);
  const { bounds, found } = await resolveTimes(given, { head, now: clock.now(), blockAt });
  const range = resolveRange(bounds, head);
  const proofReader = createProofReader(call, { ...options, clock });

  /** Some replicas may not have seen a block near the head yet. */
  async function fetchHeader(block: bigint): Promise<BlockHeader | undefined> {
    for (const ms of NULL_BACKOFF_MS) {
      const header = await fetchBlockHeader(call, block, options);
      if (header) return header;
      if (ms > 0) await clock.sleep(ms, options);
    }
    return fetchBlockHeader(call, block, options);
  }

  async function readBlock(block: bigint, header: BlockHeader | undefined): Promise<BlockFailures> {
    if (!header) return { block, failed: [], gap: 'noBlock' };
    if (header.transactionCount === 0)
      return { block, failed: [], gap: header.gasUsed === 0n ? undefined : 'otherReceipts' };
    return { block, ...readReceipts(await proofReader.fetchReceipts(header), header) };
  }

  /** Each other block is the parent of the next one. */
  async function isInPlace({ number, hash }: BlockHeader): Promise<boolean> {
    return number !== range.toBlock || (await fetchHeader(number))?.hash === hash;
  }

  async function* read(): AsyncGenerator<BlockFailures> {
    let last: BlockHeader | undefined;
    for (let start = range.fromBlock; start <= range.toBlock; start += HEADERS_PER_BATCH) {
      const count = Math.min(Number(range.toBlock - start) + 1, Number(HEADERS_PER_BATCH));
      const headers = await Promise.all(
        Array.from({ length: count }, (_, place) => fetchHeader(start + BigInt(place))),
      );
      for (let at = 0; at < count; at += BLOCKS_PER_BATCH) {
        const some = headers.slice(at, at + BLOCKS_PER_BATCH);
        const blocks = await Promise.all(
          some.map((header, place) => readBlock(start + BigInt(at + place), header)),
        );
        for (const [place, one] of blocks.entries()) {
          const header = some[place];
          const isReplaced = header && ((last && !isParent(last, header)) || !(await isInPlace(header)));
          yield isReplaced ? { ...one, gap: one.gap ?? 'replaced' } : one;
          last = header;
        }
      }
    }
  }

  return { ...range, found, read };
}

function isParent({ hash }: BlockHeader, { parentHash }: BlockHeader): boolean {
  return parentHash === undefined || parentHash === hash;
}

function readReceipts(
  receipts: readonly unknown[] | undefined,
  { hash: blockHash, transactionCount }: BlockHeader,
): Pick<BlockFailures, 'failed' | 'gap'> {
  if (!receipts) return { failed: [], gap: 'noReceipts' };
  const ofBlock = receipts
    .filter(isRecord)
    .filter((receipt) => (parseHexData(receipt.blockHash, 32) ?? blockHash) === blockHash);
  const statuses = new Map(
    ofBlock.flatMap((receipt) => {
      const hash = parseHexData(receipt.transactionHash, 32);
      return hash ? [[hash, { status: parseQuantity(receipt.status), receipt }] as const] : [];
    }),
  );
  const indices = new Set(ofBlock.map((receipt) => parseQuantity(receipt.transactionIndex)));
  const hasEach = ofBlock.every((_, index) => indices.has(BigInt(index)));
  const isWhole = hasEach && receipts.length === transactionCount && statuses.size === transactionCount;
  const all = [...statuses];
  const hasStatuses = all.every(([, { status }]) => status === 0n || status === 1n);
  return {
    failed: all.flatMap(([hash, { status, receipt }]) =>
      status === 0n
        ? [{ hash, target: parseAddress(receipt.to) ?? parseAddress(receipt.contractAddress) }]
        : [],
    ),
    gap: isWhole ? (hasStatuses ? undefined : 'noStatus') : 'otherReceipts',
  };
}

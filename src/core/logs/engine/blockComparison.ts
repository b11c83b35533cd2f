import * as z from 'zod/mini';
import { forEachLimited } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { forEachInSlices, type SliceOptions } from '../../base/timeSlices.ts';
import { bigintMin, pushAll } from '../../base/values.ts';
import { type Address, type Hex, toQuantity } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import { createBloomBuilder, isBloomWithin, parseBloom, type RequestedContract } from '../proof/bloom.ts';
import type { LogFilter } from '../query/filter.ts';
import { mayBeTruncated } from './dialect.ts';
import type { QueryContext, RetryPolicy } from './getLogs.ts';
import { parseLogs } from './parseLogs.ts';
import { isBeyondHead } from './refusals.ts';
import { toServerFilters } from './serverFilters.ts';

/** Blocks in ascending order, both inclusive. */
export interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

export interface CheckOptions extends SliceOptions {
  readonly query: QueryContext;
  /** Of the query. */
  readonly range: Blocks;
}

/** Requests for a header, or for logs, that a lagging replica may not have. */
export const MAX_ATTEMPTS = 4;

export interface SampledBlock {
  readonly block: bigint;
  readonly bloom: Hex;
}

export interface TestedBlock extends SampledBlock {
  /** Contracts of the filter: by its bloom, the block may have requested logs of each of them. */
  readonly mayHave: readonly RequestedContract[];
}

export interface ComparedBlock extends TestedBlock {
  /** The result has no row of it. */
  readonly hasNoRow: boolean;
}

export interface BloomOutcome {
  readonly code?: 'prunedLogs' | 'partialLogs' | 'omittedLogs' | 'historyUnchecked' | undefined;
  /** The node has all logs of the block, which are of these contracts; undefined if that was not fully tested. */
  readonly shown?: readonly Address[] | undefined;
  /** The node has no logs of the block at all. */
  readonly isEmpty?: boolean;
}

/** Whether the node has all logs that set the bits of a block's bloom. A block that was not fully tested shows nothing. */
export async function compareWithBloom(
  compared: ComparedBlock,
  options: CheckOptions,
): Promise<BloomOutcome> {
  const { block, bloom, mayHave, hasNoRow } = compared;
  const response = await fetchAllLogs(block, options);
  if (!response) return compareRequested(compared, options);
  const { logs: all, count } = response;
  if (all.length === 0) return { code: 'prunedLogs', isEmpty: true };
  // Another replica may have returned the logs of the range, or from another store.
  const matching = all.filter(options.query.matches);
  if (hasNoRow && matching.length > 0) return { code: 'omittedLogs' };
  if (isFull(bloom)) return {};
  const { isPure, isWhole } = await compareBlooms(all, parseBloom(bloom), options);
  if (isWhole) return isPure ? { shown: [...new Set(all.map(({ address }) => address))] } : {};
  // The server may have cut them off.
  if (isPure && !mayBeTruncated(count)) return { code: 'partialLogs' };
  const unseen = listUnseen(mayHave, matching);
  if (mayHave.length > 0 && unseen.length === 0) return {};
  const { code } = await compareRequested({ ...compared, mayHave: unseen }, options);
  return { code: code === 'prunedLogs' ? 'partialLogs' : code };
}

/**
 * Compares logs with the bloom of their block.
 *
 * @returns whether all of them are in the bloom, and whether those that are make all its bits. Logs of the system may
 *   be in no bloom (Polygon).
 */
async function compareBlooms(
  logs: readonly Log[],
  stated: Uint8Array,
  options: SliceOptions,
): Promise<{ readonly isPure: boolean; readonly isWhole: boolean }> {
  const build = createBloomBuilder();
  const built = build([]);
  let isPure = true;
  const visit = (log: Log) => {
    const bloom = build([log]);
    if (isBloomWithin(bloom, stated))
      for (const [place, byte] of bloom.entries()) built[place] = (built[place] ?? 0) | byte;
    else isPure = false;
  };
  await forEachInSlices(logs, visit, options);
  return { isPure, isWhole: isBloomWithin(stated, built) };
}

/** The same by the requested logs alone, where all logs of the block are not available. */
async function compareRequested(
  { block, bloom, mayHave, hasNoRow }: ComparedBlock,
  options: CheckOptions,
): Promise<BloomOutcome> {
  if (mayHave.length === 0) return { code: 'historyUnchecked' };
  const { query } = options;
  const requested = await fetchRequestedLogs(block, options);
  if (hasNoRow && requested.length > 0) return { code: 'omittedLogs' };
  if (listUnseen(mayHave, requested).length === 0) return {};
  return { code: isChanceMatch(query.filter, bloom) ? 'historyUnchecked' : 'prunedLogs' };
}

/** The contracts without one of these logs, which match the filter. */
function listUnseen(contracts: readonly RequestedContract[], matching: readonly Log[]) {
  const seen = new Set<RequestedContract>(matching.map(({ address }) => address));
  if (matching.length > 0) seen.add('any');
  return contracts.filter((contract) => !seen.has(contract));
}

/**
 * All logs of a block: of a range with it, as some endpoints send requests for one block to another node; else of the
 * block alone, or by its receipts where the server demands an address.
 *
 * @returns undefined if the server refuses all of these; `count` includes the logs of the other block of the range.
 * @throws AppError of every kind but `rpc` and `badLogs`.
 */
async function fetchAllLogs(
  block: bigint,
  { query, range, signal }: CheckOptions,
): Promise<{ readonly logs: readonly Log[]; readonly count: number } | undefined> {
  const options = { ...toRetry(query), signal };
  const fromBlock = block > range.fromBlock ? block - 1n : block;
  const toBlock = block > range.fromBlock ? block : bigintMin(block + 1n, range.toBlock);
  const tag = toQuantity(block);
  const two = { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) };
  let refused: typeof two | undefined;
  for (const request of [...Array<typeof two>(MAX_ATTEMPTS).fill(two), { fromBlock: tag, toBlock: tag }]) {
    if (request === refused) continue;
    try {
      const result = await query.rpc.call('eth_getLogs', [request], options);
      if (!Array.isArray(result)) return undefined;
      const { logs } = parseLogs(result);
      return { logs: logs.filter(({ blockNumber }) => blockNumber === block), count: logs.length };
    } catch (error) {
      if (!isAppError(error, 'rpc', 'badLogs')) throw error;
      // A replica that is far behind refuses the other block only.
      if (!isAppError(error, 'rpc') || !isBeyondHead(error)) refused = request;
    }
  }
  try {
    const receipts = await query.rpc.call('eth_getBlockReceipts', [tag], options);
    const { logs } = parseLogs(Receipts.parse(receipts).flatMap((receipt) => receipt.logs));
    return { logs, count: logs.length };
  } catch (error) {
    if (isAppError(error) && !isAppError(error, 'rpc', 'badLogs')) throw error;
    return undefined;
  }
}

const Receipts = z.array(z.object({ logs: z.array(z.unknown()) })).check(z.minLength(1));

/** The logs of a block that the query requests. */
async function fetchRequestedLogs(block: bigint, { query, signal }: CheckOptions): Promise<readonly Log[]> {
  const tag = toQuantity(block);
  const requested: Log[] = [];
  // A filter of thousands of values is sent in over a hundred parts.
  await forEachLimited(toServerFilters(query.filter, query.memory.current()), async (part) => {
    const params = [{ ...part, fromBlock: tag, toBlock: tag }];
    const { logs } = parseLogs(await query.rpc.call('eth_getLogs', params, { ...toRetry(query), signal }));
    pushAll(requested, logs.filter(query.matches));
  });
  return requested;
}

/** Whether other logs of the block may well have set the bits of the requested logs of one contract. */
export function isChanceMatch({ addresses, topics }: LogFilter, bloom: Hex): boolean {
  const bits = parseBloom(bloom).reduce((sum, byte) => sum + countBits(byte), 0);
  const oneValue = (bits / 2048) ** 3;
  const chance = [addresses.slice(0, 1), ...topics]
    .filter((values) => values !== null && values.length > 0)
    .reduce((product, values) => product * Math.min(1, oneValue * (values?.length ?? 0)), 1);
  return chance > MAX_CHANCE;
}

const MAX_CHANCE = 0.001;

function countBits(byte: number): number {
  let bits = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) bits++;
  return bits;
}

export const isFull = (bloom: Hex) => !/[^f]/.test(bloom.slice(2));

/** The page waits for it, so it does not wait as long as the logs themselves do. */
export function toRetry({ retry }: QueryContext): RetryPolicy {
  return { ...retry, retries: Math.min(retry.retries, 4) };
}

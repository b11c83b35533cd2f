import { toAbiWord } from '../abi/encode.ts';
import type { BackoffControl, Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, isAppError, throwIfAborted } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { bigintMin } from '../base/values.ts';
import type { Address } from '../eth/hex.ts';
import { getDirection, type Log } from '../logs/log.ts';
import { type BlockTag, createLogFilter, type LogFilter } from '../logs/query/filter.ts';
import type { LoadRestOptions, LogClient } from '../logs/query/logQuery.ts';
import { createVerdict, isUnreached, type Verdict } from '../logs/query/verdict.ts';
import { decodeNftMovements, transferEvents } from '../tokens/transferEvents.ts';
import { compareNftTransfers, MAX_TRANSFERS, type NftProvider, type NftTransfer } from './nft.ts';

export interface NftHistoryInputs {
  readonly source: NftProvider | 'noSource' | 'noKey' | 'notWanted';
  readonly chain: LogClient;
}

/**
 * Fetches the history of a token ID: from a provider if it serves the chain and its transfers, otherwise from
 * logs. Each yielded value contains everything read so far; the last one is complete. From logs, the first
 * value comes before any request, so that the caller can show what is happening.
 *
 * @throws AppError of the provider for any other failure (a wrong key, credits used up, a rate limit): the
 *   user can fix those, so logs do not hide them. AppError of the log query. Values yielded before remain
 *   valid.
 * @example
 * for await (const history of fetchNftHistory({ source, chain: client }, { contract, tokenId }, { clock })) show(history);
 */
export async function* fetchNftHistory(
  { source, chain }: NftHistoryInputs,
  request: NftHistoryRequest,
  options: NftTransfersOptions,
): AsyncGenerator<NftHistory> {
  if (typeof source === 'string') {
    yield* fetchHistoryFromLogs(chain, request, { ...options, noProviderReason: { reason: source } });
    return;
  }
  if (source.offers.nftTransfers === undefined) {
    yield* fetchHistoryFromLogs(chain, request, {
      ...options,
      noProviderReason: { reason: 'notServed', error: undefined },
    });
    return;
  }
  let fromProvider: NftHistory;
  try {
    const { signal } = options;
    const result = await source.nftTransfers(request.contract, request.tokenId, { signal });
    const { contract: _, ...read } = result;
    fromProvider = { from: 'source', ...read, count: read.transfers.length };
  } catch (error) {
    if (!isAppError(error)) throw error;
    // A provider without a key may give up on a request that logs can serve.
    const gaveUp = error.kind === 'tooHeavy' && error.details.provider?.takesKey === false;
    const canUseLogs = gaveUp || isAppError(error, 'notServed', 'notFound');
    if (!canUseLogs) throw error;
    yield* fetchHistoryFromLogs(chain, request, {
      ...options,
      noProviderReason: { reason: 'notServed', error },
    });
    return;
  }
  yield fromProvider;
}

async function* fetchHistoryFromLogs(
  chain: NftHistoryInputs['chain'],
  request: NftHistoryRequest,
  { noProviderReason, ...options }: NftTransfersOptions & { readonly noProviderReason: NoNftProviderReason },
): AsyncGenerator<NftHistoryFromLogs> {
  const list = createTransferList();
  let skipped = 0;
  const toHistory = (verdict: Verdict | undefined, endsEarly: boolean): NftHistoryFromLogs => {
    const newestFirst = list.newestFirst();
    return {
      from: 'logs',
      noProviderReason,
      count: list.length,
      skipped,
      verdict,
      endsEarly,
      get transfers() {
        return newestFirst();
      },
    };
  };
  yield toHistory(undefined, false);
  for await (const page of fetchNftTransfersFromLogs(chain, request, options)) {
    list.append(page.transfers);
    skipped += page.skipped;
    yield toHistory(page.verdict, page.endsEarly);
  }
}

export type NftHistory = NftHistoryFromProvider | NftHistoryFromLogs;

interface ReadTransfers {
  /** Newest first, without duplicates. A history from logs is sorted on first access. */
  readonly transfers: readonly NftTransfer[];
  readonly count: number;
  /** Entries that are missing because they were unreadable. */
  readonly skipped: number;
}

export interface NftHistoryFromProvider extends ReadTransfers {
  readonly from: 'source';
  readonly source: ProviderLabel;
  /** When the response arrived, in milliseconds since the Unix epoch. */
  readonly readAt: number;
  /** When the provider last synced with the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Failed transactions, which moved nothing. */
  readonly failedTransactions: number;
}

export interface NftHistoryFromLogs extends ReadTransfers {
  readonly from: 'logs';
  readonly noProviderReason: NoNftProviderReason;
  /** Undefined before the first page. */
  readonly verdict: Verdict | undefined;
  /** Whether reading stopped at {@link MAX_TRANSFERS}; later transfers are missing. */
  readonly endsEarly: boolean;
}

/**
 * Why the history comes from logs: the network has no provider, there is no key for it, the caller does not
 * want one, or the provider does not serve the chain or its transfers.
 */
export type NoNftProviderReason =
  | { readonly reason: 'noSource' | 'noKey' | 'notWanted' }
  | { readonly reason: 'notServed'; readonly error: AppError | undefined };

export interface NftHistoryRequest {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** If given, half of the logs need not be requested. */
  readonly standard?: 'erc721' | 'erc1155' | undefined;
  /** Inclusive; default `earliest`. */
  readonly fromBlock?: BlockTag;
  /** Inclusive; default `latest`. */
  readonly toBlock?: BlockTag;
}

export interface NftTransfersPage {
  /** In chain order within each standard. */
  readonly transfers: readonly NftTransfer[];
  /** Logs of this page with the topic0 of an NFT transfer that cannot be decoded as one. */
  readonly skipped: number;
  /**
   * The verdict on everything read so far. Its `rows` count logs, including those of other IDs of an ERC-1155
   * contract.
   */
  readonly verdict: Verdict;
  /** Whether this is the last page only because {@link MAX_TRANSFERS} was reached. */
  readonly endsEarly: boolean;
}

export interface NftTransfersOptions extends LoadRestOptions {
  readonly clock: Clock;
  readonly waits?: BackoffControl | undefined;
}

/**
 * Reads the history of a token ID with `eth_getLogs`: ERC-721 by topic 3, which is the ID; ERC-1155 by
 * reading every transfer of the contract, because the ID is in the data. Times are set if the logs contain
 * them. Stops at {@link MAX_TRANSFERS}.
 *
 * @throws AppError as a log query does; pages yielded before remain valid.
 * @example
 * for await (const { transfers, verdict } of fetchNftTransfersFromLogs(client, { contract, tokenId: 7n }, { clock })) {
 *   console.log(transfers.length, verdict.state);
 * }
 */
export async function* fetchNftTransfersFromLogs(
  chain: LogClient,
  request: NftHistoryRequest,
  { clock, waits, signal, onProgress }: NftTransfersOptions,
): AsyncGenerator<NftTransfersPage> {
  const filters = createTransferFilters(request);
  const earlier: Verdict[] = [];
  const slices = createTimeSlices(clock);
  let remaining = MAX_TRANSFERS;
  for (const [index, filter] of filters.entries()) {
    const query = chain.openLogQuery(filter, { waits });
    const pages = query.rest({
      signal,
      onProgress: ({ blocksDone, blocks }) =>
        onProgress?.({
          blocksDone: blocksDone + blocks * BigInt(index),
          blocks: blocks * BigInt(filters.length),
        }),
    });
    for await (const { logs, verdict } of pages) {
      const { transfers, skipped, leftOut } = await readTransfers(logs, request.tokenId, {
        limit: remaining,
        slices,
        signal,
      });
      remaining -= transfers.length;
      const remainingQueries = filters.length - index - 1;
      const merged = mergeVerdicts(
        [leftOut ? endVerdictBefore(leftOut, verdict) : verdict, ...earlier],
        remainingQueries,
      );
      yield { transfers, skipped, verdict: merged, endsEarly: leftOut !== undefined };
      if (leftOut) return;
    }
    if (query.verdict) earlier.push(query.verdict);
  }
}

function createTransferFilters(request: NftHistoryRequest): readonly LogFilter[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = request;
  const filter = (topics: LogFilter['topics']) =>
    createLogFilter({ addresses: [contract], topics, fromBlock, toBlock });
  const { transfer, transferSingle, transferBatch } = transferEvents;
  const single = filter([[transfer.topic0], null, null, [toAbiWord(tokenId)]]);
  const multi = filter([[transferSingle.topic0, transferBatch.topic0]]);
  if (standard === undefined) return [single, multi];
  return standard === 'erc721' ? [single] : [multi];
}

/** `leftOut` is the first transfer over the limit. Runs in time slices: one log can contain thousands of IDs. */
async function readTransfers(
  logs: readonly Log[],
  tokenId: bigint,
  { limit, slices, signal }: Abortable & { readonly limit: number; readonly slices: TimeSlices },
) {
  const transfers: NftTransfer[] = [];
  let skipped = 0;
  for (const log of logs) {
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
    const read = decodeTransfers(log, tokenId);
    if (!read) skipped++;
    for (const transfer of read ?? []) {
      if (transfers.length === limit) return { transfers, skipped, leftOut: transfer };
      transfers.push(transfer);
    }
  }
  return { transfers, skipped, leftOut: undefined };
}

/** The verdict if only the logs before this transfer were used. */
function endVerdictBefore({ blockNumber }: NftTransfer, verdict: Verdict): Verdict {
  const readThrough = blockNumber > verdict.fromBlock ? blockNumber - 1n : undefined;
  return { ...verdict, state: 'more', readThrough };
}

function decodeTransfers(log: Log, tokenId: bigint): readonly NftTransfer[] | undefined {
  const { blockNumber, time, transactionHash, logIndex } = log;
  const position = { blockNumber, time, transactionHash, logIndex };
  return decodeNftMovements(log)
    ?.filter((movement) => movement.tokenId === tokenId)
    .map((movement) => ({ ...movement, ...position }));
}

/** Collects transfers from logs, which are read one standard at a time. */
interface TransferList {
  readonly length: number;
  append(transfers: readonly NftTransfer[]): void;
  /**
   * The transfers so far, newest first; the same array until more are added. Merged on first access only,
   * because merging takes time in proportion to their number and few callers need every intermediate state.
   */
  newestFirst(): () => readonly NftTransfer[];
}

function createTransferList(): TransferList {
  const singles: NftTransfer[] = [];
  const multis: NftTransfer[] = [];
  let merge: (() => readonly NftTransfer[]) | undefined;
  return {
    get length() {
      return singles.length + multis.length;
    },
    append(transfers) {
      if (transfers.length > 0) merge = undefined;
      for (const transfer of transfers) {
        (transfer.standard === 'erc721' ? singles : multis).push(transfer);
      }
    },
    newestFirst() {
      merge ??= createLazyMerge(takePrefix(singles), takePrefix(multis));
      return merge;
    },
  };
}

/** The current part of a growing list, in chain order. */
interface Prefix {
  readonly list: readonly NftTransfer[];
  readonly length: number;
}

function takePrefix(list: readonly NftTransfer[]): Prefix {
  return { list, length: list.length };
}

function createLazyMerge(...runs: Parameters<typeof mergeFromEnd>): () => readonly NftTransfer[] {
  let merged: readonly NftTransfer[] | undefined;
  return () => {
    merged ??= mergeFromEnd(...runs);
    return merged;
  };
}

function mergeFromEnd(a: Prefix, b: Prefix): readonly NftTransfer[] {
  const merged: NftTransfer[] = [];
  let left = a.length - 1;
  let right = b.length - 1;
  for (;;) {
    const [one, other] = [left < 0 ? undefined : a.list[left], right < 0 ? undefined : b.list[right]];
    if (one && (!other || compareNftTransfers(one, other) < 0)) {
      merged.push(one);
      left--;
    } else if (other) {
      merged.push(other);
      right--;
    } else {
      return merged;
    }
  }
}

/**
 * Merges the verdicts of several queries over one range in one order: the weakest wins.
 *
 * @param remainingQueries queries that follow.
 */
function mergeVerdicts(verdicts: readonly [Verdict, ...Verdict[]], remainingQueries: number): Verdict {
  const [first] = verdicts;
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  const { nearer } = getDirection(first.order);
  const nearerIfDefined = (a: bigint | undefined, b: bigint | undefined) =>
    a === undefined || b === undefined ? undefined : nearer(a, b);
  return createVerdict({
    isRead: remainingQueries === 0 && verdicts.every(({ state }) => state !== 'more'),
    reasons: verdicts.flatMap(({ reasons }) => reasons).filter((reason) => !isUnreached(reason)),
    fromBlock: first.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(bigintMin),
    head: verdicts.map(({ head }) => head).reduce(bigintMin),
    order: first.order,
    readThrough: remainingQueries > 0 ? undefined : readThroughs.reduce(nearerIfDefined),
    rows: verdicts.reduce((sum, { rows }) => sum + rows, 0),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  });
}

import type { BackoffControl, Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { throwIfAborted } from '../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { bigintMin, pushAll } from '../base/values.ts';
import { type Address, ZERO_ADDRESS } from '../eth/hex.ts';
import { getFirstUnsettledBlock } from '../logs/engine/blockRange.ts';
import { compareLogs, getDirection, type Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { LoadRestOptions, LogClient } from '../logs/query/logQuery.ts';
import { createReasonList, createVerdict, type Verdict, type VerdictReason } from '../logs/query/verdict.ts';
import { findMovementOf, type NftMovement } from '../tokens/transferEvents.ts';
import { compareNftTransfers, MAX_TRANSFERS, type NftTransfer } from './nft.ts';
import {
  createTransferQueries,
  type NftHistoryRequest,
  type TransferReader,
  type TransfersClient,
} from './nftTransferQueries.ts';

/**
 * Reads the history of a token ID with `eth_getLogs`, in up to three queries:
 *
 * 1. ERC-721 by topic 3, which is the ID.
 * 2. Every transfer of ERC-1155 and every range of ERC-2309: the ID is in the data, or within the range.
 * 3. Every `Transfer`, up to the first page that shows that the contract indexes its IDs. A contract that indexes none, or
 *    not all, has them in the data.
 *
 * Times are set if the logs contain them. Stops at {@link MAX_TRANSFERS}.
 *
 * @throws AppError as a log query does; pages yielded before remain valid.
 * @example
 * for await (const { transfers, verdict } of fetchNftTransfersFromLogs(client, { contract, tokenId: 7n }, { clock })) {
 *   console.log(transfers.length, verdict.state);
 * }
 */
export async function* fetchNftTransfersFromLogs(
  chain: TransfersClient,
  request: NftHistoryRequest,
  { clock, waits, signal, onProgress }: NftTransfersOptions,
): AsyncGenerator<NftTransfersPage> {
  const queries = createTransferQueries(chain, request);
  const slices = createTimeSlices(clock);
  const earlier: QueryEnd[] = [];
  const unreadable = createReasonList();
  const ownership = createOwnershipCheck();
  let remaining = MAX_TRANSFERS;
  let hasLogs = false;
  for (const [index, { filter, reader }] of queries.entries()) {
    const hadLogs = hasLogs;
    const remainingQueries = queries.length - index - 1;
    const query = chain.openLogQuery(filter, { waits });
    const unsettled: Log[] = [];
    const pages = query.rest({
      signal,
      onProgress: ({ blocksDone, blocks }) =>
        onProgress?.({
          blocksDone: blocksDone + blocks * BigInt(index),
          blocks: blocks * BigInt(queries.length),
        }),
    });
    for await (const { logs, verdict } of pages) {
      hasLogs ||= logs.length > 0;
      for (const log of logs) if (isUnsettled(log.blockNumber, verdict)) unsettled.push(log);
      await reader.prepare?.(logs, { signal });
      const page = await readTransfers(logs, request.tokenId, { reader, limit: remaining, slices, signal });
      const { transfers, unreadableBlocks, leftOut } = page;
      remaining -= transfers.length;
      unreadable.add(unreadableBlocks.map((block) => ({ code: 'unreadableTransfers', block })));
      ownership.add(transfers);
      const isDecided = reader.isDecided === true;
      const own = leftOut ? endVerdictBefore(leftOut, verdict) : verdict;
      const earlierVerdicts = earlier.map((end) => end.verdict);
      const merged = mergeVerdicts(own, earlierVerdicts, { remainingQueries, isDecided });
      const isEnd = merged.state !== 'more';
      const recheck = isEnd ? await recheckQueries(chain, earlier, { waits, signal }) : undefined;
      const requests = merged.requests + (recheck?.requests ?? 0);
      const reasons = [
        ...unreadable.list(),
        ...(isEnd ? ((await reader.findReasons?.({ signal, hasLogs: hadLogs })) ?? []) : []),
        ...(isEnd ? ownership.reasons(merged.fromBlock) : []),
        ...(recheck?.reasons ?? []),
      ];
      const skipped = unreadableBlocks.length;
      yield {
        transfers,
        skipped,
        verdict: weaken({ ...merged, requests }, reasons),
        endsEarly: leftOut !== undefined,
      };
      if (leftOut || isDecided) return;
    }
    if (query.verdict) earlier.push({ filter, verdict: query.verdict, unsettled });
  }
}

export interface NftTransfersPage {
  /** In chain order within each query. */
  readonly transfers: readonly NftTransfer[];
  /** Logs of this page with the topic0 of an NFT transfer that cannot be decoded as one. */
  readonly skipped: number;
  /**
   * The verdict on everything read so far. Its `rows` count logs, including those of other IDs.
   */
  readonly verdict: Verdict;
  /** Whether this is the last page only because {@link MAX_TRANSFERS} was reached. */
  readonly endsEarly: boolean;
}

export interface NftTransfersOptions extends LoadRestOptions {
  readonly clock: Clock;
  readonly waits?: BackoffControl | undefined;
}

/** What a query found, as far as a reorg may still replace it. */
interface QueryEnd {
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly unsettled: readonly Log[];
}

function isUnsettled(block: bigint, verdict: Verdict): boolean {
  return block >= getFirstUnsettledBlock(verdict);
}

/**
 * Reads the last blocks of earlier queries again: a reorg between two queries leaves logs of two chains, although each
 * query saw one chain only.
 */
async function recheckQueries(
  chain: LogClient,
  earlier: readonly QueryEnd[],
  { waits, signal }: Pick<NftTransfersOptions, 'waits' | 'signal'>,
): Promise<Pick<Verdict, 'reasons' | 'requests'>> {
  const rechecks = earlier.map(async ({ filter, verdict, unsettled }) => {
    const { toBlock } = verdict;
    if (!isUnsettled(toBlock, verdict)) return { reasons: [], requests: 0 };
    const fromBlock = getFirstUnsettledBlock(verdict);
    const query = chain.openLogQuery({ ...filter, fromBlock, toBlock }, { waits });
    const logs: Log[] = [];
    for await (const page of query.rest({ signal })) pushAll(logs, page.logs);
    const { requestedTo, requests = 0, reasons: ownReasons = [] } = query.verdict ?? {};
    if (requestedTo !== undefined) return { reasons: [{ code: 'headWentBack' as const }], requests };
    const block = findFirstChange(unsettled, logs);
    return {
      reasons: block === undefined ? ownReasons : [...ownReasons, { code: 'reorg' as const, block }],
      requests,
    };
  });
  const results = await Promise.all(rechecks);
  return {
    reasons: results.flatMap(({ reasons }) => reasons),
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** The block of the first log that is missing from one of two sorted lists, or differs between them. */
function findFirstChange(before: readonly Log[], after: readonly Log[]): bigint | undefined {
  const longer = before.length < after.length ? after : before;
  const index = longer.findIndex((_, at) => !isSameLog(before[at], after[at]));
  const blocks = [before[index], after[index]].flatMap((log) => log?.blockNumber ?? []);
  return blocks.length === 0 ? undefined : blocks.reduce(bigintMin);
}

function isSameLog(a: Log | undefined, b: Log | undefined): boolean {
  return a !== undefined && b !== undefined && a.blockHash === b.blockHash && compareLogs(a, b) === 0;
}

/** `leftOut` is the first transfer over the limit. Runs in time slices: one log can contain thousands of IDs. */
async function readTransfers(
  logs: readonly Log[],
  tokenId: bigint,
  {
    reader,
    limit,
    slices,
    signal,
  }: Abortable & { readonly reader: TransferReader; readonly limit: number; readonly slices: TimeSlices },
) {
  const transfers: NftTransfer[] = [];
  const unreadableBlocks: bigint[] = [];
  for (const log of logs) {
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
    const movements = reader.decode(log);
    if (!movements) unreadableBlocks.push(log.blockNumber);
    for (const movement of movements ?? []) {
      const transfer = toTransfer(log, findMovementOf(movement, tokenId));
      if (!transfer) continue;
      if (transfers.length === limit) return { transfers, unreadableBlocks, leftOut: transfer };
      transfers.push(transfer);
    }
  }
  return { transfers, unreadableBlocks, leftOut: undefined };
}

function toTransfer(log: Log, movement: NftMovement | undefined): NftTransfer | undefined {
  const { blockNumber, time, transactionHash, logIndex } = log;
  return movement && { ...movement, blockNumber, time, transactionHash, logIndex };
}

/** The verdict if only the logs before this transfer were used. */
function endVerdictBefore({ blockNumber }: NftTransfer, verdict: Verdict): Verdict {
  const readThrough = blockNumber > verdict.fromBlock ? blockNumber - 1n : undefined;
  return { ...verdict, state: 'more', readThrough };
}

/** Checks that an ERC-721 token is only ever sent by its owner, and minted while it has none. */
interface OwnershipCheck {
  add(transfers: readonly NftTransfer[]): void;
  /** The first transfer that shows that an earlier one is missing. */
  reasons(fromBlock: bigint): readonly VerdictReason[];
}

function createOwnershipCheck(): OwnershipCheck {
  const transfers: NftTransfer[] = [];
  let checked: { readonly count: number; readonly reasons: readonly VerdictReason[] } | undefined;
  return {
    add(added) {
      for (const transfer of added) if (transfer.standard === 'erc721') transfers.push(transfer);
    },
    reasons(fromBlock) {
      if (checked?.count !== transfers.length) {
        checked = { count: transfers.length, reasons: findOwnershipGap(transfers, fromBlock) };
      }
      return checked.reasons;
    },
  };
}

function findOwnershipGap(transfers: readonly NftTransfer[], fromBlock: bigint): readonly VerdictReason[] {
  // Whoever owned the token before a range that starts later is unknown.
  let owner: Address | undefined = fromBlock === 0n ? ZERO_ADDRESS : undefined;
  for (const { from, to, blockNumber } of transfers.toSorted((a, b) => compareNftTransfers(b, a))) {
    if (owner !== undefined && from !== owner) {
      return [{ code: 'ownerUnknown', block: blockNumber }];
    }
    owner = to;
  }
  return [];
}

/**
 * Merges the verdicts of several queries over one range in one order: the weakest wins.
 *
 * @param own of the query that is being read.
 * @param options.remainingQueries queries that follow.
 * @param options.isDecided whether the rest of that query does not matter.
 */
function mergeVerdicts(
  own: Verdict,
  earlier: readonly Verdict[],
  { remainingQueries, isDecided }: { readonly remainingQueries: number; readonly isDecided: boolean },
): Verdict {
  const all = [own, ...earlier];
  const verdicts = isDecided && earlier.length > 0 ? earlier : all;
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  const { nearer } = getDirection(own.order);
  const nearerIfDefined = (a: bigint | undefined, b: bigint | undefined) =>
    a === undefined || b === undefined ? undefined : nearer(a, b);
  return createVerdict({
    isRead: remainingQueries === 0 && verdicts.every(({ state }) => state !== 'more'),
    reasons: verdicts.flatMap(({ reasons }) => reasons),
    fromBlock: own.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(bigintMin),
    head: verdicts.map(({ head }) => head).reduce(bigintMin),
    order: own.order,
    readThrough: remainingQueries > 0 ? undefined : readThroughs.reduce(nearerIfDefined),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
  });
}

/** A verdict with further reasons, which is then not complete. Queries that are read again may repeat theirs. */
function weaken(verdict: Verdict, more: readonly VerdictReason[]): Verdict {
  const reasons = createReasonList();
  reasons.add([...verdict.reasons, ...more]);
  return createVerdict({ ...verdict, isRead: verdict.state !== 'more', reasons: reasons.list() });
}

import { toAbiWord } from '../abi/encode.ts';
import type { BackoffControl, Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, isAppError, throwIfAborted } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { bigintMax, bigintMin } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, ZERO_ADDRESS } from '../eth/hex.ts';
import { compareLogs, getDirection, type Log, UNSETTLED_BLOCKS } from '../logs/log.ts';
import { type BlockTag, createLogFilter, type LogFilter } from '../logs/query/filter.ts';
import type { LoadRestOptions, LogClient } from '../logs/query/logQuery.ts';
import { createReasonList, createVerdict, type Verdict, type VerdictReason } from '../logs/query/verdict.ts';
import {
  decodeNftMovements,
  decodePlainTransfer,
  findMovementOf,
  type NftMovement,
  toNftMovement,
  transferEvents,
} from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import { compareNftTransfers, MAX_TRANSFERS, type NftProvider, type NftTransfer } from './nft.ts';

export interface NftHistoryInputs {
  readonly source: NftProvider | 'noSource' | 'noKey' | 'notWanted';
  readonly chain: TransfersClient;
}

/** Reads logs and, if it can, asks a contract what it transfers. */
type TransfersClient = LogClient & Partial<Pick<ChainClient, 'fetchNftContract' | 'fetchTransferStandard'>>;

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

/**
 * Reads the history of a token ID with `eth_getLogs`, in up to three queries:
 *
 * 1. ERC-721 by topic 3, which is the ID.
 * 2. Every transfer of ERC-1155 and every range of ERC-2309: the ID is in the data, or within the range.
 * 3. If neither finds a log: every `Transfer`, up to the first one that shows that the contract indexes its IDs. A
 *    contract that indexes none has them in the data.
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
  for (const [index, { filter, reader, isFallback }] of queries.entries()) {
    if (isFallback && hasLogs) return;
    const countNext = () => queries.slice(index + 1).filter((next) => !(next.isFallback && hasLogs)).length;
    const query = chain.openLogQuery(filter, { waits });
    const unsettled: Log[] = [];
    const pages = query.rest({
      signal,
      onProgress: ({ blocksDone, blocks }) =>
        onProgress?.({
          blocksDone: blocksDone + blocks * BigInt(index),
          blocks: blocks * BigInt(index + 1 + countNext()),
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
      const merged = mergeVerdicts(own, earlierVerdicts, { remainingQueries: countNext(), isDecided });
      const isEnd = merged.state !== 'more';
      const recheck = isEnd ? await recheckQueries(chain, earlier, { waits, signal }) : undefined;
      const requests = merged.requests + (recheck?.requests ?? 0);
      const reasons = [
        ...unreadable.list(),
        ...(isEnd ? ((await reader.findReasons?.({ signal })) ?? []) : []),
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

/** What a query found, as far as a reorg may still replace it. */
interface QueryEnd {
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly unsettled: readonly Log[];
}

function isUnsettled(block: bigint, { head }: Verdict): boolean {
  return block > head - UNSETTLED_BLOCKS;
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
    const { fromBlock, toBlock, head } = verdict;
    if (!isUnsettled(toBlock, verdict) || fromBlock > toBlock) return { reasons: [], requests: 0 };
    const first = bigintMax(fromBlock, head - UNSETTLED_BLOCKS + 1n);
    const query = chain.openLogQuery({ ...filter, fromBlock: first, toBlock }, { waits });
    const logs: Log[] = [];
    for await (const page of query.rest({ signal })) logs.push(...page.logs);
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

/** The block of the first log that is missing or other in one of two lists, both in order. */
function findFirstChange(before: readonly Log[], after: readonly Log[]): bigint | undefined {
  const longer = before.length < after.length ? after : before;
  const index = longer.findIndex((_, at) => !isSameLog(before[at], after[at]));
  const blocks = [before[index], after[index]].flatMap((log) => log?.blockNumber ?? []);
  return blocks.length === 0 ? undefined : blocks.reduce(bigintMin);
}

function isSameLog(a: Log | undefined, b: Log | undefined): boolean {
  return a !== undefined && b !== undefined && a.blockHash === b.blockHash && compareLogs(a, b) === 0;
}

/** Decodes the logs of one query. */
interface TransferReader {
  /** Called with the logs of a page before they are decoded. */
  prepare?(logs: readonly Log[], options: Abortable): Promise<void>;
  /** Movements of any ID; undefined if the log should be a transfer and is not readable. */
  decode(log: Log): readonly NftMovement[] | undefined;
  /** Whether further logs of the query do not matter. */
  readonly isDecided?: boolean;
  /** Why transfers may be missing although every log of the query is read. */
  findReasons?(options: Abortable): Promise<readonly VerdictReason[]>;
}

interface TransferQuery {
  readonly filter: LogFilter;
  readonly reader: TransferReader;
  /** Not needed if an earlier query finds a log: the contract then emits transfers as the standards demand. */
  readonly isFallback?: true;
}

function createTransferQueries(chain: TransfersClient, request: NftHistoryRequest): readonly TransferQuery[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = request;
  const reader: TransferReader = { decode: decodeNftMovements };
  const query = (topics: LogFilter['topics']): TransferQuery => ({
    filter: createLogFilter({ addresses: [contract], topics, fromBlock, toBlock }),
    reader,
  });
  const { transfer, transferSingle, transferBatch, consecutiveTransfer } = transferEvents;
  const multi = [transferSingle.topic0, transferBatch.topic0];
  if (standard === 'erc1155') return [query([multi])];
  return [
    query([[transfer.topic0], null, null, [toAbiWord(tokenId)]]),
    query([[...(standard === 'erc721' ? [] : multi), consecutiveTransfer.topic0]]),
    { ...query([[transfer.topic0]]), reader: createUnindexedReader(chain, request), isFallback: true },
  ];
}

/**
 * Reads every `Transfer` of a contract of which no transfer with an indexed ID is known. The first one with an indexed
 * value ends it. The number in any other is an ID if the contract is an ERC-721, and may be one if the contract does not
 * tell.
 */
function createUnindexedReader(chain: TransfersClient, request: NftHistoryRequest): TransferReader {
  const { contract } = request;
  let standard: TransferStandard | undefined = request.standard === 'erc721' ? 'erc721' : undefined;
  let firstUnindexed: bigint | undefined;
  let isIndexed = false;

  /** Undefined if the contract cannot be asked. */
  async function ask<T>(request: Promise<T> | undefined, signal: AbortSignal | undefined) {
    try {
      return await request;
    } catch (error) {
      throwIfAborted(signal);
      if (!isAppError(error)) throw error;
      return undefined;
    }
  }

  return {
    async prepare(logs, { signal }) {
      for (const log of logs) {
        const transfer = decodePlainTransfer(log);
        if (transfer?.isValueIndexed) isIndexed = true;
        if (!transfer || isIndexed || firstUnindexed !== undefined) continue;
        firstUnindexed = log.blockNumber;
        standard ??= await ask(chain.fetchTransferStandard?.(contract, transfer.value, { signal }), signal);
      }
    },
    decode(log) {
      const transfer = decodePlainTransfer(log);
      if (!transfer) return undefined;
      if (transfer.isValueIndexed || standard === 'erc20' || standard === 'byForm') return [];
      return [toNftMovement(transfer)];
    },
    get isDecided() {
      return standard === 'erc20' || (isIndexed && (firstUnindexed === undefined || standard !== 'erc721'));
    },
    async findReasons({ signal }) {
      if (firstUnindexed === undefined) {
        if (isIndexed || standard !== undefined) return [];
        const known = await ask(chain.fetchNftContract?.(contract, { signal }), signal);
        return known?.state === 'known' ? [] : [{ code: 'noTransferEvents' }];
      }
      const isCertain = standard === 'erc721' || (standard === 'byForm' && isIndexed);
      return isCertain ? [] : [{ code: 'unindexedTokenIds', block: firstUnindexed }];
    },
  };
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

/** Checks that an ERC-721 token is only ever sent by its owner or minted. */
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
    if (owner !== undefined && from !== owner && from !== ZERO_ADDRESS) {
      return [{ code: 'ownerUnknown', block: blockNumber }];
    }
    owner = to;
  }
  return [];
}

/** Transfers of several queries. */
interface TransferList {
  readonly length: number;
  append(transfers: readonly NftTransfer[]): void;
  /**
   * The transfers so far, newest first; the same array until more are added. Sorted on first access only,
   * because few callers need every intermediate state.
   */
  newestFirst(): () => readonly NftTransfer[];
}

function createTransferList(): TransferList {
  const all: NftTransfer[] = [];
  let sorted: (() => readonly NftTransfer[]) | undefined;
  return {
    get length() {
      return all.length;
    },
    append(transfers) {
      if (transfers.length > 0) sorted = undefined;
      for (const transfer of transfers) all.push(transfer);
    },
    newestFirst() {
      sorted ??= createLazySort(all, all.length);
      return sorted;
    },
  };
}

/** Sorts the first `length` transfers of a growing list. */
function createLazySort(all: readonly NftTransfer[], length: number): () => readonly NftTransfer[] {
  let sorted: readonly NftTransfer[] | undefined;
  return () => {
    // Each query adds them in chain order, which a merge sort uses.
    sorted ??= all.slice(0, length).sort(compareNftTransfers);
    return sorted;
  };
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

/** A verdict with further reasons, which is then not complete. */
function weaken(verdict: Verdict, more: readonly VerdictReason[]): Verdict {
  return createVerdict({
    ...verdict,
    isRead: verdict.state !== 'more',
    reasons: [...verdict.reasons, ...more],
  });
}

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
import type { Verdict } from '../logs/query/verdict.ts';
import { decodeNftMovements, transferEvents } from '../tokens/transferEvents.ts';
import { compareNftTransfers, MAX_TRANSFERS, type NftProvider, type NftTransfer } from './nft.ts';

/** The transfers of one token id, as far as they are known, and where they were read. */
export type NftHistory = NftHistoryFromProvider | NftHistoryFromLogs;

interface KnownTransfers {
  /** Newest first, none twice. Of a history out of logs they are put in this order when first looked at. */
  readonly transfers: readonly NftTransfer[];
  /** How many transfers there are. */
  readonly count: number;
  /** Entries that could not be read, and are missing here. */
  readonly skipped: number;
}

export interface NftHistoryFromProvider extends KnownTransfers {
  readonly from: 'source';
  readonly source: ProviderLabel;
  /** When its answer arrived, in milliseconds since the Unix epoch. */
  readonly readAt: number;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
}

export interface NftHistoryFromLogs extends KnownTransfers {
  readonly from: 'logs';
  readonly noProviderReason: NoNftProviderReason;
  /** Undefined before the first answer. */
  readonly verdict: Verdict | undefined;
  /** Whether reading ended at the most transfers that are kept: later ones of the chain are missing. */
  readonly endsEarly: boolean;
}

/**
 * Why no source was asked: the network has none, there is no key for it, the caller did not want it, or it does not
 * serve the chain or tell transfers.
 */
export type NoNftProviderReason =
  | { readonly reason: 'noSource' | 'noKey' | 'notWanted' }
  | { readonly reason: 'notServed'; readonly error: AppError | undefined };

export interface NftHistoryInputs {
  /** A source, or why none is asked. */
  readonly source: NftProvider | 'noSource' | 'noKey' | 'notWanted';
  readonly chain: LogClient;
}

/**
 * The history of a token id: by a source where it serves the chain and tells transfers, else by logs. Each value given
 * is all that is known by then, the last one the answer. From logs the first comes before any request, so that
 * it can be said while they are read.
 *
 * @throws AppError of the source for any other failure (a wrong key, credits used up, a rate limit), which has a
 *   remedy of its own and is not covered up by logs; of the log query. What was given before holds.
 * @example
 * for await (const history of fetchNftHistory({ source, chain: client }, { contract, tokenId }, { clock })) show(history);
 */
export async function* fetchNftHistory(
  { source, chain }: NftHistoryInputs,
  question: NftHistoryRequest,
  options: NftTransfersOptions,
): AsyncGenerator<NftHistory> {
  if (typeof source === 'string') {
    yield* historyFromLogs(chain, question, { ...options, whyNoSource: { reason: source } });
    return;
  }
  if (source.offers.nftTransfers === undefined) {
    yield* historyFromLogs(chain, question, {
      ...options,
      whyNoSource: { reason: 'notServed', error: undefined },
    });
    return;
  }
  let fromSource: NftHistory;
  try {
    const { signal } = options;
    const answer = await source.nftTransfers(question.contract, question.tokenId, { signal });
    const { contract: _, ...read } = answer;
    fromSource = { from: 'source', ...read, count: read.transfers.length };
  } catch (error) {
    if (!isAppError(error)) throw error;
    // What takes no key may give up where the logs do not.
    const gaveUp = error.kind === 'tooHeavy' && error.details.provider?.takesKey === false;
    const passes = gaveUp || isAppError(error, 'notServed', 'notFound');
    if (!passes) throw error;
    yield* historyFromLogs(chain, question, { ...options, whyNoSource: { reason: 'notServed', error } });
    return;
  }
  yield fromSource;
}

async function* historyFromLogs(
  chain: NftHistoryInputs['chain'],
  question: NftHistoryRequest,
  { whyNoSource, ...options }: NftTransfersOptions & { readonly whyNoSource: NoNftProviderReason },
): AsyncGenerator<NftHistoryFromLogs> {
  const list = createTransferList();
  let skipped = 0;
  const known = (verdict: Verdict | undefined, endsEarly: boolean): NftHistoryFromLogs => {
    const newestFirst = list.newestFirst();
    return {
      from: 'logs',
      noProviderReason: whyNoSource,
      count: list.length,
      skipped,
      verdict,
      endsEarly,
      get transfers() {
        return newestFirst();
      },
    };
  };
  yield known(undefined, false);
  for await (const page of fetchNftTransfersFromLogs(chain, question, options)) {
    list.append(page.transfers);
    skipped += page.skipped;
    yield known(page.verdict, page.endsEarly);
  }
}

/** Which token's history is asked for. */
export interface NftHistoryRequest {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** Where known, half of the logs need not be asked for. */
  readonly standard?: 'erc721' | 'erc1155' | undefined;
  /** Inclusive; default `earliest`. */
  readonly fromBlock?: BlockTag;
  /** Inclusive; default `latest`. */
  readonly toBlock?: BlockTag;
}

/** Transfers that one step of reading logs added. */
export interface NftTransfersPage {
  /** In the order of the chain within each standard. */
  readonly transfers: readonly NftTransfer[];
  /** Logs of this step that have the topic0 of an NFT transfer and cannot be read as one. */
  readonly skipped: number;
  /** What the answer as a whole is worth. Its `rows` are logs: those of other ids of an ERC-1155 count. */
  readonly verdict: Verdict;
  /** Whether it is the last page although transfers follow, since {@link MAX_TRANSFERS} were given. */
  readonly endsEarly: boolean;
}

export interface NftTransfersOptions extends LoadRestOptions {
  readonly clock: Clock;
  /** What the queries wait for goes through these. */
  readonly waits?: BackoffControl | undefined;
}

/**
 * The history of a token id out of `eth_getLogs`: ERC-721 by topic 3, which is the id; ERC-1155 by reading every
 * transfer of the contract, as its id stands in the data. Their times are known where the logs tell them. Ends early
 * after {@link MAX_TRANSFERS}.
 *
 * @throws AppError as a log query does; what was given before holds.
 * @example
 * for await (const { transfers, verdict } of fetchNftTransfersFromLogs(client, { contract, tokenId: 7n }, { clock })) {
 *   console.log(transfers.length, verdict.state);
 * }
 */
export async function* fetchNftTransfersFromLogs(
  chain: LogClient,
  question: NftHistoryRequest,
  { clock, waits, signal, onProgress }: NftTransfersOptions,
): AsyncGenerator<NftTransfersPage> {
  const filters = transferFilters(question);
  const earlier: Verdict[] = [];
  const slices = createTimeSlices(clock);
  let room = MAX_TRANSFERS;
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
      const { transfers, skipped, leftOut } = await readTransfers(logs, question.tokenId, {
        room,
        slices,
        signal,
      });
      room -= transfers.length;
      const unasked = filters.length - index - 1;
      const joined = mergeVerdicts([leftOut ? endedBefore(leftOut, verdict) : verdict, ...earlier], unasked);
      yield { transfers, skipped, verdict: joined, endsEarly: leftOut !== undefined };
      if (leftOut) return;
    }
    if (query.verdict) earlier.push(query.verdict);
  }
}

function transferFilters(question: NftHistoryRequest): readonly LogFilter[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = question;
  const filter = (topics: LogFilter['topics']) =>
    createLogFilter({ addresses: [contract], topics, fromBlock, toBlock });
  const { transfer, transferSingle, transferBatch } = transferEvents;
  const single = filter([[transfer.topic0], null, null, [toAbiWord(tokenId)]]);
  const multi = filter([[transferSingle.topic0, transferBatch.topic0]]);
  if (standard === undefined) return [single, multi];
  return standard === 'erc721' ? [single] : [multi];
}

/** `leftOut` is the first transfer for which there is no room. In slices of time: one log can name thousands of ids. */
async function readTransfers(
  logs: readonly Log[],
  tokenId: bigint,
  { room, slices, signal }: Abortable & { readonly room: number; readonly slices: TimeSlices },
) {
  const transfers: NftTransfer[] = [];
  let skipped = 0;
  for (const log of logs) {
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
    const read = readTransfersOf(log, tokenId);
    if (!read) skipped++;
    for (const transfer of read ?? []) {
      if (transfers.length === room) return { transfers, skipped, leftOut: transfer };
      transfers.push(transfer);
    }
  }
  return { transfers, skipped, leftOut: undefined };
}

/** What a query is worth of which no more was taken than came before the transfer. */
function endedBefore({ blockNumber }: NftTransfer, verdict: Verdict): Verdict {
  const readThrough = blockNumber > verdict.fromBlock ? blockNumber - 1n : undefined;
  return { ...verdict, state: 'more', readThrough };
}

function readTransfersOf(log: Log, tokenId: bigint): readonly NftTransfer[] | undefined {
  const { blockNumber, time, transactionHash, logIndex } = log;
  const of = { blockNumber, time, transactionHash, logIndex };
  return decodeNftMovements(log)
    ?.filter((movement) => movement.tokenId === tokenId)
    .map((movement) => ({ ...movement, ...of }));
}

/** Transfers as they come out of logs, which give each standard by itself. */
interface TransferList {
  readonly length: number;
  /** Adds transfers that come after those of their standard that are there. */
  append(transfers: readonly NftTransfer[]): void;
  /**
   * Those that are there now, newest first: the same array as long as none is added. It is made when first asked for,
   * since that takes a time that grows with their number, and few who add to a list look at it each time.
   */
  newestFirst(): () => readonly NftTransfer[];
}

function createTransferList(): TransferList {
  const singles: NftTransfer[] = [];
  const multis: NftTransfer[] = [];
  let made: (() => readonly NftTransfer[]) | undefined;
  return {
    get length() {
      return singles.length + multis.length;
    },
    append(transfers) {
      if (transfers.length > 0) made = undefined;
      for (const transfer of transfers) {
        (transfer.standard === 'erc721' ? singles : multis).push(transfer);
      }
    },
    newestFirst() {
      made ??= createLazyMerge(startOf(singles), startOf(multis));
      return made;
    },
  };
}

/** The part of a list that is there now, in the order of the chain; the list may grow. */
interface Start {
  readonly list: readonly NftTransfer[];
  readonly length: number;
}

function startOf(list: readonly NftTransfer[]): Start {
  return { list, length: list.length };
}

function createLazyMerge(...runs: Parameters<typeof mergeFromEnd>): () => readonly NftTransfer[] {
  let merged: readonly NftTransfer[] | undefined;
  return () => {
    merged ??= mergeFromEnd(...runs);
    return merged;
  };
}

/** Two starts of lists as one, from its end on. */
function mergeFromEnd(a: Start, b: Start): readonly NftTransfer[] {
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
 * What several queries over one range, in one order, are worth together: what the least of them is.
 *
 * @param unasked queries that are still to come.
 */
function mergeVerdicts(verdicts: readonly [Verdict, ...Verdict[]], unasked: number): Verdict {
  const [first] = verdicts;
  const has = (state: Verdict['state']) => verdicts.some((verdict) => verdict.state === state);
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  const { nearer } = getDirection(first.order);
  const nearerIfKnown = (a: bigint | undefined, b: bigint | undefined) =>
    a === undefined || b === undefined ? undefined : nearer(a, b);
  return {
    state: unasked > 0 || has('more') ? 'more' : has('uncertain') ? 'uncertain' : 'complete',
    reasons: verdicts.flatMap(({ reasons }) => reasons),
    fromBlock: first.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(bigintMin),
    head: verdicts.map(({ head }) => head).reduce(bigintMin),
    order: first.order,
    readThrough: unasked > 0 ? undefined : readThroughs.reduce(nearerIfKnown),
    rows: verdicts.reduce((sum, { rows }) => sum + rows, 0),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  };
}

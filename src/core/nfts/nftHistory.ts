import type { ChainClient } from '../chainClient.ts';
import type { DataApiClient } from '../dataApi/dataApiClient.ts';
import { type AppError, isAppError } from '../errors.ts';
import type { RestOfLogs } from '../logs/logQuery.ts';
import type { Verdict } from '../logs/verdict.ts';
import { compareNftTransfers, type NftTransfer } from './nftTransfer.ts';
import { type NftQuestion, nftTransfersFromLogs } from './nftTransfersFromLogs.ts';

/** The transfers of one token id, as far as they are known, and where they were read. */
export type NftHistory = NftHistoryFromDataApi | NftHistoryFromLogs;

interface KnownTransfers {
  /** Newest first, none twice. */
  readonly transfers: readonly NftTransfer[];
  /** Entries that could not be read, and are missing here. */
  readonly skipped: number;
}

export interface NftHistoryFromDataApi extends KnownTransfers {
  readonly source: 'dataApi';
  /** When the server last looked, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
}

export interface NftHistoryFromLogs extends KnownTransfers {
  readonly source: 'logs';
  readonly whyNotDataApi: NoDataApi;
  /** Undefined before the first answer. */
  readonly verdict: Verdict | undefined;
}

/**
 * Why the data API was passed over: the network has none, there is no key for it, the caller did not want it, or it
 * does not serve the chain or the route.
 */
export type NoDataApi =
  | { readonly reason: 'noDataApi' | 'noKey' | 'notWanted' }
  | { readonly reason: 'notServed'; readonly error: AppError };

export interface NftHistorySources {
  /** A client, or why none is asked. */
  readonly dataApi: DataApiClient | 'noDataApi' | 'noKey' | 'notWanted';
  readonly chain: Pick<ChainClient, 'openLogQuery'>;
}

/**
 * The history of a token id: by the data API where it serves the chain and the route, else by logs. Each value given
 * is all that is known by then, the last one the answer. From logs the first comes before any request, so that the
 * source can be told while they are read.
 *
 * @throws AppError of the data API for any other failure (a wrong key, credits used up, a rate limit), which has a
 *   remedy of its own and is not covered up by logs; of the log query. What was given before holds.
 */
export async function* nftHistory(
  { dataApi, chain }: NftHistorySources,
  question: NftQuestion,
  options: RestOfLogs = {},
): AsyncGenerator<NftHistory> {
  if (typeof dataApi === 'string') {
    yield* historyFromLogs(chain, question, { reason: dataApi }, options);
    return;
  }
  let fromDataApi: NftHistory;
  try {
    const { signal } = options;
    const answer = await dataApi.nftTransfers(question.contract, question.tokenId, { signal });
    const { transfers, skipped, updatedAt, failedTransactions } = answer;
    fromDataApi = { source: 'dataApi', transfers, skipped, updatedAt, failedTransactions };
  } catch (error) {
    if (!isAppError(error, 'notServed', 'notFound')) throw error;
    yield* historyFromLogs(chain, question, { reason: 'notServed', error }, options);
    return;
  }
  yield fromDataApi;
}

async function* historyFromLogs(
  chain: NftHistorySources['chain'],
  question: NftQuestion,
  whyNotDataApi: NoDataApi,
  options: RestOfLogs,
): AsyncGenerator<NftHistoryFromLogs> {
  let known: NftHistoryFromLogs = {
    ...{ source: 'logs', whyNotDataApi, transfers: [], skipped: 0, verdict: undefined },
  };
  yield known;
  for await (const { transfers, skipped, verdict } of nftTransfersFromLogs(chain, question, options)) {
    known = {
      ...known,
      transfers: transfers.length > 0 ? newestFirst(known.transfers, transfers) : known.transfers,
      skipped: known.skipped + skipped,
      verdict,
    };
    yield known;
  }
}

function newestFirst(known: readonly NftTransfer[], more: readonly NftTransfer[]): readonly NftTransfer[] {
  return [...known, ...more].sort(compareNftTransfers);
}

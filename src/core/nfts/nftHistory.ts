import { type AppError, isAppError } from '../base/errors.ts';
import type { ChainClient } from '../chainClient.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import type { DataApiClient } from '../sources/covalent/dataApiClient.ts';
import type { NftTransfer } from './nftTransfer.ts';
import { type NftQuestion, type NftTransfersOptions, nftTransfersFromLogs } from './nftTransfersFromLogs.ts';
import { createTransferList } from './transferList.ts';

/** The transfers of one token id, as far as they are known, and where they were read. */
export type NftHistory = NftHistoryFromDataApi | NftHistoryFromLogs;

interface KnownTransfers {
  /** Newest first, none twice. Of a history out of logs they are put in this order when first looked at. */
  readonly transfers: readonly NftTransfer[];
  /** How many transfers there are. */
  readonly count: number;
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
  /** Whether reading ended at the most transfers that are kept: later ones of the chain are missing. */
  readonly endsEarly: boolean;
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
  options: NftTransfersOptions,
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
    fromDataApi = {
      ...{ source: 'dataApi', transfers, count: transfers.length, skipped, updatedAt, failedTransactions },
    };
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
  options: NftTransfersOptions,
): AsyncGenerator<NftHistoryFromLogs> {
  const list = createTransferList();
  let skipped = 0;
  const known = (verdict: Verdict | undefined, endsEarly: boolean): NftHistoryFromLogs => {
    const newestFirst = list.newestFirst();
    return {
      ...{ source: 'logs', whyNotDataApi, count: list.length, skipped, verdict, endsEarly },
      get transfers() {
        return newestFirst();
      },
    };
  };
  yield known(undefined, false);
  for await (const page of nftTransfersFromLogs(chain, question, options)) {
    list.append(page.transfers);
    skipped += page.skipped;
    yield known(page.verdict, page.endsEarly);
  }
}

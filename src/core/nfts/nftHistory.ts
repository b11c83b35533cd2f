import { type AppError, isAppError } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { compareNftTransfers, type NftProvider, type NftTransfer } from './nft.ts';
import { fetchNftTransfersFromLogs, type NftTransfersOptions } from './nftTransferLogs.ts';
import type { NftHistoryRequest, TransfersClient } from './nftTransferQueries.ts';

export interface NftHistoryInputs {
  readonly source: NftProvider | 'noSource' | 'noKey' | 'notWanted';
  readonly chain: TransfersClient;
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

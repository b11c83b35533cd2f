import { type AppError, isAppError } from '../base/errors.ts';
import type { SourceLabel } from '../base/source.ts';
import type { LogSource } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import type { NftSource } from './nftSource.ts';
import type { NftTransfer } from './nftTransfer.ts';
import { type NftQuestion, type NftTransfersOptions, nftTransfersFromLogs } from './nftTransfersFromLogs.ts';
import { createTransferList } from './transferList.ts';

/** The transfers of one token id, as far as they are known, and where they were read. */
export type NftHistory = NftHistoryFromSource | NftHistoryFromLogs;

interface KnownTransfers {
  /** Newest first, none twice. Of a history out of logs they are put in this order when first looked at. */
  readonly transfers: readonly NftTransfer[];
  /** How many transfers there are. */
  readonly count: number;
  /** Entries that could not be read, and are missing here. */
  readonly skipped: number;
}

export interface NftHistoryFromSource extends KnownTransfers {
  readonly from: 'source';
  readonly source: SourceLabel;
  /** When its answer arrived, in milliseconds since the Unix epoch. */
  readonly readAt: number;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
}

export interface NftHistoryFromLogs extends KnownTransfers {
  readonly from: 'logs';
  readonly whyNoSource: NoNftSource;
  /** Undefined before the first answer. */
  readonly verdict: Verdict | undefined;
  /** Whether reading ended at the most transfers that are kept: later ones of the chain are missing. */
  readonly endsEarly: boolean;
}

/**
 * Why no source was asked: the network has none, there is no key for it, the caller did not want it, or it does not
 * serve the chain or tell transfers.
 */
export type NoNftSource =
  | { readonly reason: 'noSource' | 'noKey' | 'notWanted' }
  | { readonly reason: 'notServed'; readonly error: AppError | undefined };

export interface NftHistorySources {
  /** A source, or why none is asked. */
  readonly source: NftSource | 'noSource' | 'noKey' | 'notWanted';
  readonly chain: LogSource;
}

/**
 * The history of a token id: by a source where it serves the chain and tells transfers, else by logs. Each value given
 * is all that is known by then, the last one the answer. From logs the first comes before any request, so that
 * it can be said while they are read.
 *
 * @throws AppError of the source for any other failure (a wrong key, credits used up, a rate limit), which has a
 *   remedy of its own and is not covered up by logs; of the log query. What was given before holds.
 * @example
 * for await (const history of nftHistory({ source, chain: client }, { contract, tokenId }, { clock })) show(history);
 */
export async function* nftHistory(
  { source, chain }: NftHistorySources,
  question: NftQuestion,
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
    const gaveUp = error.kind === 'tooHeavy' && error.details.source?.takesKey === false;
    const passes = gaveUp || isAppError(error, 'notServed', 'notFound');
    if (!passes) throw error;
    yield* historyFromLogs(chain, question, { ...options, whyNoSource: { reason: 'notServed', error } });
    return;
  }
  yield fromSource;
}

async function* historyFromLogs(
  chain: NftHistorySources['chain'],
  question: NftQuestion,
  { whyNoSource, ...options }: NftTransfersOptions & { readonly whyNoSource: NoNftSource },
): AsyncGenerator<NftHistoryFromLogs> {
  const list = createTransferList();
  let skipped = 0;
  const known = (verdict: Verdict | undefined, endsEarly: boolean): NftHistoryFromLogs => {
    const newestFirst = list.newestFirst();
    return {
      ...{ from: 'logs', whyNoSource, count: list.length, skipped, verdict, endsEarly },
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

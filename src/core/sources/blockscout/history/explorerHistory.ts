import { isAppError } from '../../../base/errors.ts';
import type { HistoryList, HistorySource, TransferFilter } from '../../../history/historySource.ts';
import type { TokenTransfer } from '../../../history/tokenTransfer.ts';
import type { CompletenessReason } from '../../../holdings/completeness.ts';
import type { Address } from '../../../values/address.ts';
import type { ExplorerRest, UntilAborted } from '../rest/explorerRest.ts';
import { readIndexing } from '../rest/indexing.ts';
import { historyOffers } from '../rest/offers.ts';
import { createPager, type PagedList } from '../rest/pager.ts';
import { tokenTypes } from '../rest/tokenFacts.ts';
import { coinBalancesList, readDailyBalances } from './coinBalances.ts';
import { readTransferItems, transferKey } from './transferItem.ts';

/** What came to an address and went from it, and its balance over time, as an explorer tells it. */
export function createExplorerHistory(rest: ExplorerRest): HistorySource {
  return {
    label: rest.label,
    offers: historyOffers,
    transfers: (address, filter = {}) => open(rest, transfersList(rest, address, filter)),
    coinBalances: (address) => open(rest, coinBalancesList(rest, address)),
    async coinBalancesByDay(address, options = {}) {
      const data = await rest.get(`/addresses/${address}/coin-balance-history-by-day`, {}, options);
      const { days, reasons } = await readDailyBalances(data, rest.slices());
      const unread = await indexingReasons(rest, options);
      return { address, days, reasons: [...reasons, ...unread], source: rest.label, readAt: rest.now() };
    },
  };
}

function transfersList(
  rest: ExplorerRest,
  address: Address,
  { direction, token, standards }: TransferFilter,
): PagedList<TokenTransfer> {
  const path = `/addresses/${address}/token-transfers`;
  const query = {
    ...(standards && { type: standards.map((standard) => tokenTypes[standard]).join(',') }),
    ...(direction && { filter: direction }),
    ...(token && { token }),
  };
  return {
    ...{ name: 'transfers', path, query, keyOf: transferKey },
    read: (items, asked) => readTransferItems(items, { asked, slices: rest.slices() }),
  };
}

function open<T>(rest: ExplorerRest, list: PagedList<T>): HistoryList<T> {
  const pager = createPager(rest, list);
  let atEnd: readonly CompletenessReason[] | undefined;
  return {
    source: rest.label,
    rows: pager.rows,
    get skipped() {
      return pager.skipped;
    },
    get isAtEnd() {
      return pager.isAtEnd;
    },
    get reasons() {
      const { reasons, skipped } = pager;
      const unread = skipped > 0 ? [{ code: 'unreadable', count: skipped } as const] : [];
      return [...reasons, ...unread, ...(atEnd ?? [])];
    },
    async next(options = {}) {
      const added = await pager.next(options);
      // Blocks are indexed from the newest down: what is missing is behind the last row.
      if (pager.isAtEnd) atEnd ??= await indexingReasons(rest, options);
      return added;
    },
  };
}

/** @throws AppError `aborted`. */
async function indexingReasons(
  rest: ExplorerRest,
  asked: UntilAborted,
): Promise<readonly CompletenessReason[]> {
  try {
    const reason = readIndexing(await rest.get('/main-page/indexing-status', {}, asked));
    return reason ? [reason] : [];
  } catch (error) {
    if (isAppError(error, 'aborted') || !isAppError(error)) throw error;
    return [{ code: 'indexingUnknown' }];
  }
}

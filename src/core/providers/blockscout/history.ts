import * as z from 'zod/mini';
import { AppError, isAppError } from '../../base/errors.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { type Address, type Hex, parseHexData } from '../../eth/hex.ts';
import {
  addressField,
  heightField,
  listField,
  optionalField,
  parseItems,
  textField,
  timeField,
  transactionHashField,
  uint256Field,
} from '../../http/fields.ts';
import type { CompletenessReason } from '../../tokens/completeness.ts';
import type {
  CoinBalance,
  DailyBalance,
  HistoryList,
  HistoryProvider,
  TokenTransfer,
  TransferFilter,
} from '../../tokens/history.ts';
import { explorerHistoryOffers } from '../provider.ts';
import {
  countField,
  decimalsField,
  deltaField,
  partyField,
  tokenField,
  tokenTypes,
  toTokenFacts,
} from './fields.ts';
import {
  createPager,
  type ExplorerRest,
  type PageCursor,
  type PagedList,
  parseIndexingStatus,
  type UntilAborted,
} from './rest.ts';

export function createExplorerHistory(rest: ExplorerRest): HistoryProvider {
  return {
    label: rest.label,
    offers: explorerHistoryOffers,
    transfers: (address, filter = {}) => openList(rest, createTransfersList(rest, address, filter)),
    coinBalances: (address) => openList(rest, createCoinBalancesList(rest, address)),
    async coinBalancesByDay(address, options = {}) {
      const data = await rest.get(`/addresses/${address}/coin-balance-history-by-day`, {}, options);
      const { days, reasons } = await parseDailyBalances(data, rest.slices());
      const unread = await fetchIndexingReasons(rest, options);
      return { address, days, reasons: [...reasons, ...unread], source: rest.label, readAt: rest.now() };
    },
  };
}

function createTransfersList(
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
    name: 'transfers',
    path,
    query,
    keyOf: getTransferKey,
    read: (items, cursor) => parseTransferItems(items, { cursor, slices: rest.slices() }),
  };
}

function openList<T>(rest: ExplorerRest, list: PagedList<T>): HistoryList<T> {
  const pager = createPager(rest, list);
  let indexing: readonly CompletenessReason[] | undefined;
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
      return [...reasons, ...unread, ...(indexing ?? [])];
    },
    async next(options = {}) {
      const added = await pager.next(options);
      // Blocks are indexed from the newest down, so the missing ones follow the last row.
      if (pager.isAtEnd) indexing ??= await fetchIndexingReasons(rest, options);
      return added;
    },
  };
}

const CoinBalanceItem = z.object({
  block_number: heightField,
  block_timestamp: optionalField(timeField),
  value: uint256Field,
  delta: optionalField(deltaField),
});

/** Route `/addresses/{hash}/coin-balance-history`. */
function createCoinBalancesList(rest: ExplorerRest, address: Address): PagedList<CoinBalance> {
  return {
    name: 'coinBalances',
    path: `/addresses/${address}/coin-balance-history`,
    query: {},
    async read(items) {
      const { read, skipped } = await parseItems(CoinBalanceItem, items, { slices: rest.slices() });
      const rows = read.map((item) => ({
        blockNumber: item.block_number,
        time: item.block_timestamp,
        wei: item.value,
        delta: item.delta,
      }));
      return { rows, skipped };
    },
    keyOf: ({ blockNumber }) => `${blockNumber}`,
  };
}

const Day = z.object({ date: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)), value: uint256Field });
const Days = z.union([listField, z.object({ items: listField, days: optionalField(countField) })]);
/** Ten years. */
const MAX_DAYS = 3_660;

/**
 * Route `/addresses/{hash}/coin-balance-history-by-day`, a bare array in old releases; newest first.
 * Blockscout records the highest balance of each day (`Import.Runner.Address.CoinBalancesDaily`), except that
 * the newest day has the last balance. It returns the last `COIN_BALANCE_HISTORY_DAYS` days, 10 by default.
 *
 * @throws AppError `badResponse`.
 */
async function parseDailyBalances(data: unknown, slices: TimeSlices) {
  const parsed = Days.safeParse(data);
  if (!parsed.success) {
    throw new AppError('badResponse', 'The response of the explorer is not a list of days.', {
      cause: parsed.error,
    });
  }
  const { items, days: lookedBack } =
    'items' in parsed.data ? parsed.data : { items: parsed.data, days: undefined };
  const { read, skipped } = await parseItems(Day, items, { slices, most: MAX_DAYS });
  const byDate = new Map(read.map(({ date, value }) => [date, value]));
  const days = [...byDate].map(([date, wei]): DailyBalance => ({ date, wei }));
  const reasons: readonly CompletenessReason[] = [
    { code: 'recentDays', days: lookedBack },
    ...(skipped > 0 ? [{ code: 'unreadable', count: skipped } as const] : []),
  ];
  return { days: days.sort((a, b) => (a.date < b.date ? 1 : -1)), reasons };
}

/** @throws AppError `aborted`. */
async function fetchIndexingReasons(
  rest: ExplorerRest,
  options: UntilAborted,
): Promise<readonly CompletenessReason[]> {
  try {
    const reason = parseIndexingStatus(await rest.get('/main-page/indexing-status', {}, options));
    return reason ? [reason] : [];
  } catch (error) {
    if (isAppError(error, 'aborted') || !isAppError(error)) throw error;
    return [{ code: 'indexingUnknown' }];
  }
}

const TransferTotal = z.object({
  value: optionalField(uint256Field),
  token_id: optionalField(uint256Field),
  decimals: decimalsField,
});

const TransferItem = z.object({
  // `tx_hash` until v6, `transaction_hash` since v8.
  tx_hash: optionalField(transactionHashField),
  transaction_hash: optionalField(transactionHashField),
  block_number: heightField,
  log_index: z.pipe(
    z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,9}$/))]),
    z.transform((raw) => Number(raw)),
  ),
  timestamp: optionalField(timeField),
  from: partyField,
  to: partyField,
  token: z.optional(z.union([tokenField, z.null()])),
  token_address: optionalField(addressField),
  type: optionalField(textField),
  total: z.nullish(TransferTotal),
});

/** Parses a page of transfers, one for each ID of a batch, and counts unreadable entries. */
export async function parseTransferItems(
  items: readonly unknown[],
  { cursor, slices }: { readonly cursor: PageCursor; readonly slices: TimeSlices },
) {
  const { read, skipped } = await parseItems(TransferItem, items, { slices });
  const rows: (TokenTransfer & { readonly logIndex: number })[] = [];
  let previous = parsePreviousTransfer(cursor);
  for (const item of read) {
    const hash = item.transaction_hash ?? item.tx_hash;
    const token = item.token ? toTokenFacts(item.token) : undefined;
    if (!hash || !token) continue;
    const { log_index: logIndex, total } = item;
    const isSameLog = previous?.hash === hash && previous.logIndex === logIndex;
    const position: number = isSameLog && previous ? previous.position + 1 : 0;
    previous = { hash, logIndex, position };
    const isSingle = token.standard === 'erc721';
    rows.push({
      transactionHash: hash,
      blockNumber: item.block_number,
      logIndex,
      position,
      time: item.timestamp,
      from: item.from,
      to: item.to,
      contract: token.contract,
      standard: token.standard,
      name: token.name,
      symbol: token.symbol,
      spam: token.spam,
      decimals: total?.decimals ?? token.decimals,
      tokenId: total?.token_id,
      amount: total?.value ?? (isSingle && total ? 1n : undefined),
    });
  }
  return { rows, skipped: skipped + read.length - rows.length };
}

/** The last transfer of the previous page, if the page ended within a batch. */
function parsePreviousTransfer(
  cursor: PageCursor,
): { hash: Hex; logIndex: number; position: number } | undefined {
  const hash = parseHexData(cursor.batch_transaction_hash ?? '', 32);
  const [logIndex, position] = [Number(cursor.batch_log_index), Number(cursor.index_in_batch)];
  if (!hash || !Number.isSafeInteger(logIndex) || !Number.isSafeInteger(position)) return undefined;
  return { hash, logIndex, position };
}

/** Identifies a transfer by its log and its index in a batch, which may contain an ID twice. */
function getTransferKey({ transactionHash, logIndex, tokenId, position }: TokenTransfer): string {
  return `${transactionHash} ${logIndex} ${tokenId ?? ''} ${position}`;
}

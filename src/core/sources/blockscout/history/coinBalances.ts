import * as z from 'zod/mini';
import { AppError } from '../../../base/errors.ts';
import type { TimeSlices } from '../../../base/timeSlices.ts';
import type { CoinBalance, DailyBalance } from '../../../history/coinBalance.ts';
import type { CompletenessReason } from '../../../holdings/completeness.ts';
import type { Address } from '../../../values/address.ts';
import { heightField, timeField, uint256Field } from '../../../values/chainFields.ts';
import { listField, optionalField, readItems } from '../../../values/outsideFields.ts';
import type { ExplorerRest } from '../rest/explorerRest.ts';
import { countField, deltaField } from '../rest/fields.ts';
import type { PagedList } from '../rest/pager.ts';

const Item = z.object({
  block_number: heightField,
  block_timestamp: optionalField(timeField),
  value: uint256Field,
  delta: optionalField(deltaField),
});

/** `/addresses/{hash}/coin-balance-history` */
export function coinBalancesList(rest: ExplorerRest, address: Address): PagedList<CoinBalance> {
  return {
    ...{ name: 'coinBalances', path: `/addresses/${address}/coin-balance-history`, query: {} },
    async read(items) {
      const { read, skipped } = await readItems(Item, items, { slices: rest.slices() });
      const rows = read.map((item) => ({
        ...{ blockNumber: item.block_number, time: item.block_timestamp },
        ...{ wei: item.value, delta: item.delta },
      }));
      return { rows, skipped };
    },
    keyOf: ({ blockNumber }) => `${blockNumber}`,
  };
}

const Day = z.object({ date: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)), value: uint256Field });
const Days = z.union([listField, z.object({ items: listField, days: optionalField(countField) })]);
/** Ten years of days. */
const MOST_DAYS = 3_660;

/**
 * `/addresses/{hash}/coin-balance-history-by-day`, a bare list in old releases; newest first. Blockscout keeps the
 * greatest balance of each day (`Import.Runner.Address.CoinBalancesDaily`), puts the last one in the place of the
 * newest, and gives the days up to `COIN_BALANCE_HISTORY_DAYS` before today, 10 by default.
 *
 * @throws AppError `badResponse` when it is no such answer.
 */
export async function readDailyBalances(data: unknown, slices: TimeSlices) {
  const parsed = Days.safeParse(data);
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the explorer is no list of days.', {
      cause: parsed.error,
    });
  }
  const { items, days: lookedBack } =
    'items' in parsed.data ? parsed.data : { items: parsed.data, days: undefined };
  const { read, skipped } = await readItems(Day, items, { slices, most: MOST_DAYS });
  const byDate = new Map(read.map(({ date, value }) => [date, value]));
  const days = [...byDate].map(([date, wei]): DailyBalance => ({ date, wei }));
  const reasons: readonly CompletenessReason[] = [
    { code: 'recentDays', days: lookedBack },
    ...(skipped > 0 ? [{ code: 'unreadable', count: skipped } as const] : []),
  ];
  return { days: days.sort((a, b) => (a.date < b.date ? 1 : -1)), reasons };
}

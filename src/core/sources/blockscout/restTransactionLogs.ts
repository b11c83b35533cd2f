import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { TransactionLog } from '../../transactions/transaction.ts';
import { type Address, parseAddress } from '../../values/address.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { cursorField, readCursor } from './rest/cursor.ts';

/** One page of the logs of a transaction. */
export interface LogsPage {
  readonly logs: readonly TransactionLog[];
  /** What asks for the next one; undefined where there is none. */
  readonly next: ReturnType<typeof readCursor>;
}

const Page = z.object({ items: z.array(z.unknown()), next_page_params: cursorField });
const Log = z.object({
  address: z.object({ hash: z.string() }),
  topics: z.array(z.nullable(z.string())).check(z.maxLength(4)),
  data: z.string(),
  index: z.int().check(z.nonnegative(), z.maximum(0xffff_ffff)),
  // `tx_hash` up to v6.9.
  transaction_hash: z.nullish(z.string()),
  tx_hash: z.nullish(z.string()),
});
/** Rows of one page that are read: twice what the largest page of a release has. */
const MOST_ITEMS = 200;

/**
 * The answer to `/api/v2/transactions/{hash}/logs`; undefined, where there is no such transaction, has none.
 *
 * @throws AppError `badResponse` for what is no page, or has a log that is none or of another transaction.
 * @example readLogsPage({ items: [], next_page_params: null }, hash); // { logs: [], next: undefined }
 */
export function readLogsPage(body: unknown, hash: Hex): LogsPage {
  if (body === undefined) return { logs: [], next: undefined };
  const page = Page.safeParse(body).data;
  if (!page || page.items.length > MOST_ITEMS) {
    throw new AppError('badResponse', 'The explorer did not answer with a page of logs.');
  }
  return { logs: page.items.map((item) => readLog(item, hash)), next: readCursor(page.next_page_params) };
}

function readLog(item: unknown, hash: Hex): TransactionLog {
  const log = Log.safeParse(item).data;
  const of = log?.transaction_hash ?? log?.tx_hash ?? hash;
  const address = parseAddress(log?.address.hash);
  const data = parseHexData(log?.data);
  const topics = log?.topics.filter((topic) => topic !== null).map((topic) => parseHexData(topic, 32));
  const isWhole = log && address && data !== undefined && topics?.every((topic) => topic !== undefined);
  if (!isWhole || parseHexData(of, 32) !== hash) {
    throw new AppError('badResponse', 'The explorer answered with a log that is none of the transaction.');
  }
  return { address: address as Address, topics: topics as readonly Hex[], data, logIndex: log.index };
}

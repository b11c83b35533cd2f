import { AppError, isAppError } from '../../base/errors.ts';
import { keepingAnswers } from '../../transactions/keptAnswers.ts';
import type { FoundByHash } from '../../transactions/transaction.ts';
import type { TransactionSource } from '../../transactions/transactionSource.ts';
import type { Hex } from '../../values/hex.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';
import type { Cursor } from './rest/cursor.ts';
import { createExplorerRest } from './rest/explorerRest.ts';
import { readRestBlock, readRestTransaction } from './restTransaction.ts';
import { type LogsPage, readLogsPage } from './restTransactionLogs.ts';

/** Pages of 50 logs. What has more is looked at in a log panel. */
const MOST_PAGES = 20;
/** Of the data of all logs together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Transactions as a Blockscout explorer tells of them by its REST interface: the facts and the first logs at once, more
 * logs page by page, and the block of that hash where there is no such transaction.
 *
 * @example
 * const source = createExplorerTransactions({ ...http, url, chainId, key: undefined, rateLimit, revoked });
 * await source.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
 */
export function createExplorerTransactions(
  options: Omit<SourceOptions, 'key' | 'rateLimit'>,
): TransactionSource {
  const { clock, revoked } = options;
  const rest = createExplorerRest(options);
  return keepingAnswers({ label: rest.label, clock, revoked }, (hash, { signal }) =>
    lookUp(hash, (path, query = {}) => rest.get(`/${path}`, query, { signal })),
  );
}

/** `path` below `/api/v2`. */
type Get = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;

async function lookUp(hash: Hex, get: Get): Promise<FoundByHash> {
  const path = `transactions/${hash}`;
  const [facts, first] = await Promise.allSettled([
    orNothing(get(path)),
    orNothing(get(`${path}/logs`)).then((page) => readLogsPage(page, hash)),
  ]);
  if (facts.status === 'rejected') throw facts.reason;
  const asked = [`/api/v2/${path}`];
  if (facts.value === undefined) return asBlock(hash, get, asked);
  const transaction = readRestTransaction(facts.value, hash);
  if (first.status === 'rejected') throw first.reason;
  const logs = await restOfLogs(first.value, (query) => get(`${path}/logs`, query), hash);
  return {
    kind: 'transaction',
    asked: [...asked, `/api/v2/${path}/logs`],
    transaction: { ...transaction, ...logs },
  };
}

/** Stops where a page brings nothing new, as a server that does not know a cursor gives the first one again. */
async function restOfLogs(first: LogsPage, next: (query: Cursor) => Promise<unknown>, hash: Hex) {
  const known = new Map(first.logs.map((log) => [log.logIndex, log]));
  let cursor = first.next;
  let characters = lengthOf(first);
  for (let pages = 1; cursor !== undefined && pages < MOST_PAGES; pages++) {
    if (cursor === 'broken' || characters > MOST_CHARACTERS) break;
    const page = readLogsPage(await next(cursor), hash);
    const news = page.logs.filter(({ logIndex }) => !known.has(logIndex));
    if (news.length === 0) break;
    for (const log of news) known.set(log.logIndex, log);
    characters += lengthOf(page);
    cursor = page.next;
  }
  const logs = [...known.values()].sort((a, b) => a.logIndex - b.logIndex);
  return { logs, isCut: cursor !== undefined };
}

function lengthOf({ logs }: LogsPage): number {
  return logs.reduce((sum, { data }) => sum + data.length, 0);
}

async function asBlock(hash: Hex, get: Get, before: readonly string[]): Promise<FoundByHash> {
  const path = `blocks/${hash}`;
  const asked = [...before, `/api/v2/${path}`];
  const block = readRestBlock(await orNothing(get(path)), hash);
  return block ? { kind: 'block', ...block, asked } : { kind: 'unknown', asked };
}

/**
 * Undefined where the explorer says that there is no such thing.
 *
 * @throws AppError `notServed` where it has no such route, as one whose REST interface is switched off.
 */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    if (!isAppError(error, 'badResponse') || error.details.status !== 400) throw error;
    throw new AppError('notServed', 'The explorer has no REST interface for transactions.', {
      ...error.details,
      cause: error,
    });
  }
}

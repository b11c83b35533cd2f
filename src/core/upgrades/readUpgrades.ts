import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import { asAppError, isAppError, throwIfAborted } from '../base/errors.ts';
import type { Log } from '../logs/query/log.ts';
import { createLogFilter } from '../logs/query/logFilter.ts';
import type { LogSource } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import type { Address } from '../values/address.ts';
import { upgradeTopics } from './upgradeEvents.ts';

/** The upgrades of one address as a server tells them. */
export interface UpgradeLogs {
  readonly logs: readonly Log[];
  /** From this block on, through {@link through}, all are there; through is below it where none could be read. */
  readonly from: bigint;
  readonly through: bigint;
  /** Whether some may be missing in between: the server's answer was not certain. */
  readonly isUncertain: boolean;
}

/** No contract is upgraded as often by people: where more come, the topic is of something else. */
const MOST_LOGS = 3000;
/** Hex digits of data, of all these logs: a few thousand large upgrades. */
const MOST_DIGITS = 16_000_000;
/** So long one address is read, in milliseconds; what has come by then counts, and the next time goes on behind it. */
const LONGEST_MS = 30_000;
/** A reorganisation reaches no deeper: these are read again. */
const UNSETTLED_BLOCKS = 128n;

/**
 * Asks for the upgrades of an address with one log query, from a block on through the newest.
 *
 * @param before what was read of it earlier: only later blocks are asked for.
 * @throws AppError of the query where nothing came before it failed; `aborted` when the signal aborts.
 */
export async function readUpgradeLogs(
  source: LogSource,
  { address, from }: { readonly address: Address; readonly from: bigint },
  { before, clock, signal }: { readonly before?: UpgradeLogs | undefined; readonly clock: Clock } & Abortable,
): Promise<UpgradeLogs> {
  const start = before && !before.isUncertain ? restartAt(before) : from;
  const kept = before && start > from ? before.logs.filter(({ blockNumber }) => blockNumber < start) : [];
  const topics = [upgradeTopics()];
  const query = source.openLogQuery(
    createLogFilter({ addresses: [address], topics, fromBlock: start, toBlock: 'latest' }),
  );
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  void clock.sleep(LONGEST_MS, { signal: ended }).then(
    () => stop.abort(),
    () => undefined,
  );
  const logs: Log[] = [...kept];
  let digits = digitsIn(kept);
  try {
    for await (const page of query.rest({ signal: ended })) {
      logs.push(...page.logs);
      digits += digitsIn(page.logs);
      if (logs.length > MOST_LOGS || digits > MOST_DIGITS) break;
    }
  } catch (cause) {
    throwIfAborted(signal);
    // What was read before the failure holds.
    if (!query.verdict && !isAppError(cause, 'aborted')) throw asAppError(cause);
  } finally {
    stop.abort();
  }
  const worth = worthOf(query.verdict, start);
  return before && !worth.isUncertain && worth.through < before.through ? before : { logs, from, ...worth };
}

function digitsIn(logs: readonly Log[]): number {
  return logs.reduce((sum, { data }) => sum + data.length, 0);
}

function restartAt({ from, through }: UpgradeLogs): bigint {
  const start = through + 1n - UNSETTLED_BLOCKS;
  return start > from ? start : from;
}

function worthOf(verdict: Verdict | undefined, start: bigint): Pick<UpgradeLogs, 'through' | 'isUncertain'> {
  const nothing = { through: start - 1n, isUncertain: false };
  if (!verdict) return nothing;
  const { state, reasons, toBlock, readThrough } = verdict;
  if (state === 'complete') {
    const isAhead = reasons.some(({ code }) => code === 'beyondHead');
    return isAhead ? nothing : { through: toBlock, isUncertain: false };
  }
  const isBroken = reasons.some(({ code }) => code !== 'cancelled');
  if (isBroken) return { through: toBlock, isUncertain: true };
  return { through: readThrough ?? start - 1n, isUncertain: false };
}

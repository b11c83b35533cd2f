import { chainAddressKey } from '../abi/candidates.ts';
import type { Clock } from '../base/clock.ts';
import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { asAppError, isAppError, throwIfAborted } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { Address } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import { createLogFilter } from '../logs/query/filter.ts';
import type { LogClient } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { createImplementationHistory, type ImplementationHistory } from './implementationHistory.ts';
import { decodeImplementationChange, getUpgradeTopics } from './upgradeEvents.ts';
import type { HistoryLookup } from './versionLookup.ts';

/** Where histories are read from, and what else is known of contracts. */
export interface HistoryRequest {
  readonly chainId: number;
  readonly client: LogClient;
  /** The block of the creation of a contract, where it is known: no earlier one is asked for. */
  readonly createdAt?: ((address: Address) => bigint | undefined) | undefined;
}

/** The histories of contracts, kept as long as they live. */
export interface HistoryCache extends HistoryLookup {
  /**
   * Reads the upgrades of contracts through a block each, or on to it where earlier ones were read; several questions
   * for one contract are one. A contract that cannot be read stays as it was.
   *
   * @param wanted as `lacking` of a lookup gives them.
   * @param options.most how many of them are read at most; default 50.
   * @returns whether more is known than before.
   * @throws AppError `aborted` when the signal aborts.
   */
  read(
    wanted: ReadonlyMap<Address, bigint>,
    asked: HistoryRequest,
    options?: Abortable & { readonly most?: number },
  ): Promise<boolean>;
}

interface Entry {
  readonly upgrades: ReadonlyMap<Address, UpgradeLogs>;
  readonly history: ImplementationHistory;
  /** What it holds, in bytes, about. */
  readonly size: number;
}

/** Contracts that are asked about at a time. */
const MAX_CONCURRENT_READS = 3;
/** Contracts of one sight that are read. */
const MAX_PREFETCHED_CONTRACTS = 50;
/** Contracts whose histories are kept: the oldest go first. */
const MAX_CACHED_HISTORIES = 500;
/** Bytes of all that is kept; the history of a contract has some thousands. */
const MAX_CACHE_BYTES = 96 * 1024 * 1024;
/** Contracts of which it is kept that they gave nothing. */
const MAX_FAILED_CONTRACTS = 10_000;
/** Beacons of one proxy that are followed; others stay unknown. */
const MAX_BEACONS = 8;
/**
 * How often a contract is asked about that gives nothing new, or nothing certain; and after how long once more, in ms.
 */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 60_000;
/** As V8 holds them, about: a log with topics and hashes, a stretch, what one says of code. */
const BYTES_PER_LOG = 600;
const BYTES_PER_PERIOD = 200;
const BYTES_PER_REFERENCE = 8;

/**
 * Histories of contracts, none as yet.
 *
 * @example
 * const histories = createHistoryCache(systemClock);
 * await histories.read(lookup.lacking(logs, 1), { chainId: 1, source: client });
 */
export function createHistoryCache(clock: Clock): HistoryCache {
  const entries = new Map<string, Entry>();
  const failures = new Map<string, { readonly count: number; readonly at: number }>();
  // Shares what is on its way, and keeps nothing.
  const running = createExpiringCache<boolean>({ clock, ttlMs: 0, maxEntries: MAX_CACHED_HISTORIES });

  async function readOne(address: Address, asked: HistoryRequest, signal: AbortSignal): Promise<boolean> {
    const key = chainAddressKey({ address, chainId: asked.chainId });
    const before = entries.get(key);
    try {
      const upgrades = new Map<Address, UpgradeLogs>();
      const read = async (one: Address) => {
        // A creation that files tell may be of another chain that had this id: where it gives nothing, all is read.
        const created = failures.has(key) ? 0n : (asked.createdAt?.(one) ?? 0n);
        const known = before?.upgrades.get(one);
        const from = known && known.from < created ? known.from : created;
        const options = { before: known?.from === from ? known : undefined, clock, signal };
        upgrades.set(one, await fetchUpgradeLogs(asked.client, { address: one, from }, options));
      };
      await read(address);
      for (const beacon of beaconsOf(address, upgrades.get(address))) await read(beacon);
      const history = join(address, upgrades);
      keep(key, { upgrades, history, size: sizeOf(upgrades, history) });
      const isNew = furthest(upgrades) > furthest(before?.upgrades);
      const isCertain = [...upgrades.values()].every(({ isUncertain }) => !isUncertain);
      if (isNew && isCertain) failures.delete(key);
      else countFailure(key);
      return isNew || before === undefined;
    } catch {
      throwIfAborted(signal);
      countFailure(key);
      return false;
    }
  }

  function keep(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    let bytes = 0;
    for (const { size } of entries.values()) bytes += size;
    for (const [oldest, { size }] of entries) {
      const isTooMuch = bytes > MAX_CACHE_BYTES;
      if (oldest === key || (entries.size <= MAX_CACHED_HISTORIES && !isTooMuch)) break;
      entries.delete(oldest);
      bytes -= size;
      // Else those that have no room together would be read in turn without end.
      if (isTooMuch) failures.set(oldest, { count: MAX_FAILURES, at: clock.elapsed() });
    }
  }

  function countFailure(key: string): void {
    if (failures.size >= MAX_FAILED_CONTRACTS) failures.clear();
    failures.set(key, { count: (failures.get(key)?.count ?? 0) + 1, at: clock.elapsed() });
  }

  function isGivenUp(key: string): boolean {
    const failed = failures.get(key);
    return (
      failed !== undefined && failed.count >= MAX_FAILURES && clock.elapsed() - failed.at < RETRY_AFTER_MS
    );
  }

  return {
    historyOf: (at) => entries.get(chainAddressKey(at))?.history,
    async read(wanted, asked, { signal, most = MAX_PREFETCHED_CONTRACTS } = {}) {
      let isNew = false;
      const some = [...wanted.keys()].slice(0, Math.min(most, MAX_CACHED_HISTORIES));
      const task = async (address: Address) => {
        const key = chainAddressKey({ address, chainId: asked.chainId });
        if (isGivenUp(key)) return;
        const load = (ends: AbortSignal) => readOne(address, asked, ends);
        if (await running.get(key, load, { signal })) isNew = true;
      };
      await forEachLimited(some, task, { limit: MAX_CONCURRENT_READS });
      return isNew;
    },
  };
}

/** The last that a proxy has named, and those before. */
function beaconsOf(address: Address, upgrades: UpgradeLogs | undefined): readonly Address[] {
  const beacons = new Set<Address>();
  for (const log of upgrades?.logs.toReversed() ?? []) {
    const change = decodeImplementationChange(log);
    if (change?.kind === 'beacon' && change.address !== address) beacons.add(change.address);
  }
  return [...beacons].slice(0, MAX_BEACONS);
}

/** What was read of a proxy and its beacons holds for the blocks that were read of all of them. */
function join(address: Address, upgrades: ReadonlyMap<Address, UpgradeLogs>): ImplementationHistory {
  const read = [...upgrades.values()];
  return createImplementationHistory({
    address,
    logs: read.flatMap(({ logs }) => logs),
    from: Number(upgrades.get(address)?.from ?? 0n),
    through: Number(furthest(upgrades)),
    isUncertain: read.some(({ isUncertain }) => isUncertain),
  });
}

function sizeOf(upgrades: ReadonlyMap<Address, UpgradeLogs>, { periods }: ImplementationHistory): number {
  let bytes = 0;
  for (const { logs } of upgrades.values()) for (const { data } of logs) bytes += BYTES_PER_LOG + data.length;
  for (const { code = [], earlier, later } of periods) {
    bytes += BYTES_PER_PERIOD + BYTES_PER_REFERENCE * (code.length + earlier.length + later.length);
  }
  return bytes;
}

/** The last block that was read of all. */
function furthest(upgrades: ReadonlyMap<Address, UpgradeLogs> | undefined): bigint {
  let last: bigint | undefined;
  for (const { through } of upgrades?.values() ?? []) {
    if (last === undefined || through < last) last = through;
  }
  return last ?? -1n;
}

/** The upgrades of one address as a server tells them. */
interface UpgradeLogs {
  readonly logs: readonly Log[];
  /** From this block on, through {@link through}, all are there; through is below it where none could be read. */
  readonly from: bigint;
  readonly through: bigint;
  /** Whether some may be missing in between: the server's answer was not certain. */
  readonly isUncertain: boolean;
}

/** No contract is upgraded as often by people: where more come, the topic is of something else. */
const MAX_LOGS = 3000;
/** Hex digits of data, of all these logs: a few thousand large upgrades. */
const MAX_DATA_DIGITS = 16_000_000;
/** So long one address is read, in milliseconds; what has come by then counts, and the next time goes on behind it. */
const MAX_READ_MS = 30_000;
/** A reorganisation reaches no deeper: these are read again. */
const UNSETTLED_BLOCKS = 128n;

/**
 * Asks for the upgrades of an address with one log query, from a block on through the newest.
 *
 * @param before what was read of it earlier: only later blocks are asked for.
 * @throws AppError of the query where nothing came before it failed; `aborted` when the signal aborts.
 */
async function fetchUpgradeLogs(
  source: LogClient,
  { address, from }: { readonly address: Address; readonly from: bigint },
  { before, clock, signal }: { readonly before?: UpgradeLogs | undefined; readonly clock: Clock } & Abortable,
): Promise<UpgradeLogs> {
  const start = before && !before.isUncertain ? restartAt(before) : from;
  const kept = before && start > from ? before.logs.filter(({ blockNumber }) => blockNumber < start) : [];
  const topics = [getUpgradeTopics()];
  const query = source.openLogQuery(
    createLogFilter({ addresses: [address], topics, fromBlock: start, toBlock: 'latest' }),
  );
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  void clock.sleep(MAX_READ_MS, { signal: ended }).then(
    () => stop.abort(),
    () => undefined,
  );
  const logs: Log[] = [...kept];
  let digits = digitsIn(kept);
  try {
    for await (const page of query.rest({ signal: ended })) {
      logs.push(...page.logs);
      digits += digitsIn(page.logs);
      if (logs.length > MAX_LOGS || digits > MAX_DATA_DIGITS) break;
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

import type { ChainAddress } from '../abi/candidates.ts';
import type { Clock } from '../base/clock.ts';
import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { asAppError, isAppError, throwIfAborted } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import { pushAll } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address } from '../eth/hex.ts';
import { type Log, UNSETTLED_BLOCKS } from '../logs/log.ts';
import { createLogFilter } from '../logs/query/filter.ts';
import type { LogClient } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { createImplementationHistory, type ImplementationHistory } from './implementationHistory.ts';
import { decodeImplementationChange, getUpgradeTopics } from './upgradeEvents.ts';
import { getHistoryKey, type HistoryLookup } from './versionLookup.ts';

export interface HistoryRequest extends Omit<ChainAddress, 'address'> {
  readonly client: LogClient & Partial<Pick<ChainClient, 'fetchDelegate'>>;
  /** The creation block of a contract, if known: earlier blocks are not read. */
  readonly createdAt?: ((address: Address) => bigint | undefined) | undefined;
}

export interface HistoryCache extends HistoryLookup {
  clear(): void;
  /**
   * Reads the upgrades of contracts up to the head; continues where an earlier call stopped. Concurrent calls for one
   * contract share one read. If a contract cannot be read, its history stays unchanged.
   *
   * @param needed as `missingHistories` of a lookup returns it; only the addresses are used.
   * @param options.most the largest number of contracts to read; default 50.
   * @returns whether a history has changed.
   * @throws AppError `aborted` when the signal aborts.
   */
  read(
    needed: ReadonlyMap<Address, bigint>,
    request: HistoryRequest,
    options?: Abortable & { readonly most?: number },
  ): Promise<boolean>;
}

interface Entry {
  readonly upgrades: ReadonlyMap<Address, UpgradeLogs>;
  readonly history: ImplementationHistory;
  /** Approximate bytes in memory. */
  readonly size: number;
}

/**
 * An empty cache.
 *
 * @example
 * const histories = createHistoryCache(systemClock);
 * await histories.read(lookup.missingHistories(logs, 1), { chainId: 1, client });
 */
export function createHistoryCache(clock: Clock): HistoryCache {
  const entries = new Map<string, Entry>();
  const failures = new Map<string, { readonly count: number; readonly at: number }>();
  // Shares reads in flight and caches nothing.
  const running = createExpiringCache<boolean>({ clock, ttlMs: 0, maxEntries: MAX_CACHED_HISTORIES });

  async function readHistory(
    address: Address,
    request: HistoryRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    const key = getHistoryKey({ ...request, address });
    const before = entries.get(key);
    try {
      const upgrades = new Map<Address, UpgradeLogs>();
      const read = async (target: Address) => {
        // The creation block in a file may be of another chain with the same ID: after a failure, read
        // everything.
        const created = failures.has(key) ? 0n : (request.createdAt?.(target) ?? 0n);
        const earlier = before?.upgrades.get(target);
        const from = earlier && earlier.from < created ? earlier.from : created;
        const options = { before: earlier?.from === from ? earlier : undefined, clock, signal };
        upgrades.set(target, await fetchUpgradeLogs(request.client, { address: target, from }, options));
      };
      const reading = read(address);
      const [delegate] = await Promise.all([fetchDelegate(address, request, signal), reading]);
      for (const beacon of listBeacons(address, upgrades.get(address))) await read(beacon);
      const history = createHistory(address, upgrades, delegate);
      addEntry(key, { upgrades, history, size: estimateBytes(upgrades, history) });
      const isNew = getReadThrough(upgrades) > getReadThrough(before?.upgrades);
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

  function addEntry(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    let bytes = 0;
    for (const { size } of entries.values()) bytes += size;
    for (const [oldest, { size }] of entries) {
      const isTooMuch = bytes > MAX_CACHE_BYTES;
      if (oldest === key || (entries.size <= MAX_CACHED_HISTORIES && !isTooMuch)) break;
      entries.delete(oldest);
      bytes -= size;
      // Otherwise, histories that do not fit together would be evicted and read again without end.
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
    clear() {
      entries.clear();
      failures.clear();
    },
    historyOf: (at) => entries.get(getHistoryKey(at))?.history,
    async read(needed, request, { signal, most = MAX_PREFETCHED_CONTRACTS } = {}) {
      let isNew = false;
      const addresses = [...needed.keys()].slice(0, Math.min(most, MAX_CACHED_HISTORIES));
      const task = async (address: Address) => {
        const key = getHistoryKey({ ...request, address });
        if (isGivenUp(key)) return;
        const load = (taskSignal: AbortSignal) => readHistory(address, request, taskSignal);
        if (await running.get(key, load, { signal })) isNew = true;
      };
      await forEachLimited(addresses, task, { limit: MAX_CONCURRENT_READS });
      return isNew;
    },
  };
}

const MAX_CONCURRENT_READS = 3;
const MAX_PREFETCHED_CONTRACTS = 50;
/** Beyond this, the oldest histories are evicted. */
const MAX_CACHED_HISTORIES = 500;
/** One history has some thousand bytes. */
const MAX_CACHE_BYTES = 96 * 1024 * 1024;
const MAX_FAILED_CONTRACTS = 10_000;
/** Beacons of one proxy that are followed; upgrades of others remain unknown. */
const MAX_BEACONS = 8;
/** After this many reads without a new or certain result, a contract is not read for `RETRY_AFTER_MS`. */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 60_000;
/** Approximate sizes in V8: a log with topics and hashes, a period, a reference to code. */
const BYTES_PER_LOG = 600;
const BYTES_PER_PERIOD = 200;
const BYTES_PER_REFERENCE = 8;

function listBeacons(address: Address, upgrades: UpgradeLogs | undefined): readonly Address[] {
  const beacons = new Set<Address>();
  for (const log of upgrades?.logs.toReversed() ?? []) {
    const change = decodeImplementationChange(log);
    if (change?.kind === 'beacon' && change.address !== address) beacons.add(change.address);
  }
  return [...beacons].slice(0, MAX_BEACONS);
}

/** A proxy and its beacons: the history covers the blocks that were read of all of them. */
function createHistory(
  address: Address,
  upgrades: ReadonlyMap<Address, UpgradeLogs>,
  delegate: Address | undefined,
): ImplementationHistory {
  const read = [...upgrades.values()];
  return createImplementationHistory({
    address,
    logs: read.flatMap(({ logs }) => logs),
    from: Number(upgrades.get(address)?.from ?? 0n),
    through: Number(getReadThrough(upgrades)),
    isUncertain: read.some(({ isUncertain }) => isUncertain),
    delegate,
  });
}

/** Undefined for a contract, and if the endpoint does not tell. */
async function fetchDelegate(
  address: Address,
  { client }: HistoryRequest,
  signal: AbortSignal,
): Promise<Address | undefined> {
  try {
    return await client.fetchDelegate?.(address, { signal });
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error)) throw error;
    return undefined;
  }
}

function estimateBytes(
  upgrades: ReadonlyMap<Address, UpgradeLogs>,
  { periods }: ImplementationHistory,
): number {
  let bytes = 0;
  for (const { logs } of upgrades.values()) for (const { data } of logs) bytes += BYTES_PER_LOG + data.length;
  for (const { code = [], earlier, later } of periods) {
    bytes += BYTES_PER_PERIOD + BYTES_PER_REFERENCE * (code.length + earlier.length + later.length);
  }
  return bytes;
}

/** The last block that was read of all addresses; -1 for none. */
function getReadThrough(upgrades: ReadonlyMap<Address, UpgradeLogs> | undefined): bigint {
  let last: bigint | undefined;
  for (const { through } of upgrades?.values() ?? []) {
    if (last === undefined || through < last) last = through;
  }
  return last ?? -1n;
}

interface UpgradeLogs {
  readonly logs: readonly Log[];
  /** Complete from `from` through `through`, which is below `from` if nothing could be read. */
  readonly from: bigint;
  readonly through: bigint;
  /** Whether logs may be missing in between because the verdict was uncertain. */
  readonly isUncertain: boolean;
}

/** No contract has as many upgrades: beyond this, the topic means something else. */
const MAX_LOGS = 3000;
/** Hex digits of data in all these logs: a few thousand large upgrades. */
const MAX_DATA_DIGITS = 16_000_000;
/**
 * Time limit for one address, in milliseconds. What was read until then is used, and the next read continues
 * there.
 */
const MAX_READ_MS = 30_000;

/**
 * Reads the upgrade logs of an address with one query, up to the head.
 *
 * @param before the result of an earlier read: only later blocks are requested.
 * @throws AppError of the query if it failed before any result; `aborted` when the signal aborts.
 */
async function fetchUpgradeLogs(
  client: LogClient,
  { address, from }: { readonly address: Address; readonly from: bigint },
  { before, clock, signal }: { readonly before?: UpgradeLogs | undefined; readonly clock: Clock } & Abortable,
): Promise<UpgradeLogs> {
  const start = before && !before.isUncertain ? getRestartBlock(before) : from;
  const unchanged =
    before && start > from ? before.logs.filter(({ blockNumber }) => blockNumber < start) : [];
  const topics = [getUpgradeTopics()];
  const query = client.openLogQuery(
    createLogFilter({
      ...{ addresses: [address], topics, fromBlock: start, toBlock: 'latest' },
      ...(start === from && from > 0n && { deployments: [{ address, block: from }] }),
    }),
  );
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  void clock.sleep(MAX_READ_MS, { signal: ended }).then(
    () => stop.abort(),
    () => undefined,
  );
  const logs: Log[] = [...unchanged];
  let digits = countDigits(unchanged);
  try {
    for await (const page of query.rest({ signal: ended })) {
      pushAll(logs, page.logs);
      digits += countDigits(page.logs);
      if (logs.length > MAX_LOGS || digits > MAX_DATA_DIGITS) break;
    }
  } catch (cause) {
    throwIfAborted(signal);
    // Logs that were read before the failure remain valid.
    if (!query.verdict && !isAppError(cause, 'aborted')) throw asAppError(cause);
  } finally {
    stop.abort();
  }
  const coverage = toCoverage(query.verdict, start);
  return before && !coverage.isUncertain && coverage.through < before.through
    ? before
    : { logs, from, ...coverage };
}

function countDigits(logs: readonly Log[]): number {
  return logs.reduce((sum, { data }) => sum + data.length, 0);
}

function getRestartBlock({ from, through }: UpgradeLogs): bigint {
  const start = through + 1n - UNSETTLED_BLOCKS;
  return start > from ? start : from;
}

function toCoverage(
  verdict: Verdict | undefined,
  start: bigint,
): Pick<UpgradeLogs, 'through' | 'isUncertain'> {
  const nothing = { through: start - 1n, isUncertain: false };
  if (!verdict) return nothing;
  const { state, reasons, toBlock, readThrough } = verdict;
  if (reasons.some(({ code }) => code === 'beyondHead')) return nothing;
  if (state === 'complete') return { through: toBlock, isUncertain: false };
  if (reasons.length > 0) return { through: toBlock, isUncertain: true };
  return { through: readThrough ?? start - 1n, isUncertain: false };
}

import { onChainKey } from '../abi/candidates.ts';
import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import { eachLimited } from '../base/eachLimited.ts';
import { throwIfAborted } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { LogSource } from '../logs/query/logQuery.ts';
import type { Address } from '../values/address.ts';
import { type CodeHistory, codeHistory } from './codeHistory.ts';
import { readUpgradeLogs, type UpgradeLogs } from './readUpgrades.ts';
import { readCodeChange } from './upgradeEvents.ts';
import type { KnownHistories } from './versionLookup.ts';

/** Where histories are read from, and what else is known of contracts. */
export interface AskedHistories {
  readonly chainId: number;
  readonly source: LogSource;
  /** The block of the creation of a contract, where it is known: no earlier one is asked for. */
  readonly createdAt?: ((address: Address) => bigint | undefined) | undefined;
}

/** The histories of contracts, kept as long as they live. */
export interface CodeHistories extends KnownHistories {
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
    asked: AskedHistories,
    options?: Abortable & { readonly most?: number },
  ): Promise<boolean>;
}

interface Entry {
  readonly upgrades: ReadonlyMap<Address, UpgradeLogs>;
  readonly history: CodeHistory;
  /** What it holds, in bytes, about. */
  readonly size: number;
}

/** Contracts that are asked about at a time. */
const AT_ONCE = 3;
/** Contracts of one sight that are read. */
const MOST_WANTED = 50;
/** Contracts whose histories are kept: the oldest go first. */
const MOST_KEPT = 500;
/** Bytes of all that is kept; the history of a contract has some thousands. */
const MOST_BYTES = 96 * 1024 * 1024;
/** Contracts of which it is kept that they gave nothing. */
const MOST_FAILED = 10_000;
/** Beacons of one proxy that are followed; others stay unknown. */
const MOST_BEACONS = 8;
/**
 * How often a contract is asked about that gives nothing new, or nothing certain; and after how long once more, in ms.
 */
const MOST_FAILURES = 5;
const AGAIN_AFTER_MS = 60_000;
/** As V8 holds them, about: a log with topics and hashes, a stretch, what one says of code. */
const BYTES_OF_LOG = 600;
const BYTES_OF_STRETCH = 200;
const BYTES_OF_REFERENCE = 8;

/**
 * Histories of contracts, none as yet.
 *
 * @example
 * const histories = createCodeHistories(systemClock);
 * await histories.read(lookup.lacking(logs, 1), { chainId: 1, source: client });
 */
export function createCodeHistories(clock: Clock): CodeHistories {
  const entries = new Map<string, Entry>();
  const failures = new Map<string, { readonly count: number; readonly at: number }>();
  // Shares what is on its way, and keeps nothing.
  const running = createExpiringCache<boolean>({ clock, ttlMs: 0, maxEntries: MOST_KEPT });

  async function readOne(address: Address, asked: AskedHistories, signal: AbortSignal): Promise<boolean> {
    const key = onChainKey({ address, chainId: asked.chainId });
    const before = entries.get(key);
    try {
      const upgrades = new Map<Address, UpgradeLogs>();
      const read = async (one: Address) => {
        // A creation that files tell may be of another chain that had this id: where it gives nothing, all is read.
        const created = failures.has(key) ? 0n : (asked.createdAt?.(one) ?? 0n);
        const known = before?.upgrades.get(one);
        const from = known && known.from < created ? known.from : created;
        const options = { before: known?.from === from ? known : undefined, clock, signal };
        upgrades.set(one, await readUpgradeLogs(asked.source, { address: one, from }, options));
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
      const isTooMuch = bytes > MOST_BYTES;
      if (oldest === key || (entries.size <= MOST_KEPT && !isTooMuch)) break;
      entries.delete(oldest);
      bytes -= size;
      // Else those that have no room together would be read in turn without end.
      if (isTooMuch) failures.set(oldest, { count: MOST_FAILURES, at: clock.elapsed() });
    }
  }

  function countFailure(key: string): void {
    if (failures.size >= MOST_FAILED) failures.clear();
    failures.set(key, { count: (failures.get(key)?.count ?? 0) + 1, at: clock.elapsed() });
  }

  function isGivenUp(key: string): boolean {
    const failed = failures.get(key);
    return (
      failed !== undefined && failed.count >= MOST_FAILURES && clock.elapsed() - failed.at < AGAIN_AFTER_MS
    );
  }

  return {
    historyOf: (at) => entries.get(onChainKey(at))?.history,
    async read(wanted, asked, { signal, most = MOST_WANTED } = {}) {
      let isNew = false;
      const some = [...wanted.keys()].slice(0, Math.min(most, MOST_KEPT));
      const task = async (address: Address) => {
        const key = onChainKey({ address, chainId: asked.chainId });
        if (isGivenUp(key)) return;
        const load = (ends: AbortSignal) => readOne(address, asked, ends);
        if (await running.get(key, load, { signal })) isNew = true;
      };
      await eachLimited(some, task, { limit: AT_ONCE });
      return isNew;
    },
  };
}

/** The last that a proxy has named, and those before. */
function beaconsOf(address: Address, upgrades: UpgradeLogs | undefined): readonly Address[] {
  const beacons = new Set<Address>();
  for (const log of upgrades?.logs.toReversed() ?? []) {
    const change = readCodeChange(log);
    if (change?.kind === 'beacon' && change.address !== address) beacons.add(change.address);
  }
  return [...beacons].slice(0, MOST_BEACONS);
}

/** What was read of a proxy and its beacons holds for the blocks that were read of all of them. */
function join(address: Address, upgrades: ReadonlyMap<Address, UpgradeLogs>): CodeHistory {
  const read = [...upgrades.values()];
  return codeHistory({
    address,
    logs: read.flatMap(({ logs }) => logs),
    from: Number(upgrades.get(address)?.from ?? 0n),
    through: Number(furthest(upgrades)),
    isUncertain: read.some(({ isUncertain }) => isUncertain),
  });
}

function sizeOf(upgrades: ReadonlyMap<Address, UpgradeLogs>, { stretches }: CodeHistory): number {
  let bytes = 0;
  for (const { logs } of upgrades.values()) for (const { data } of logs) bytes += BYTES_OF_LOG + data.length;
  for (const { code = [], earlier, later } of stretches) {
    bytes += BYTES_OF_STRETCH + BYTES_OF_REFERENCE * (code.length + earlier.length + later.length);
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

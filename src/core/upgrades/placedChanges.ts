import type { ChainPlace } from '../abi/codeVersions.ts';
import type { Log } from '../logs/query/log.ts';
import type { Address } from '../values/address.ts';
import { comparePlaces, type LogPlace, placeOf } from './places.ts';
import { type CodeChange, readCodeChange } from './upgradeEvents.ts';

/** The upgrades of a contract as they were read. */
export interface ReadUpgrades {
  readonly address: Address;
  /** Logs of the contract and of its beacons, in any order; others and repeated ones are left out. */
  readonly logs: readonly UpgradeLog[];
  /** From this block on all are there. */
  readonly from: number;
  /** Through this block all are there. */
  readonly through: number;
  /** Whether some may be missing in between. */
  readonly isUncertain: boolean;
}

/** What of a log tells an upgrade. */
export type UpgradeLog = LogPlace & Pick<Log, 'address' | 'topics' | 'data'>;

/** A change by the contract itself or by a beacon. */
export interface PlacedChange {
  readonly at: ChainPlace;
  readonly address: Address;
  readonly change: CodeChange;
}

/** Changes that are followed; from their block on nothing is known. No contract is upgraded as often by people. */
const MOST_CHANGES = 2000;
/** Changes by one transaction. */
const MOST_IN_TRANSACTION = 64;

/** In order, each once. Two that differ at one place are of two chains. */
export function placedChanges({ address, logs, through }: ReadUpgrades) {
  const byPlace = new Map<string, PlacedChange & { readonly log: UpgradeLog }>();
  let isTorn = false;
  const beacons = new Set<Address>();
  const read = logs.flatMap((log) => {
    const change = readCodeChange(log);
    if (change?.kind === 'beacon' && log.address === address) beacons.add(change.address);
    return change ? [{ log, change }] : [];
  });
  for (const { log, change } of read) {
    if (log.address !== address && !beacons.has(log.address)) continue;
    const at = placeOf(log);
    const key = `${at.block} ${at.log}`;
    const before = byPlace.get(key);
    if (before && !isSameLog(before.log, log)) isTorn = true;
    byPlace.set(key, { at, address: log.address, change, log });
  }
  const changes = [...byPlace.values()].sort((a, b) => comparePlaces(a.at, b.at));
  const end = changes.findIndex(
    ({ at: { block, transaction } }, index) =>
      index >= MOST_CHANGES || isIn(changes[index + MOST_IN_TRANSACTION], block, transaction),
  );
  const first = changes[end];
  return {
    changes: first ? changes.filter(({ at }) => at.block < first.at.block) : changes,
    through: first ? Math.min(through, first.at.block - 1) : through,
    isTorn,
  };
}

function isSameLog(a: UpgradeLog, b: UpgradeLog): boolean {
  return (
    a.address === b.address &&
    a.transactionIndex === b.transactionIndex &&
    a.data === b.data &&
    a.topics.join() === b.topics.join()
  );
}

/** Whether a change is by this transaction. */
export function isIn(change: PlacedChange | undefined, block: number, transaction: number): boolean {
  return change?.at.block === block && change.at.transaction === transaction;
}

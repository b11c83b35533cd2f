import { compareValues } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import type { DeploymentFacts } from '../readers/facts.ts';
import type { ContractKey, DeploymentState, IndexedDeployment, RunContract } from './joinContracts.ts';

/** What the chain says of an address. */
export interface AddressCheck {
  readonly state: Exclude<DeploymentState, 'older'>;
  /** The record that holds; undefined if only the code says what is there. */
  readonly record?: Pick<DeploymentFacts, 'contract' | 'transaction'> | undefined;
  /** The block that has the transaction of `record`. */
  readonly block?: bigint | undefined;
  readonly code?: ContractKey | undefined;
  readonly runs?: readonly RunContract[];
  /** What to call it, if not as the record does. */
  readonly name?: string | undefined;
}

interface DeploymentTable {
  readonly size: number;
  put(path: string, deployments: readonly DeploymentFacts[]): void;
  remove(path: string): void;
  /** What is at each address, sorted by chain, then by address: no record that the chain contradicts. */
  readonly deployments: readonly IndexedDeployment[];
  /** As `deployments`, at one address; on one chain, or on all, sorted by chain. */
  at(address: Address, chainId?: number): readonly IndexedDeployment[];
  /** All records, sorted by chain, then by address, the newest first. */
  readonly records: readonly IndexedDeployment[];
  /** The records at an address as the files have them, the newest first. */
  recordsAt(address: Address, chainId: number): readonly IndexedDeployment[];
  /** Replaces what one chain says of its addresses; those that are not in `checks` are not checked. */
  settle(chainId: number, checks: ReadonlyMap<Address, AddressCheck>): void;
}

interface DeploymentEntry {
  readonly address: Address;
  readonly chainId: string;
  readonly parts: Map<string, IndexedDeployment[]>;
  merged: MergedEntry | undefined;
}

interface MergedEntry {
  /** What is at the address; undefined if no record holds. */
  readonly live: IndexedDeployment | undefined;
  readonly records: readonly IndexedDeployment[];
}

/** Combines the files of a workspace to one deployment per chain and address. */
export function createDeploymentTable(): DeploymentTable {
  /** By address, then by chain: an address is often used on several. */
  const entries = new Map<Address, Map<string, DeploymentEntry>>();
  const entriesByPath = new Map<string, readonly DeploymentEntry[]>();
  const checksByChain = new Map<string, ReadonlyMap<Address, AddressCheck>>();
  let size = 0;
  let sorted: { live: readonly IndexedDeployment[]; records: readonly IndexedDeployment[] } | undefined;

  function getOrAddEntry({
    address,
    chainId,
  }: Pick<DeploymentFacts, 'address' | 'chainId'>): DeploymentEntry {
    const chains = entries.get(address) ?? new Map<string, DeploymentEntry>();
    entries.set(address, chains);
    const entry = chains.get(chainId) ?? { address, chainId, parts: new Map(), merged: undefined };
    if (!chains.has(chainId)) size++;
    chains.set(chainId, entry);
    return entry;
  }

  function removeIfUnused({ address, chainId, parts }: DeploymentEntry): void {
    if (parts.size > 0 || checksByChain.get(chainId)?.has(address)) return;
    const chains = entries.get(address);
    if (chains?.delete(chainId)) size--;
    if (chains?.size === 0) entries.delete(address);
  }

  function remove(path: string): void {
    for (const entry of entriesByPath.get(path) ?? []) {
      entry.parts.delete(path);
      entry.merged = undefined;
      removeIfUnused(entry);
    }
    entriesByPath.delete(path);
    sorted = undefined;
  }

  function getMerged(entry: DeploymentEntry): MergedEntry {
    const { address, chainId, parts } = entry;
    const check = checksByChain.get(chainId)?.get(address);
    const all = sortParts(parts);
    entry.merged ??= all.length > 0 ? mergeEntry(all, check) : mergeFound({ address, chainId }, check);
    return entry.merged;
  }

  function getSorted() {
    if (sorted) return sorted;
    const merged = [...entries.values()]
      .flatMap((chains) => [...chains.values()])
      .sort(compareChainAndAddress)
      .map(getMerged);
    sorted = {
      live: merged.flatMap(({ live }) => live ?? []),
      records: merged.flatMap(({ records }) => records),
    };
    return sorted;
  }

  return {
    get size() {
      return size;
    },
    put(path, deployments) {
      remove(path);
      const ownEntries = new Set<DeploymentEntry>();
      for (const facts of deployments) {
        const entry = getOrAddEntry(facts);
        const parts = entry.parts.get(path);
        if (parts) parts.push({ ...facts, file: path });
        else entry.parts.set(path, [{ ...facts, file: path }]);
        entry.merged = undefined;
        ownEntries.add(entry);
      }
      if (ownEntries.size > 0) entriesByPath.set(path, [...ownEntries]);
    },
    remove,
    get deployments() {
      return getSorted().live;
    },
    get records() {
      return getSorted().records;
    },
    at(address, chainId) {
      const chains = entries.get(address);
      if (!chains) return [];
      const found = chainId === undefined ? [...chains.values()] : [chains.get(String(chainId))];
      return found.flatMap((entry) => (entry && getMerged(entry).live) ?? []).sort(compareChainAndAddress);
    },
    recordsAt(address, chainId) {
      const parts = entries.get(address)?.get(String(chainId))?.parts;
      return parts ? mergeRecords(sortParts(parts)) : [];
    },
    settle(chainId, checks) {
      const chain = String(chainId);
      checksByChain.set(chain, checks);
      for (const chains of [...entries.values()]) {
        const entry = chains.get(chain);
        if (!entry) continue;
        entry.merged = undefined;
        removeIfUnused(entry);
      }
      for (const [address, { code, runs }] of checks)
        if (code || runs) getOrAddEntry({ address, chainId: chain });
      sorted = undefined;
    },
  };
}

export interface OrderedDeployment extends Pick<IndexedDeployment, 'block' | 'file'> {
  readonly confirmedBlock?: bigint | undefined;
  readonly time?: number | undefined;
}

/**
 * Compares deployments of a chain, the newest first. Blocks that the chain confirms decide, and come first: only some
 * tools write times. Blocks of files come last: a development chain begins at block 0 again.
 */
export function compareNewestFirst(a: OrderedDeployment, b: OrderedDeployment): number {
  return (
    compareValues(b.confirmedBlock ?? -1n, a.confirmedBlock ?? -1n) ||
    (b.time ?? 0) - (a.time ?? 0) ||
    compareValues(b.block ?? -1n, a.block ?? -1n)
  );
}

/** Whether another run of a tool deployed one, before the other. False if nothing says so. */
export function isOfOlderRun(one: OrderedDeployment, than: OrderedDeployment): boolean {
  if (one.time === than.time && (one.time !== undefined || one.file === than.file)) return false;
  if (one.confirmedBlock !== undefined && than.confirmedBlock !== undefined)
    return one.confirmedBlock < than.confirmedBlock;
  return one.time !== undefined && than.time !== undefined && one.time < than.time;
}

/**
 * The deployments of the newest run, among deployments of one name on a chain; all of them if the newest run is not known.
 * Deployments in lists of addresses, without transactions and times, are the oldest.
 */
export function listNewest<T extends OrderedDeployment & Partial<Pick<IndexedDeployment, 'transaction'>>>(
  deployments: readonly T[],
): readonly T[] {
  const isListed = ({ transaction, time }: T) => transaction === undefined && time === undefined;
  const deployed = deployments.filter((one) => !isListed(one));
  const isConfirmed = deployed.every(({ confirmedBlock }) => confirmedBlock !== undefined);
  const byTime = (one: T) => (isConfirmed ? one : { ...one, confirmedBlock: undefined });
  const [newest] = deployed.toSorted((a, b) => compareNewestFirst(byTime(a), byTime(b)));
  if (!newest) return deployments;
  return deployed.filter((one) => !isOfOlderRun(byTime(one), byTime(newest)));
}

/** The one that a person chose first, then the newest. */
function sortParts(parts: DeploymentEntry['parts']): readonly IndexedDeployment[] {
  const rank = ({ chosen }: IndexedDeployment) => (chosen === undefined ? 1 : 0);
  return [...parts.values()]
    .flat()
    .sort((a, b) => rank(a) - rank(b) || compareNewestFirst(a, b) || compareValues(a.file, b.file));
}

function compareChainAndAddress(
  a: Pick<DeploymentFacts, 'address' | 'chainId'>,
  b: Pick<DeploymentFacts, 'address' | 'chainId'>,
): number {
  const [one, other] = [BigInt(a.chainId), BigInt(b.chainId)];
  if (one !== other) return one < other ? -1 : 1;
  return compareValues(a.address, b.address);
}

/** A contract that no file has a record of, which its code or the code that it runs identifies. */
function mergeFound(
  place: Pick<DeploymentFacts, 'address' | 'chainId'>,
  check: AddressCheck | undefined,
): MergedEntry {
  const { state = 'current', code, runs } = check ?? {};
  const known = code ?? runs?.find(({ contract }) => contract)?.contract;
  if (!known) return { live: undefined, records: [] };
  const live = {
    ...{ ...place, contract: code?.name, file: known.path, state, ...(code && { code }) },
    ...{ block: undefined, transaction: undefined, commit: undefined, ...(runs && { runs }) },
  };
  return { live, records: [live] };
}

/** @param parts the newest first. */
function mergeEntry(parts: readonly IndexedDeployment[], check: AddressCheck | undefined): MergedEntry {
  const records = mergeRecords(parts);
  const [newest] = records;
  if (!newest) return { live: undefined, records };
  const isRepeated = new Set(records.flatMap(({ block }) => block ?? [])).size > 1;
  const repeated = isRepeated ? { isRepeated } : {};
  if (!check) {
    const names = listPossibleNames(records);
    const live: IndexedDeployment =
      names.length > 1
        ? { ...withoutOrigin(newest), ...repeated, state: 'undecided', contract: formatNames(names) }
        : { ...completeNewest(newest, parts), ...repeated };
    const older = records.slice(1).filter((one) => !isSameCreation(one, newest) && !isSameChoice(one, live));
    return { live, records: [live, ...older.map((one) => ({ ...one, state: 'older' as const }))] };
  }
  const { state, record, block, name, code, runs } = check;
  if (state === 'missing' || state === 'replaced')
    return { live: undefined, records: records.map((one) => ({ ...one, state })) };
  const holding = record && records.find((one) => isSameRecord(one, record));
  const live = {
    ...(holding ?? withoutOrigin(newest)),
    ...{ ...repeated, state, ...(code && { code }), ...(runs && { runs }) },
    ...(name !== undefined && { contract: name }),
    ...(block !== undefined && { block, confirmedBlock: block }),
  };
  const isOther = (one: IndexedDeployment) =>
    one !== holding && !(holding && isSameCreation(one, holding)) && !isSameChoice(one, live);
  const others = state === 'undecided' ? [] : records.filter(isOther);
  return { live, records: [live, ...others.map((one) => ({ ...one, state: 'replaced' as const }))] };
}

/** The code alone says what is there: block and transaction are of another record. */
function withoutOrigin({ time: _, chosen: __, ...deployment }: IndexedDeployment): IndexedDeployment {
  return { ...deployment, block: undefined, transaction: undefined, commit: undefined };
}

function isSameRecord(one: IndexedDeployment, record: NonNullable<AddressCheck['record']>): boolean {
  return one.contract === record.contract && one.transaction === record.transaction;
}

/** A person chose what the other record says, too. */
function isSameChoice(one: IndexedDeployment, live: IndexedDeployment): boolean {
  return one.contract === live.contract && (one.chosen ?? live.chosen) !== undefined;
}

/** hardhat-deploy writes a proxy under two names. */
export function isSameCreation(
  { transaction }: Pick<DeploymentFacts, 'transaction'>,
  other: Pick<DeploymentFacts, 'transaction'>,
): boolean {
  return transaction !== undefined && transaction === other.transaction;
}

/**
 * The names of all records at one address that may be the newest: some tools write no time, and a block may belong to a
 * development chain that is gone.
 *
 * @param records the newest first.
 */
function listPossibleNames(records: readonly IndexedDeployment[]): readonly string[] {
  const [newest, ...others] = records;
  if (newest?.transaction === undefined) return [];
  const possible = others.filter(
    ({ transaction, time }) =>
      transaction !== undefined &&
      transaction !== newest.transaction &&
      (time === undefined || newest.time === undefined),
  );
  return [...new Set([newest, ...possible].flatMap(({ contract }) => contract ?? []))];
}

/** @example formatNames(['Token', 'Vault']) // 'Token / Vault' */
export function formatNames(names: readonly string[]): string {
  return names.slice(0, MAX_NAMES).join(' / ');
}

/** More names say nothing. */
const MAX_NAMES = 3;

/** The parts that describe one creation, which is not what a person chose, are one record. @param parts the newest first. */
function mergeRecords(parts: readonly IndexedDeployment[]): readonly IndexedDeployment[] {
  const records: IndexedDeployment[] = [];
  for (const part of parts) {
    const index = records.findIndex((record) => record.chosen === part.chosen && canBeSame(record, part));
    const record = records[index];
    if (record) records[index] = complete(record, part);
    else records.push(part);
  }
  return records;
}

function canBeSame(one: IndexedDeployment, other: IndexedDeployment): boolean {
  const isSame = (key: 'block' | 'contract' | 'transaction') =>
    one[key] === undefined || other[key] === undefined || one[key] === other[key];
  return isSame('block') && isSame('transaction') && isSame('contract');
}

function complete(record: IndexedDeployment, other: IndexedDeployment): IndexedDeployment {
  const time = record.time ?? other.time;
  return {
    ...record,
    contract: record.contract ?? other.contract,
    block: record.block ?? other.block,
    transaction: record.transaction ?? other.transaction,
    commit: record.commit ?? other.commit,
    ...(time !== undefined && { time }),
  };
}

/** The newest record, completed from others unless their block or transaction differs. */
function completeNewest(newest: IndexedDeployment, parts: readonly IndexedDeployment[]): IndexedDeployment {
  return parts.reduce(
    (merged, part) => (canBeSame({ ...part, contract: undefined }, merged) ? complete(merged, part) : merged),
    newest,
  );
}

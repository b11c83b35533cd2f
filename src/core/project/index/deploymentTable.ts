import { compareValues } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import type { DeploymentFacts } from '../readers/facts.ts';
import type { IndexedDeployment } from './joinContracts.ts';

interface DeploymentTable {
  readonly size: number;
  put(path: string, deployments: readonly DeploymentFacts[]): void;
  remove(path: string): void;
  /** Sorted by chain, then by address. */
  readonly deployments: readonly IndexedDeployment[];
  /** On one chain, or on all, sorted by chain. */
  at(address: Address, chainId?: number): readonly IndexedDeployment[];
}

interface DeploymentEntry {
  readonly address: Address;
  readonly parts: Map<string, IndexedDeployment[]>;
  merged: IndexedDeployment | undefined;
}

/** Combines the files of a workspace to one deployment per chain and address. */
export function createDeploymentTable(): DeploymentTable {
  /** By address, then by chain: an address is often used on several. */
  const entries = new Map<Address, Map<string, DeploymentEntry>>();
  const entriesByPath = new Map<string, readonly DeploymentEntry[]>();
  let size = 0;
  let sorted: readonly IndexedDeployment[] | undefined;

  function getOrAddEntry({ address, chainId }: DeploymentFacts): DeploymentEntry {
    const chains = entries.get(address) ?? new Map<string, DeploymentEntry>();
    entries.set(address, chains);
    const entry = chains.get(chainId) ?? { address, parts: new Map(), merged: undefined };
    if (!chains.has(chainId)) size++;
    chains.set(chainId, entry);
    return entry;
  }

  function remove(path: string): void {
    for (const entry of entriesByPath.get(path) ?? []) {
      entry.parts.delete(path);
      entry.merged = undefined;
      if (entry.parts.size > 0) continue;
      const chains = entries.get(entry.address);
      for (const [chainId, other] of chains ?? []) if (other === entry && chains?.delete(chainId)) size--;
      if (chains?.size === 0) entries.delete(entry.address);
    }
    entriesByPath.delete(path);
    sorted = undefined;
  }

  function getMerged(entry: DeploymentEntry): IndexedDeployment | undefined {
    entry.merged ??= mergeDeployments([...entry.parts.values()].flat());
    return entry.merged;
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
      sorted ??= [...entries.values()]
        .flatMap((chains) => [...chains.values()].flatMap((entry) => getMerged(entry) ?? []))
        .sort(compareChainAndAddress);
      return sorted;
    },
    at(address, chainId) {
      const chains = entries.get(address);
      if (!chains) return [];
      if (chainId === undefined)
        return [...chains.values()].flatMap((entry) => getMerged(entry) ?? []).sort(compareChainAndAddress);
      const entry = chains.get(String(chainId));
      const deployment = entry && getMerged(entry);
      return deployment ? [deployment] : [];
    },
  };
}

function compareChainAndAddress(a: IndexedDeployment, b: IndexedDeployment): number {
  const [one, other] = [BigInt(a.chainId), BigInt(b.chainId)];
  if (one !== other) return one < other ? -1 : 1;
  return compareValues(a.address, b.address);
}

/** The latest deployment, completed from others unless their block or transaction differs. */
function mergeDeployments(parts: readonly IndexedDeployment[]): IndexedDeployment | undefined {
  const [latest, ...others] = [...parts].sort(compareLatestFirst);
  if (!latest) return undefined;
  let { contract, block, transaction, commit } = latest;
  for (const other of others) {
    if (block !== undefined && other.block !== undefined && other.block !== block) continue;
    if (transaction !== undefined && other.transaction !== undefined && other.transaction !== transaction)
      continue;
    contract ??= other.contract;
    block ??= other.block;
    transaction ??= other.transaction;
    commit ??= other.commit;
  }
  const merged = { ...latest, contract, block, transaction, commit };
  const isRepeated = parts.some((part) => part.block !== undefined && part.block !== block);
  return isRepeated ? { ...merged, isRepeated } : merged;
}

function compareLatestFirst(a: IndexedDeployment, b: IndexedDeployment): number {
  const [one, other] = [a.block ?? -1n, b.block ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareValues(a.file, b.file);
}

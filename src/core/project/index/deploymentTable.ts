import { compareValues } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import type { DeploymentFacts } from '../readers/facts.ts';
import type { IndexedDeployment } from './joinContracts.ts';

interface DeploymentEntry {
  readonly address: Address;
  readonly parts: Map<string, IndexedDeployment[]>;
  joined: IndexedDeployment | undefined;
}

export interface DeploymentTable {
  readonly size: number;
  put(path: string, deployments: readonly DeploymentFacts[]): void;
  remove(path: string): void;
  /** By chain, then by address. */
  readonly deployments: readonly IndexedDeployment[];
  /** On one chain, or by chain. */
  at(address: Address, chainId?: number): readonly IndexedDeployment[];
}

/** What is deployed where: one deployment for each address of a chain, out of all files that tell of it. */
export function createDeploymentTable(): DeploymentTable {
  /** By address, then by chain: an address is often used on several. */
  const places = new Map<Address, Map<string, DeploymentEntry>>();
  const ofFile = new Map<string, readonly DeploymentEntry[]>();
  let size = 0;
  let sorted: readonly IndexedDeployment[] | undefined;

  function placeOf({ address, chainId }: DeploymentFacts): DeploymentEntry {
    const chains = places.get(address) ?? new Map<string, DeploymentEntry>();
    places.set(address, chains);
    const place = chains.get(chainId) ?? { address, parts: new Map(), joined: undefined };
    if (!chains.has(chainId)) size++;
    chains.set(chainId, place);
    return place;
  }

  function remove(path: string): void {
    for (const place of ofFile.get(path) ?? []) {
      place.parts.delete(path);
      place.joined = undefined;
      if (place.parts.size > 0) continue;
      const chains = places.get(place.address);
      for (const [chainId, other] of chains ?? []) if (other === place && chains?.delete(chainId)) size--;
      if (chains?.size === 0) places.delete(place.address);
    }
    ofFile.delete(path);
    sorted = undefined;
  }

  function read(place: DeploymentEntry): IndexedDeployment | undefined {
    place.joined ??= join([...place.parts.values()].flat());
    return place.joined;
  }

  return {
    get size() {
      return size;
    },
    put(path, deployments) {
      remove(path);
      const own = new Set<DeploymentEntry>();
      for (const facts of deployments) {
        const place = placeOf(facts);
        const ofPath = place.parts.get(path);
        if (ofPath) ofPath.push({ ...facts, file: path });
        else place.parts.set(path, [{ ...facts, file: path }]);
        place.joined = undefined;
        own.add(place);
      }
      if (own.size > 0) ofFile.set(path, [...own]);
    },
    remove,
    get deployments() {
      sorted ??= [...places.values()]
        .flatMap((chains) => [...chains.values()].flatMap((one) => read(one) ?? []))
        .sort(byChainAndAddress);
      return sorted;
    },
    at(address, chainId) {
      const chains = places.get(address);
      if (!chains) return [];
      if (chainId === undefined)
        return [...chains.values()].flatMap((one) => read(one) ?? []).sort(byChainAndAddress);
      const place = chains.get(String(chainId));
      const joined = place && read(place);
      return joined ? [joined] : [];
    },
  };
}

function byChainAndAddress(a: IndexedDeployment, b: IndexedDeployment): number {
  const [one, other] = [BigInt(a.chainId), BigInt(b.chainId)];
  if (one !== other) return one < other ? -1 : 1;
  return compareValues(a.address, b.address);
}

/** The latest, with what those add that may be of the same deployment. */
function join(parts: readonly IndexedDeployment[]): IndexedDeployment | undefined {
  const [latest, ...others] = [...parts].sort(latestFirst);
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
  return { ...latest, contract, block, transaction, commit };
}

function latestFirst(a: IndexedDeployment, b: IndexedDeployment): number {
  const [one, other] = [a.block ?? -1n, b.block ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareValues(a.file, b.file);
}

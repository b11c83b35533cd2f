import type { AbiItemText } from '../../abi/abiItem.ts';
import type { ContractFacts, FileFacts } from '../facts.ts';
import { joinPath } from '../layout/paths.ts';
import { foldedNames, foldName } from './alikeNames.ts';
import type { FilePlace, IndexedContract } from './indexed.ts';
import { type JoinedContract, joinContracts, type KnownContract } from './joinContracts.ts';
import { mergeParts, type Part } from './mergeParts.ts';

interface Group extends KnownContract {
  readonly parts: Map<string, Part>;
  merged: IndexedContract | undefined;
}

/** The contracts of one name. */
interface Named {
  readonly groups: Set<Group>;
  /** Until one of them changes. */
  joined: readonly JoinedContract[] | undefined;
}

/** A contract as it is now. Stays the same while what is known of the contract changes. */
export interface ContractEntry {
  readonly merged: IndexedContract | undefined;
}

/** Told of each contract that comes, goes or changes, with the items that it had before. */
type Told = (entry: ContractEntry, before: readonly AbiItemText[]) => void;

export interface ContractTable {
  readonly size: number;
  put(path: string, facts: FileFacts | undefined, place: FilePlace): void;
  remove(path: string): void;
  /** By name, then by path. */
  readonly contracts: readonly IndexedContract[];
  /** By path. */
  named(name: string): readonly JoinedContract[];
  /** Those of the project itself whose names differ from `name` as address books write them. */
  alike(name: string): readonly JoinedContract[];
}

/** Files that tell of one contract: its builds by profile, its deployments by chain. More are not looked at. */
const MOST_PARTS = 200;

/** Puts together what several files tell of one contract: the same name and source are the same contract, and see `joinContracts`. */
export function createContractTable(told: Told): ContractTable {
  const groups = new Map<string, Group>();
  const keysOf = new Map<string, readonly string[]>();
  const byName = new Map<string, Named>();
  const byFolded = new Map<string, Set<string>>();
  let sorted: readonly IndexedContract[] | undefined;

  function settle(key: string, group: Group): void {
    const before = group.merged?.abi ?? [];
    const name = nameOf(key);
    const known = byName.get(name) ?? { groups: new Set(), joined: undefined };
    group.merged = mergeParts(group);
    known.joined = undefined;
    told(group, before);
    if (group.merged) {
      known.groups.add(group);
      if (!byName.has(name)) hold(name, known);
      return;
    }
    groups.delete(key);
    known.groups.delete(group);
    if (known.groups.size === 0) letGo(name);
  }

  function hold(name: string, known: Named): void {
    byName.set(name, known);
    const folded = foldName(name);
    byFolded.set(folded, (byFolded.get(folded) ?? new Set()).add(name));
  }

  function letGo(name: string): void {
    byName.delete(name);
    const folded = foldName(name);
    const names = byFolded.get(folded);
    names?.delete(name);
    if (names?.size === 0) byFolded.delete(folded);
  }

  function named(name: string): readonly JoinedContract[] {
    const known = byName.get(name);
    if (!known) return [];
    known.joined ??= joinContracts(known.groups);
    return known.joined;
  }

  function remove(path: string): void {
    for (const key of keysOf.get(path) ?? []) {
      const group = groups.get(key);
      if (!group?.parts.delete(path)) continue;
      settle(key, group);
    }
    keysOf.delete(path);
    sorted = undefined;
  }

  return {
    get size() {
      return groups.size;
    },
    put(path, facts, place) {
      remove(path);
      const deployed = deployedIn(facts);
      const keys = new Set<string>();
      for (const contract of facts?.contracts ?? []) {
        const source = sourceOf(contract, place);
        const key = `${contract.name}\0${source ?? path}`;
        const group = groups.get(key) ?? { source, parts: new Map(), merged: undefined };
        const isOwn = !isOfLibrary(contract.source ?? path.slice(place.project.length), place.libs);
        if (group.parts.size >= MOST_PARTS && path !== source) continue;
        groups.set(key, group);
        const isDeployed = deployed.has(contract.name);
        group.parts.set(path, { path, facts: contract, project: place.project, isOwn, isDeployed });
        settle(key, group);
        keys.add(key);
      }
      if (keys.size > 0) keysOf.set(path, [...keys]);
    },
    remove,
    get contracts() {
      sorted ??= [...byName.keys()]
        .sort()
        .flatMap(named)
        .map(({ contract }) => contract);
      return sorted;
    },
    named,
    alike(name) {
      for (const folded of foldedNames(name)) {
        const found = [...(byFolded.get(folded) ?? [])]
          .flatMap(named)
          .filter(({ contract }) => contract.isOwn);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** Names of what has an address in the file, on a chain that it tells or on none. */
function deployedIn(facts: FileFacts | undefined): ReadonlySet<string | undefined> {
  const { deployments = [], labels = [] } = facts ?? {};
  return new Set([...deployments.map(({ contract }) => contract), ...labels.map(({ name }) => name)]);
}

function sourceOf({ source }: ContractFacts, place: FilePlace): string | undefined {
  if (source === undefined) return undefined;
  return place.sourceAt ? place.sourceAt(source) : joinPath(place.project, source);
}

function nameOf(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}

/** Whether a path in a project leads into a library of it. */
function isOfLibrary(path: string, libs: readonly string[]): boolean {
  if (`/${path}`.includes('/node_modules/') || path.startsWith('@')) return true;
  return libs.some((lib) => path.startsWith(`${lib}/`));
}

import type { AbiItemText } from '../../abi/abiItem.ts';
import type { ContractFacts } from '../facts.ts';
import { compareTexts, type FilePlace, type IndexedContract, joinPath } from './indexed.ts';

/** What one file tells of a contract. */
interface Part {
  readonly path: string;
  readonly facts: ContractFacts;
  readonly project: string;
  readonly isOwn: boolean;
}

interface Group extends ContractEntry {
  readonly source: string | undefined;
  readonly parts: Map<string, Part>;
  merged: IndexedContract | undefined;
}

/** A contract as it is now. Stays the same while what is known of the contract changes. */
export interface ContractEntry {
  readonly merged: IndexedContract | undefined;
}

/** Told of each contract that comes, goes or changes, with the items that it had before. */
type Told = (entry: ContractEntry, before: readonly AbiItemText[]) => void;

export interface ContractTable {
  readonly size: number;
  put(path: string, contracts: readonly ContractFacts[], place: FilePlace): void;
  remove(path: string): void;
  /** By name, then by path. */
  readonly contracts: readonly IndexedContract[];
  named(name: string): readonly IndexedContract[];
}

/**
 * Puts together what several files tell of one contract: the same name and source are the same contract. Of two files
 * with its ABI the first by path counts.
 */
export function createContractTable(told: Told): ContractTable {
  const groups = new Map<string, Group>();
  const keysOf = new Map<string, readonly string[]>();
  const byName = new Map<string, Set<Group>>();
  let sorted: readonly IndexedContract[] | undefined;

  function settle(key: string, group: Group): void {
    const before = group.merged?.abi ?? [];
    const names = byName.get(nameOf(key)) ?? new Set();
    group.merged = merge(group);
    told(group, before);
    if (group.merged) {
      byName.set(nameOf(key), names.add(group));
      return;
    }
    groups.delete(key);
    names.delete(group);
    if (names.size === 0) byName.delete(nameOf(key));
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
    put(path, contracts, place) {
      remove(path);
      const keys = new Set<string>();
      for (const facts of contracts) {
        const source = sourceOf(facts, place);
        const key = `${facts.name}\0${source ?? path}`;
        const group = groups.get(key) ?? { source, parts: new Map(), merged: undefined };
        const isOwn = !isOfLibrary(facts.source ?? path.slice(place.project.length), place.libs);
        groups.set(key, group);
        group.parts.set(path, { path, facts, project: place.project, isOwn });
        settle(key, group);
        keys.add(key);
      }
      if (keys.size > 0) keysOf.set(path, [...keys]);
    },
    remove,
    get contracts() {
      sorted ??= [...groups.values()].flatMap(({ merged }) => merged ?? []).sort(byNameAndPath);
      return sorted;
    },
    named: (name) => [...(byName.get(name) ?? [])].flatMap(({ merged }) => merged ?? []).sort(byNameAndPath),
  };
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

function byNameAndPath(a: IndexedContract, b: IndexedContract): number {
  return compareTexts(a.name, b.name) || compareTexts(pathOf(a), pathOf(b));
}

/** Where a contract is known from: its source, or else the file with its ABI. */
export function pathOf({ source, artifact }: IndexedContract): string {
  return source ?? artifact ?? '';
}

function merge({ source, parts }: Group): IndexedContract | undefined {
  const ordered = [...parts.values()].sort((a, b) => compareTexts(a.path, b.path));
  const written = ordered.find(({ path }) => path === source);
  const compiled = ordered.find(({ path }) => path !== source);
  const first = compiled ?? written;
  if (!first) return undefined;
  const { name, abi } = first.facts;
  return {
    ...{ name, project: first.project, source, abi, isOwn: first.isOwn },
    line: written?.facts.line,
    artifact: compiled?.path,
    itemLines: written ? linesOf(abi, written.facts) : [],
  };
}

/** In a source, line 0 is one of another file, out of which it inherits. */
function linesOf(abi: readonly AbiItemText[], source: ContractFacts): readonly (number | undefined)[] {
  const lines = new Map(source.abi.map((text, index) => [text, source.itemLines?.[index] || undefined]));
  return abi.map((text) => lines.get(text));
}

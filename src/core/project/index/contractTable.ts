import { type AbiItem, type AbiItemText, parseAbiItem } from '../../abi/item.ts';
import type { Hex } from '../../eth/hex.ts';
import { joinPath } from '../layout.ts';
import type { ContractFacts, FileFacts } from '../readers/facts.ts';
import { isIgnition } from '../readers/fileKind.ts';
import {
  type ContractPart,
  type ContractParts,
  type FilePlace,
  type FindUnits,
  type IndexedContract,
  type MergedContract,
  mergeContracts,
  mergeParts,
} from './joinContracts.ts';

export interface ContractTable {
  readonly size: number;
  put(path: string, facts: FileFacts | undefined, place: FilePlace): void;
  remove(path: string): void;
  /** Joins the contracts of these names again, after their units have changed. */
  update(names: ReadonlySet<string>): void;
  /** Sorted by name, then by path. */
  readonly contracts: readonly IndexedContract[];
  /** Sorted by path. */
  findByName(name: string): readonly MergedContract[];
  /** The project's own contracts whose names an address book may write as `name`. */
  findBySimilarName(name: string): readonly MergedContract[];
}

/** A contract in its current state. The object stays the same while its facts change. */
export interface ContractEntry {
  readonly merged: IndexedContract | undefined;
}

/** Receives each contract that is added, removed or changed, with its previous ABI. */
type ContractListener = (entry: ContractEntry, previousAbi: readonly AbiItemText[]) => void;

interface Group extends ContractParts {
  readonly parts: Map<string, ContractPart>;
  merged: IndexedContract | undefined;
}

interface NameEntry {
  readonly groups: Set<Group>;
  /** Merged on demand; undefined after a change. */
  mergedContracts: readonly MergedContract[] | undefined;
}

/** Files of one contract: a build per profile, a deployment per chain. More are ignored. */
const MAX_PARTS = 200;

/** Combines what several files say about one contract. The same name and source are one contract; see also `mergeContracts`. */
export function createContractTable(onChange: ContractListener, unitsOf: FindUnits): ContractTable {
  const groups = new Map<string, Group>();
  const keysByPath = new Map<string, readonly string[]>();
  const byName = new Map<string, NameEntry>();
  const namesByFolded = new Map<string, Set<string>>();
  let sorted: readonly IndexedContract[] | undefined;

  function update(key: string, group: Group): void {
    const previousAbi = group.merged?.abi ?? [];
    const name = getName(key);
    const entry = byName.get(name) ?? { groups: new Set(), mergedContracts: undefined };
    group.merged = mergeParts(group, unitsOf);
    entry.mergedContracts = undefined;
    onChange(group, previousAbi);
    if (group.merged) {
      entry.groups.add(group);
      if (!byName.has(name)) addName(name, entry);
      return;
    }
    groups.delete(key);
    entry.groups.delete(group);
    if (entry.groups.size === 0) removeName(name);
  }

  function addName(name: string, entry: NameEntry): void {
    byName.set(name, entry);
    const folded = foldName(name);
    namesByFolded.set(folded, (namesByFolded.get(folded) ?? new Set()).add(name));
  }

  function removeName(name: string): void {
    byName.delete(name);
    const folded = foldName(name);
    const names = namesByFolded.get(folded);
    names?.delete(name);
    if (names?.size === 0) namesByFolded.delete(folded);
  }

  function findByName(name: string): readonly MergedContract[] {
    const entry = byName.get(name);
    if (!entry) return [];
    entry.mergedContracts ??= mergeContracts(entry.groups, unitsOf);
    return entry.mergedContracts;
  }

  function remove(path: string): void {
    for (const key of keysByPath.get(path) ?? []) {
      const group = groups.get(key);
      if (!group?.parts.delete(path)) continue;
      update(key, group);
    }
    keysByPath.delete(path);
    sorted = undefined;
  }

  return {
    get size() {
      return groups.size;
    },
    put(path, facts, place) {
      remove(path);
      const deployed = listDeployedNames(facts);
      const keys = new Set<string>();
      for (const contract of facts?.contracts ?? []) {
        const source = resolveSourcePath(contract, place);
        const key = `${contract.name}\0${source ?? path}`;
        const group = groups.get(key) ?? { source, parts: new Map(), merged: undefined };
        const isOwn = !isInLibrary(contract.source ?? path.slice(place.project.length), place.libs);
        if (group.parts.size >= MAX_PARTS && path !== source) continue;
        groups.set(key, group);
        const isDeployed = deployed.has(contract.name) || isIgnition(path);
        group.parts.set(path, { path, facts: contract, project: place.project, isOwn, isDeployed });
        update(key, group);
        keys.add(key);
      }
      if (keys.size > 0) keysByPath.set(path, [...keys]);
    },
    remove,
    update(names) {
      for (const [key, group] of groups) if (names.has(getName(key))) update(key, group);
      sorted = undefined;
    },
    get contracts() {
      sorted ??= [...byName.keys()]
        .sort()
        .flatMap(findByName)
        .map(({ contract }) => contract);
      return sorted;
    },
    findByName,
    findBySimilarName(name) {
      for (const folded of listFoldedNames(name)) {
        const found = [...(namesByFolded.get(folded) ?? [])]
          .flatMap(findByName)
          .filter(({ contract }) => contract.isOwn);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** The names of contracts that the file gives addresses, on a specific chain or on any. */
function listDeployedNames(facts: FileFacts | undefined): ReadonlySet<string | undefined> {
  const { deployments = [], labels = [] } = facts ?? {};
  return new Set([...deployments.map(({ contract }) => contract), ...labels.map(({ name }) => name)]);
}

function resolveSourcePath({ source }: ContractFacts, place: FilePlace): string | undefined {
  if (source === undefined) return undefined;
  return place.resolveSource ? place.resolveSource(source) : joinPath(place.project, source);
}

function getName(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}

function isInLibrary(path: string, libs: readonly string[]): boolean {
  if (`/${path}`.includes('/node_modules/') || path.startsWith('@')) return true;
  return libs.some((lib) => path.startsWith(`${lib}/`));
}

/** Suffixes in address books: the logs of a proxy or an implementation are those of its contract. */
const NAME_SUFFIX = /(?:proxy|implementation|impl|address|contract)$/;

/** Normalizes spelling: `accounting_oracle`, `accountingOracle` and `AccountingOracle` are equal. */
function foldName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** The folded names of the contract that an address book calls `name`: `vaultImpl` may be `vault`. The likeliest first. */
function listFoldedNames(name: string): readonly string[] {
  const whole = foldName(name);
  const base = whole.replace(NAME_SUFFIX, '');
  return base === '' || base === whole ? [whole] : [whole, base];
}

export interface ItemTable<Owner> {
  add(texts: readonly AbiItemText[], owner: Owner): void;
  remove(texts: readonly AbiItemText[], owner: Owner): void;
  /** Hashes items until `isOver`. @returns whether all are hashed. */
  prepare(isOver: () => boolean): boolean;
  /** Items with this topic0 or selector; without a hash, anonymous events. */
  find(kind: AbiItem['kind'], hash: Hex | undefined): readonly OwnedItem<Owner>[];
}

export interface OwnedItem<Owner> {
  readonly text: AbiItemText;
  readonly item: AbiItem;
  readonly owners: readonly Owner[];
}

interface Entry<Owner> {
  readonly text: AbiItemText;
  /** In the order of insertion, each once. An array: most items have one owner, for which a set is large. */
  readonly owners: Owner[];
  /** Undefined until it is hashed, or if the text is malformed. */
  key: string | undefined;
}

/** Indexes items by their hashes, with their owners. Items are hashed on first use. */
export function createItemTable<Owner>(): ItemTable<Owner> {
  const entries = new Map<AbiItemText, Entry<Owner>>();
  const byKey = new Map<string, Entry<Owner>[]>();
  /** By kind, as functions are rarely looked up. */
  const unhashed: Readonly<Record<AbiItem['kind'], Set<Entry<Owner>>>> = {
    event: new Set(),
    error: new Set(),
    function: new Set(),
  };

  function hash(entry: Entry<Owner>): void {
    const item = parseAbiItem(entry.text);
    if (!item) return;
    entry.key = formatKey(item.kind, getHash(item));
    const same = byKey.get(entry.key);
    if (same) same.push(entry);
    else byKey.set(entry.key, [entry]);
  }

  /** @returns whether all of a kind are hashed. */
  function hashAll(kind: AbiItem['kind'], isOver: () => boolean): boolean {
    for (const entry of unhashed[kind]) {
      unhashed[kind].delete(entry);
      hash(entry);
      if (isOver()) break;
    }
    return unhashed[kind].size === 0;
  }

  return {
    add(texts, owner) {
      for (const text of texts) {
        const existing = entries.get(text);
        if (existing) {
          if (existing.owners.at(-1) !== owner) existing.owners.push(owner);
          continue;
        }
        const entry: Entry<Owner> = { text, owners: [owner], key: undefined };
        entries.set(text, entry);
        unhashed[getKind(text)].add(entry);
      }
    },
    remove(texts, owner) {
      for (const text of texts) {
        const entry = entries.get(text);
        const at = entry?.owners.indexOf(owner) ?? -1;
        if (!entry || at < 0) continue;
        entry.owners.splice(at, 1);
        if (entry.owners.length > 0) continue;
        entries.delete(text);
        unhashed[getKind(text)].delete(entry);
        const same = entry.key === undefined ? undefined : byKey.get(entry.key);
        if (entry.key === undefined || !same) continue;
        const others = same.filter((other) => other !== entry);
        if (others.length > 0) byKey.set(entry.key, others);
        else byKey.delete(entry.key);
      }
    },
    prepare: (isOver) => hashAll('event', isOver) && hashAll('error', isOver) && hashAll('function', isOver),
    find(kind, hash) {
      hashAll(kind, () => false);
      const found = byKey.get(formatKey(kind, hash)) ?? [];
      return [...found].flatMap(({ text, owners }) => {
        const item = parseAbiItem(text);
        return item ? [{ text, item, owners }] : [];
      });
    },
  };
}

function getHash(item: AbiItem): Hex | undefined {
  if (item.kind !== 'event') return item.selector;
  return item.anonymous ? undefined : item.topic0;
}

function getKind(text: AbiItemText): AbiItem['kind'] {
  return text.startsWith('event ') ? 'event' : text.startsWith('error ') ? 'error' : 'function';
}

function formatKey(kind: AbiItem['kind'], hash: Hex | undefined): string {
  return `${kind} ${hash ?? ''}`;
}

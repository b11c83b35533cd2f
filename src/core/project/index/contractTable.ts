import { type AbiItem, type AbiItemText, parseAbiItem } from '../../abi/item.ts';
import type { Hex } from '../../eth/hex.ts';
import { joinPath } from '../layout.ts';
import type { ContractFacts, FileFacts } from '../readers/facts.ts';
import {
  type ContractPart,
  type ContractParts,
  type FilePlace,
  type IndexedContract,
  type MergedContract,
  mergeContracts,
  mergeParts,
} from './joinContracts.ts';

interface Group extends ContractParts {
  readonly parts: Map<string, ContractPart>;
  merged: IndexedContract | undefined;
}

/** The contracts of one name. */
interface Named {
  readonly groups: Set<Group>;
  /** Until one of them changes. */
  joined: readonly MergedContract[] | undefined;
}

/** A contract as it is now. Stays the same while what is known of the contract changes. */
export interface ContractEntry {
  readonly merged: IndexedContract | undefined;
}

/** Told of each contract that comes, goes or changes, with the items that it had before. */
type ContractNews = (entry: ContractEntry, before: readonly AbiItemText[]) => void;

export interface ContractTable {
  readonly size: number;
  put(path: string, facts: FileFacts | undefined, place: FilePlace): void;
  remove(path: string): void;
  /** By name, then by path. */
  readonly contracts: readonly IndexedContract[];
  /** By path. */
  named(name: string): readonly MergedContract[];
  /** Those of the project itself whose names differ from `name` as address books write them. */
  alike(name: string): readonly MergedContract[];
}

/** Files that tell of one contract: its builds by profile, its deployments by chain. More are not looked at. */
const MAX_PARTS = 200;

/** Puts together what several files tell of one contract: the same name and source are the same contract, and see `mergeContracts`. */
export function createContractTable(told: ContractNews): ContractTable {
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

  function named(name: string): readonly MergedContract[] {
    const known = byName.get(name);
    if (!known) return [];
    known.joined ??= mergeContracts(known.groups);
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
        if (group.parts.size >= MAX_PARTS && path !== source) continue;
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
      for (const folded of listFoldedNames(name)) {
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

/** How address books call what stands before a contract, or behind it: its logs are those of the contract all the same. */
const PART = /(?:proxy|implementation|impl|address|contract)$/;

/** A name without what writers choose: `accounting_oracle`, `accountingOracle` and `AccountingOracle` are one. */
function foldName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** What a contract may be called, folded, that an address book calls `name`: `vaultImpl` is of `vault`. The likeliest first. */
function listFoldedNames(name: string): readonly string[] {
  const whole = foldName(name);
  const part = whole.replace(PART, '');
  return part === '' || part === whole ? [whole] : [whole, part];
}

interface Entry<Owner> {
  readonly text: AbiItemText;
  /** In the order of coming, each once: most items have one only, for which a set is large. */
  readonly owners: Owner[];
  /** Undefined as long as it is not hashed, or where the text cannot be read. */
  key: string | undefined;
}

/** An item, and who has it. */
export interface OwnedItem<Owner> {
  readonly text: AbiItemText;
  readonly item: AbiItem;
  readonly owners: readonly Owner[];
}

export interface ItemTable<Owner> {
  add(texts: readonly AbiItemText[], owner: Owner): void;
  remove(texts: readonly AbiItemText[], owner: Owner): void;
  /** Hashes what is not hashed yet, until `isOver` says so. @returns whether all is. */
  prepare(isOver: () => boolean): boolean;
  /** Items with this topic0 or selector; without one, anonymous events. */
  find(kind: AbiItem['kind'], hash: Hex | undefined): readonly OwnedItem<Owner>[];
}

/** Which items there are, by their hashes, and who has them. Items are hashed when they are first looked for. */
export function createItemTable<Owner>(): ItemTable<Owner> {
  const entries = new Map<AbiItemText, Entry<Owner>>();
  const byKey = new Map<string, Entry<Owner>[]>();
  /** By kind, as few ask for functions. */
  const unhashed: Readonly<Record<AbiItem['kind'], Set<Entry<Owner>>>> = {
    event: new Set(),
    error: new Set(),
    function: new Set(),
  };

  function hash(entry: Entry<Owner>): void {
    const item = parseAbiItem(entry.text);
    if (!item) return;
    entry.key = keyOf(item.kind, hashOf(item));
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
        const known = entries.get(text);
        if (known) {
          if (known.owners.at(-1) !== owner) known.owners.push(owner);
          continue;
        }
        const entry: Entry<Owner> = { text, owners: [owner], key: undefined };
        entries.set(text, entry);
        unhashed[kindOf(text)].add(entry);
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
        unhashed[kindOf(text)].delete(entry);
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
      const found = byKey.get(keyOf(kind, hash)) ?? [];
      return [...found].flatMap(({ text, owners }) => {
        const item = parseAbiItem(text);
        return item ? [{ text, item, owners }] : [];
      });
    },
  };
}

function hashOf(item: AbiItem): Hex | undefined {
  if (item.kind !== 'event') return item.selector;
  return item.anonymous ? undefined : item.topic0;
}

function kindOf(text: AbiItemText): AbiItem['kind'] {
  return text.startsWith('event ') ? 'event' : text.startsWith('error ') ? 'error' : 'function';
}

function keyOf(kind: AbiItem['kind'], hash: Hex | undefined): string {
  return `${kind} ${hash ?? ''}`;
}

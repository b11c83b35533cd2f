import type { EnumPlace } from '../../abi/enums.ts';
import type { AbiItemText } from '../../abi/item.ts';
import { forEachLimited } from '../../base/concurrency.ts';
import { getBaseName } from '../layout.ts';
import type { ContractFacts } from '../readers/facts.ts';
import { createCallFollower } from './callFollower.ts';
import {
  MAX_LINKED_CHARS,
  type SourceContract,
  type SourceFacts,
  type SourceFunction,
  type SourceItem,
  type SourceUse,
} from './declarations.ts';
import { type LinkedItem, linkItem } from './linkTypes.ts';
import {
  createNameResolver,
  type NameResolver,
  type SourceFiles,
  type SourceLocation,
} from './sourceNames.ts';

/**
 * Items and uses that are visited for the contracts of a file, with everything that they inherit. Known contracts have up
 * to 300; known files up to 50 contracts.
 */
const MAX_STEPS = 100_000;
/** Functions that a Vyper file exports, those of its modules included. Known ones export some dozens. */
const MAX_MODULE_ITEMS = 5_000;

/** Each import has several candidate paths, and each counts. */
const MAX_READS = 2_000;
/** Levels of imports; deeper ones are not found. */
const MAX_ROUNDS = 32;
const MAX_CONCURRENT_READS = 8;

/**
 * The contracts of a source with the items of their ABI: their own, those that they inherit, and events and errors from
 * elsewhere that they or their bases emit or revert with, also through libraries and functions outside of contracts. In `itemLines`, items of another contract or file have line 0.
 * Top-level events and errors that no contract of the file uses form a contract
 * of their own, without a line and named like the file, `Errors.sol`.
 *
 * @param onUnlinked receives each item with a type that is not an ABI type or not found.
 * @example linkSource('src/Vault.sol', { get: (path) => facts.get(path), resolve })
 */
export function linkSource(
  path: string,
  sourceFiles: SourceFiles,
  onUnlinked?: (item: SourceItem) => void,
): readonly ContractFacts[] {
  const { files, names, link } = createLink(sourceFiles);
  const facts = files.get(path);
  if (!facts) return [];
  const linkedItems = new Set<SourceItem>();
  const budget = { steps: MAX_STEPS };
  const itemsOf = createItemLister({ files, names }, budget);

  function contractFacts(contract: SourceContract): ContractFacts {
    const all = new Map<string, LinedItem>();
    for (const { item, at } of itemsOf(contract, path)) {
      if (--budget.steps < 0) break;
      const linkedAs = link(item, at);
      const isOwn = at.contract === contract;
      if (linkedAs.length === 0 && isOwn) onUnlinked?.(item);
      if (at.path === path && at.contract === undefined) linkedItems.add(item);
      for (const { key, text, enums } of linkedAs) {
        const derived = all.get(key);
        if (!derived) all.set(key, { text, enums, line: isOwn ? item.line : 0 });
        else if (!derived.enums.some(hasUnit))
          all.set(key, { ...derived, enums: [...derived.enums, ...enums.filter(hasUnit)] });
      }
    }
    const isLibrary = contract.kind === 'library';
    return {
      ...{ name: contract.name, line: contract.line, ...toAbi([...all.values()]) },
      ...(isLibrary && { isLibrary }),
    };
  }

  function toAbi(items: readonly LinedItem[]) {
    const enums = items.flatMap((item) => (item.enums.length > 0 ? [[item.text, item.enums] as const] : []));
    return {
      source: path,
      abi: items.map(({ text }) => text),
      itemLines: items.map(({ line }) => line),
      ...(enums.length > 0 && { enums: Object.fromEntries(enums) }),
    };
  }

  const isVyper = facts.language === 'vyper';
  const contracts = facts.contracts.slice(0, isVyper ? 1 : undefined).map(contractFacts);
  const rest = facts.items.filter((item) => !linkedItems.has(item));
  const linked = rest.flatMap((item) => {
    const linkedAs = link(item, { path, contract: undefined });
    if (linkedAs.length === 0) onUnlinked?.(item);
    return linkedAs.map(({ text, enums }) => ({ text, enums, line: item.line }));
  });
  if (linked.length === 0) return contracts;
  const name = getBaseName(path);
  return [...contracts, { name, line: undefined, ...toAbi(linked) }];
}

/** A function without units takes over the units of the function that it overrides, like the rest of NatSpec. */
const hasUnit = ({ unit }: EnumPlace) => unit !== undefined;

interface LinedItem extends Omit<LinkedItem, 'key'> {
  readonly line: number;
}

/** Resolves names in sources to ABI types. Caches what it finds: create one per state of the files. */
export interface SourceLinker {
  /**
   * Formats a declaration of the source at `at`; undefined if a type is not an ABI type or not found, or depends on an
   * unknown compiler.
   */
  formatItem(item: SourceItem, at: SourceLocation): AbiItemText | undefined;
  /** Whether an item of an ABI is this declaration. */
  isDeclarationOf(text: AbiItemText, item: SourceItem, at: SourceLocation): boolean;
  /** The declarations that an `emit` or `revert` refers to; several if the event is overloaded. */
  formatItems(use: SourceUse, at: SourceLocation): readonly AbiItemText[];
  itemsUsed(use: SourceUse, at: SourceLocation): readonly LocatedDeclaration[];
  /** All base contracts of a contract, direct or not, each once and without itself. */
  inherited: NameResolver['inherited'];
  /** The candidates for a contract's ABI: its own items, those that it inherits, then those that these use. */
  itemsOf(contract: SourceContract, path: string): Iterable<LocatedDeclaration>;
}

export interface LocatedDeclaration {
  readonly item: SourceItem;
  readonly at: SourceLocation;
}

/**
 * Creates a linker for single declarations.
 *
 * @example
 * const linker = createSourceLinker(files);
 * const texts = facts.items.map((item) => linker.formatItem(item, { path, contract: undefined }));
 */
export function createSourceLinker(files: SourceFiles): SourceLinker {
  const linking = createLink({ ...files, resolve: cacheImports(files.resolve) });
  const { names, link } = linking;
  return {
    formatItem(item, at) {
      const [linked, ...others] = link(item, at);
      return others.length === 0 ? linked?.text : undefined;
    },
    isDeclarationOf: (text, item, at) => link(item, at).some((linked) => linked.text === text),
    formatItems: (use, at) =>
      findUsedItems(use, at, names).flatMap((used) => link(used.item, used.at).map(({ text }) => text)),
    itemsUsed: (use, at) => findUsedItems(use, at, names),
    inherited: names.inherited,
    itemsOf: createItemLister(linking, { steps: MAX_STEPS }),
  };
}

/**
 * Calls `make` with a linker that reads only the files that names lead to. `make` runs again after each round of new files,
 * until it needs no more.
 *
 * @throws the signal's reason when it aborts, and what `read` and `make` throw.
 * @example await linkWithLoading((linker) => linker.formatItem(item, { path, contract }), { read, resolve, signal })
 */
export async function linkWithLoading<T>(
  make: (linker: SourceLinker) => T | Promise<T>,
  { read, resolve, signal }: LoadOptions,
): Promise<T> {
  const loaded = new Map<string, SourceFacts | undefined>();
  for (let round = 1; ; round++) {
    const requested = new Set<string>();
    const get = (path: string) => {
      if (!loaded.has(path)) requested.add(path);
      return loaded.get(path);
    };
    const result = await make(createSourceLinker({ get, resolve }));
    const paths = [...requested].slice(0, MAX_READS - loaded.size);
    if (paths.length === 0 || round === MAX_ROUNDS) return result;
    await forEachLimited(paths, async (path) => void loaded.set(path, await read(path)), {
      limit: MAX_CONCURRENT_READS,
    });
    signal?.throwIfAborted();
  }
}

interface LoadOptions {
  readonly resolve: SourceFiles['resolve'];
  /** Undefined if the file does not exist. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly signal?: AbortSignal | undefined;
}

function createLink(sourceFiles: SourceFiles) {
  const files = { ...sourceFiles, get: cacheByPath(sourceFiles.get) };
  const names = createNameResolver(files);
  const options = {
    names,
    getFacts: (path: string) => files.get(path),
    budget: { remainingChars: MAX_LINKED_CHARS, constants: new Map() },
  };
  const cache = new Map<SourceItem, readonly LinkedItem[]>();
  const link = (item: SourceItem, at: SourceLocation) => {
    const cached = cache.get(item) ?? linkItem(item, at, options);
    cache.set(item, cached);
    return cached;
  };
  return { files, names, link };
}

function cacheImports(resolve: SourceFiles['resolve']): SourceFiles['resolve'] {
  const cache = new Map<string, Map<string, readonly string[]>>();
  return (from, imported) => {
    const ofFile = cache.get(from) ?? new Map<string, readonly string[]>();
    cache.set(from, ofFile);
    const places = ofFile.get(imported) ?? resolve(from, imported);
    ofFile.set(imported, places);
    return places;
  };
}

/** Returns the same object for a path throughout a link: contracts are compared by identity. */
function cacheByPath(get: SourceFiles['get']): SourceFiles['get'] {
  const cache = new Map<string, SourceFacts | undefined>();
  return (path) => {
    const cached = cache.get(path);
    if (cached || cache.has(path)) return cached;
    const facts = get(path);
    cache.set(path, facts);
    return facts;
  };
}

function findUsedItems({ kind, name }: SourceUse, at: SourceLocation, names: NameResolver) {
  const found = names.find(name, at).filter((named) => named.kind === 'item');
  return found.filter(({ item }) => item.kind === kind);
}

/** Creates the `itemsOf` of a linker, which stops after the given number of steps. */
function createItemLister(
  { files, names }: { readonly files: SourceFiles; readonly names: NameResolver },
  budget: { steps: number },
): SourceLinker['itemsOf'] {
  const findUses = createUseLookup(files);
  const follow = createCallFollower({ files, names });
  const listModuleItems = createModuleLister(names);
  return function* itemsOf(contract, path) {
    const lineage = [{ contract, path }, ...names.inherited(contract, path)];
    if (contract.exports) yield* listModuleItems({ contract, path });
    else {
      for (const at of lineage) {
        for (const item of at.contract.items) yield { item, at };
      }
    }
    for (const at of lineage) {
      for (const use of findUses(at)) {
        if (--budget.steps < 0) return;
        yield* findUsedItems(use, at, names);
      }
    }
    for (const { at, body } of follow(lineage, budget)) {
      for (const use of findUses({ ...at, body })) {
        if (--budget.steps < 0) return;
        yield* findUsedItems(use, at, names);
      }
    }
  };
}

/**
 * Lists the items of a Vyper file, and the functions that it exports of its modules. A module has events only if it logs
 * them. https://docs.vyperlang.org/en/latest/using-modules.html#exporting-functions
 */
function createModuleLister(names: NameResolver): (at: LocatedContract) => readonly LocatedDeclaration[] {
  const cache = new Map<SourceContract, readonly LocatedDeclaration[]>();

  function listItems(at: LocatedContract): readonly LocatedDeclaration[] {
    const { contract, path } = at;
    const cached = cache.get(contract);
    if (cached) return cached;
    // An empty list ends a cycle.
    cache.set(contract, []);
    const all = new Map<SourceItem, LocatedDeclaration>(contract.items.map((item) => [item, { item, at }]));
    for (const name of contract.exports ?? []) {
      const dot = name.lastIndexOf('.');
      const [module] = names.find(name.slice(0, dot), { path, contract: undefined });
      const [exporting] = module ? names.findModule(module) : [];
      const wanted = exporting && findExportedNames(name.slice(dot + 1), exporting, names);
      for (const declared of exporting ? listItems(exporting) : []) {
        const { item } = declared;
        if (all.size >= MAX_MODULE_ITEMS) break;
        if (item.kind === 'function' && (!wanted || wanted.has(item.name))) all.set(item, declared);
      }
    }
    const items = [...all.values()];
    cache.set(contract, items);
    return items;
  }

  return listItems;
}

/** Undefined for all functions: of the module's own interface, or of one whose functions no source of the project has. */
function findExportedNames(
  name: string,
  { path }: LocatedContract,
  names: NameResolver,
): ReadonlySet<string> | undefined {
  if (name === '__interface__') return undefined;
  const [found] = names.find(name, { path, contract: undefined });
  if (!found) return new Set([name]);
  const [exported] = found.kind === 'contract' ? [found] : names.findModule(found);
  const items = exported?.contract.items ?? [];
  return items.length === 0 ? undefined : new Set(items.map((item) => item.name));
}

interface LocatedContract {
  readonly contract: SourceContract;
  readonly path: string;
}

interface UsePlace extends SourceLocation {
  /** Only what this function does; by default all that the contract does. */
  readonly body?: SourceFunction;
}

/** Finds what contracts and functions emit and revert with; each file is scanned once. */
function createUseLookup(files: SourceFiles): (at: UsePlace) => readonly SourceUse[] {
  const groups = new Map<string, ReadonlyMap<string, readonly SourceUse[]>>();

  function groupUses({ uses = [] }: Partial<SourceFacts>): ReadonlyMap<string, readonly SourceUse[]> {
    const group = new Map<string, SourceUse[]>();
    for (const use of uses) {
      const keys = use.function === undefined ? [''] : ['', use.function];
      for (const key of keys.map((name) => `${use.contract ?? ''} ${name}`)) {
        const list = group.get(key);
        if (list) list.push(use);
        else group.set(key, [use]);
      }
    }
    return group;
  }

  return ({ path, contract, body }) => {
    const facts = files.get(path);
    const group = groups.get(path) ?? groupUses(facts ?? {});
    groups.set(path, group);
    const index = contract ? (facts?.contracts.indexOf(contract) ?? -1) : '';
    return group.get(`${index} ${body?.name ?? ''}`) ?? [];
  };
}

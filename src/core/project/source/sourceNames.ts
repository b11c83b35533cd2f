import { type Budget, createBudget } from '../../base/timeSlices.ts';
import { addToList } from '../../base/values.ts';
import {
  MAX_LINKED_FILES,
  type SourceContract,
  type SourceFacts,
  type SourceFunction,
  type SourceImport,
  type SourceItem,
  type SourceScope,
  type SourceType,
} from './declarations.ts';

export interface NameResolver {
  /** Everything that a name may refer to, with or without dots; several if an event or error is overloaded. */
  find(name: string, at: SourceLocation): readonly ResolvedName[];
  findModule(named: ResolvedName): readonly { readonly contract: SourceContract; readonly path: string }[];
  /** All base contracts of a contract, direct or not, each once and without itself. */
  inherited(
    contract: SourceContract,
    path: string,
  ): readonly { readonly contract: SourceContract; readonly path: string }[];
  /** A file and all files that it imports, directly or not. */
  listImported(path: string): readonly string[];
}

export interface SourceFiles {
  /** Undefined if the file does not exist. */
  get(path: string): SourceFacts | undefined;
  /** The paths at which the file that `from` imports may be, the best first. It is called often. */
  resolve(from: string, imported: string): readonly string[];
  /** Pays for the searches of several links. */
  readonly budget?: Budget | undefined;
}

/** The scope of a name: a contract in a file, or the file outside of contracts. */
export interface SourceLocation {
  readonly path: string;
  readonly contract: SourceContract | undefined;
}

/** A resolved name and its declaration. `path` of a file is undefined if it is imported but does not exist. */
export type ResolvedName =
  | { readonly kind: 'type'; readonly type: SourceType; readonly at: SourceLocation }
  | { readonly kind: 'item'; readonly item: SourceItem; readonly at: SourceLocation }
  | { readonly kind: 'contract'; readonly contract: SourceContract; readonly path: string }
  | { readonly kind: 'function'; readonly body: SourceFunction; readonly at: SourceLocation }
  | { readonly kind: 'file'; readonly path: string | undefined };

/** Searches of files and contracts during one link: in hostile sources each name may search each file. */
const MAX_SEARCHES = 100_000;
/** Imports that are followed during one link to list what a file imports, for each file that calls a function. */
const MAX_LISTED_IMPORTS = 400_000;

/**
 * Resolves names as Solidity does: in the contract and what it inherits, in the file, in its imports, and so on. Cycles of
 * files and contracts are cut.
 */
export function createNameResolver({ get, resolve, budget }: SourceFiles): NameResolver {
  const namesCache = new Map<string, readonly ResolvedName[]>();
  const basesCache = new Map<SourceContract, readonly Contract[]>();
  const inheritedCache = new Map<SourceContract, readonly Contract[]>();
  const importedCache = new Map<string, readonly string[]>();
  const listings = createBudget(MAX_LISTED_IMPORTS);
  let searchCount = 0;

  interface Contract {
    readonly contract: SourceContract;
    readonly path: string;
  }

  function resolveImport(from: string, imported: string): string | undefined {
    return resolve(from, imported).find((path) => get(path) !== undefined);
  }

  /** Resolves a name that an import declares explicitly; undefined if it does not. */
  function findImported(
    path: string,
    imported: SourceImport,
    search: Search,
  ): readonly ResolvedName[] | undefined {
    const { path: written, as, names } = imported;
    if (as === search.name) return [{ kind: 'file', path: resolveImport(path, written) }];
    const pair = names?.find(([, name]) => name === search.name);
    return pair && findInFile(resolveImport(path, written), { ...search, name: pair[0] });
  }

  function findInFile(path: string | undefined, search: Search): readonly ResolvedName[] {
    const key = search.name === search.first ? path : `${path}\n${search.name}`;
    if (key === undefined || search.seen.has(key) || search.seen.size > MAX_LINKED_FILES) return [];
    const facts = path === undefined ? undefined : get(path);
    if (path === undefined || !facts) return [];
    search.seen.add(key);
    const cost = 1 + facts.imports.length;
    searchCount += cost;
    if (searchCount > MAX_SEARCHES || budget?.pay(cost) === false) return [];
    const own = findDeclared(facts, search.name, { path, contract: undefined });
    if (own.length > 0) return own;
    for (const each of facts.imports) {
      const names = findImported(path, each, search);
      if (names) return names;
    }
    for (const { path: written, as, names } of facts.imports) {
      const resolved = as === undefined && !names ? findInFile(resolveImport(path, written), search) : [];
      if (resolved.length > 0) return resolved;
    }
    return [];
  }

  function findBases({ contract, path }: Contract): readonly Contract[] {
    const cached = basesCache.get(contract);
    if (cached) return cached;
    // An empty list ends a cycle.
    basesCache.set(contract, []);
    const all = contract.bases.flatMap((name) => find(name, { path, contract: undefined }));
    const bases = all.flatMap((named) => (named.kind === 'contract' ? [named] : findModule(named)));
    basesCache.set(contract, bases);
    return bases;
  }

  /** The contract of an imported Vyper file. */
  function findModule(named: ResolvedName): readonly Contract[] {
    const path = named.kind === 'file' ? named.path : undefined;
    const facts = path === undefined ? undefined : get(path);
    const [contract] = facts?.language === 'vyper' ? facts.contracts : [];
    return path !== undefined && contract ? [{ contract, path }] : [];
  }

  function inherited(contract: SourceContract, path: string): readonly Contract[] {
    const cached = inheritedCache.get(contract);
    if (cached) return cached;
    const all = new Map([[contract, { contract, path }]]);
    for (const each of all.values()) {
      for (const base of findBases(each)) {
        if (all.size <= MAX_LINKED_FILES) all.set(base.contract, base);
      }
    }
    const inheritedContracts = [...all.values()].slice(1);
    inheritedCache.set(contract, inheritedContracts);
    return inheritedContracts;
  }

  function findInContract(contract: SourceContract, path: string, name: string): readonly ResolvedName[] {
    const own = findDeclared(contract, name, { path, contract });
    if (own.some(({ kind }) => kind !== 'item') || searchCount > MAX_SEARCHES) return own;
    const others = inherited(contract, path).flatMap((base) => {
      searchCount++;
      return findDeclared(base.contract, name, base);
    });
    return [...own, ...others];
  }

  function findMember(named: ResolvedName, name: string): readonly ResolvedName[] {
    if (named.kind === 'contract') return findInContract(named.contract, named.path, name);
    return named.kind === 'file' ? findInFile(named.path, { name, first: name, seen: new Set() }) : [];
  }

  function resolveName(name: string, { path, contract }: SourceLocation): readonly ResolvedName[] {
    const [first = '', ...rest] = name.split('.');
    const here = contract ? findInContract(contract, path, first) : [];
    let all = here.length > 0 ? here : findInFile(path, { name: first, first, seen: new Set() });
    for (const part of rest) all = all.flatMap((named) => findMember(named, part));
    return all;
  }

  function find(name: string, at: SourceLocation): readonly ResolvedName[] {
    const key = `${at.path}\n${at.contract?.offset ?? ''}\n${name}`;
    const cached = namesCache.get(key);
    if (cached) return cached;
    const resolved = resolveName(name, at);
    namesCache.set(key, resolved);
    return resolved;
  }

  function listImported(path: string): readonly string[] {
    const cached = importedCache.get(path);
    if (cached) return cached;
    const paths = new Set([path]);
    for (const each of paths) {
      const imports = get(each)?.imports ?? [];
      if (!listings.pay(imports.length)) break;
      for (const { path: written } of imports) {
        const imported = resolveImport(each, written);
        if (imported !== undefined && paths.size < MAX_LINKED_FILES) paths.add(imported);
      }
    }
    const imported = [...paths];
    importedCache.set(path, imported);
    return imported;
  }

  return { find, findModule, inherited, listImported };
}

interface Search {
  readonly name: string;
  /** The name at the start of the search; an import may have renamed it. */
  readonly first: string;
  readonly seen: Set<string>;
}

type Entry =
  | { readonly body: SourceFunction }
  | { readonly type: SourceType }
  | { readonly item: SourceItem }
  | { readonly contract: SourceContract };

const indexes = new WeakMap<SourceScope, ReadonlyMap<string, readonly Entry[]>>();

/** The declarations of a name in a file or contract itself. */
function findDeclared(
  scope: SourceScope | SourceFacts,
  name: string,
  at: SourceLocation,
): readonly ResolvedName[] {
  const index = indexes.get(scope) ?? createNameIndex(scope);
  indexes.set(scope, index);
  return (index.get(name) ?? []).map((entry) => {
    if ('type' in entry) return { kind: 'type', type: entry.type, at };
    if ('body' in entry) return { kind: 'function', body: entry.body, at };
    if ('contract' in entry) return { kind: 'contract', contract: entry.contract, path: at.path };
    return { kind: 'item', item: entry.item, at };
  });
}

function createNameIndex(scope: SourceScope | SourceFacts): ReadonlyMap<string, readonly Entry[]> {
  const index = new Map<string, Entry[]>();
  const add = (name: string, entry: Entry) => addToList(index, name, entry);
  for (const type of scope.types) add(type.name, { type });
  for (const body of scope.functions ?? []) if (body.name !== '') add(body.name, { body });
  const contracts = 'contracts' in scope ? scope.contracts : [];
  const [module] = 'language' in scope && scope.language === 'vyper' ? contracts : [];
  for (const contract of contracts) if (contract !== module) add(contract.name, { contract });
  for (const item of [...scope.items, ...(module?.items ?? [])]) {
    if (item.kind !== 'function') add(item.name, { item });
  }
  return index;
}

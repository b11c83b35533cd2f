import {
  MAX_LINKED_FILES,
  type SourceContract,
  type SourceFacts,
  type SourceImport,
  type SourceItem,
  type SourceScope,
  type SourceType,
} from './declarations.ts';

/** Sources of a project, by path. */
export interface SourceFiles {
  /** Undefined where there is no such file. */
  get(path: string): SourceFacts | undefined;
  /** The paths at which the file may be that `from` imports, the best first. */
  resolve(from: string, imported: string): readonly string[];
}

export interface NameResolver {
  /** All that a name with or without dots may stand for; more than one where an event or error is overloaded. */
  find(name: string, at: SourceLocation): readonly ResolvedName[];
  /** What a contract inherits, directly or not, each once and never itself. */
  inherited(
    contract: SourceContract,
    path: string,
  ): readonly { readonly contract: SourceContract; readonly path: string }[];
}

/** Looks into a file or contract for all names of one link: sources of others may make each name look into each file. */
const MAX_LOOKUPS = 100_000;

/**
 * Finds names as Solidity does: in the contract and what it inherits, in the file, in what that imports, and so on.
 * Files and contracts that go round in a circle end there.
 */
export function createNameResolver({ get, resolve }: SourceFiles): NameResolver {
  const found = new Map<string, readonly ResolvedName[]>();
  const files = new Map<string, Map<string, string | undefined>>();
  const bases = new Map<SourceContract, readonly Contract[]>();
  const inheritance = new Map<SourceContract, readonly Contract[]>();
  let looks = 0;

  interface Contract {
    readonly contract: SourceContract;
    readonly path: string;
  }

  function fileOf(from: string, imported: string): string | undefined {
    const known = files.get(from) ?? new Map<string, string | undefined>();
    files.set(from, known);
    if (!known.has(imported)) {
      known.set(
        imported,
        resolve(from, imported).find((path) => get(path) !== undefined),
      );
    }
    return known.get(imported);
  }

  /** What an import calls by the name; undefined where it calls nothing so. */
  function called(path: string, imported: SourceImport, search: Search): readonly ResolvedName[] | undefined {
    const { path: written, as, names } = imported;
    if (as === search.name) return [{ kind: 'file', path: fileOf(path, written) }];
    const pair = names?.find(([, name]) => name === search.name);
    return pair && inFile(fileOf(path, written), { ...search, name: pair[0] });
  }

  function inFile(path: string | undefined, search: Search): readonly ResolvedName[] {
    const key = search.name === search.first ? path : `${path}\n${search.name}`;
    if (key === undefined || search.seen.has(key) || search.seen.size > MAX_LINKED_FILES) return [];
    const facts = path === undefined ? undefined : get(path);
    if (path === undefined || !facts) return [];
    search.seen.add(key);
    looks += 1 + facts.imports.length;
    if (looks > MAX_LOOKUPS) return [];
    const own = findDeclared(facts, search.name, { path, contract: undefined });
    if (own.length > 0) return own;
    for (const each of facts.imports) {
      const there = called(path, each, search);
      if (there) return there;
    }
    for (const { path: written, as, names } of facts.imports) {
      const there = as === undefined && !names ? inFile(fileOf(path, written), search) : [];
      if (there.length > 0) return there;
    }
    return [];
  }

  function basesOf({ contract, path }: Contract): readonly Contract[] {
    const known = bases.get(contract);
    if (known) return known;
    bases.set(contract, []);
    const all = contract.bases.flatMap((name) => find(name, { path, contract: undefined }));
    const made = all.filter((named) => named.kind === 'contract');
    bases.set(contract, made);
    return made;
  }

  function inherited(contract: SourceContract, path: string): readonly Contract[] {
    const known = inheritance.get(contract);
    if (known) return known;
    const all = new Map([[contract, { contract, path }]]);
    for (const each of all.values()) {
      for (const base of basesOf(each)) {
        if (all.size <= MAX_LINKED_FILES) all.set(base.contract, base);
      }
    }
    const made = [...all.values()].slice(1);
    inheritance.set(contract, made);
    return made;
  }

  function inContract(contract: SourceContract, path: string, name: string): readonly ResolvedName[] {
    const own = findDeclared(contract, name, { path, contract });
    if (own.some(({ kind }) => kind !== 'item') || looks > MAX_LOOKUPS) return own;
    const others = inherited(contract, path).flatMap((base) => {
      looks++;
      return findDeclared(base.contract, name, base);
    });
    return [...own, ...others];
  }

  function inside(named: ResolvedName, name: string): readonly ResolvedName[] {
    if (named.kind === 'contract') return inContract(named.contract, named.path, name);
    return named.kind === 'file' ? inFile(named.path, { name, first: name, seen: new Set() }) : [];
  }

  function search(name: string, { path, contract }: SourceLocation): readonly ResolvedName[] {
    const [first = '', ...rest] = name.split('.');
    const here = contract ? inContract(contract, path, first) : [];
    let all = here.length > 0 ? here : inFile(path, { name: first, first, seen: new Set() });
    for (const part of rest) all = all.flatMap((named) => inside(named, part));
    return all;
  }

  function find(name: string, at: SourceLocation): readonly ResolvedName[] {
    const key = `${at.path}\n${at.contract?.offset ?? ''}\n${name}`;
    const known = found.get(key);
    if (known) return known;
    const made = search(name, at);
    found.set(key, made);
    return made;
  }

  return { find, inherited };
}

interface Search {
  readonly name: string;
  /** The name where the search began: an import may call it by another one. */
  readonly first: string;
  /** Files in which a name has been looked for. */
  readonly seen: Set<string>;
}

/** Where a name stands: in a contract of a file, or in the file alone. */
export interface SourceLocation {
  readonly path: string;
  readonly contract: SourceContract | undefined;
}

/** What a name stands for, and where it is declared. A file: undefined where it is imported and not there. */
export type ResolvedName =
  | { readonly kind: 'type'; readonly type: SourceType; readonly at: SourceLocation }
  | { readonly kind: 'item'; readonly item: SourceItem; readonly at: SourceLocation }
  | { readonly kind: 'contract'; readonly contract: SourceContract; readonly path: string }
  | { readonly kind: 'file'; readonly path: string | undefined };

type Entry =
  | { readonly type: SourceType }
  | { readonly item: SourceItem }
  | { readonly contract: SourceContract };

const indexes = new WeakMap<SourceScope, ReadonlyMap<string, readonly Entry[]>>();

/** What a file or contract itself declares under a name. */
function findDeclared(
  scope: SourceScope | SourceFacts,
  name: string,
  at: SourceLocation,
): readonly ResolvedName[] {
  const index = indexes.get(scope) ?? indexOf(scope);
  indexes.set(scope, index);
  return (index.get(name) ?? []).map((entry) => {
    if ('type' in entry) return { kind: 'type', type: entry.type, at };
    if ('contract' in entry) return { kind: 'contract', contract: entry.contract, path: at.path };
    return { kind: 'item', item: entry.item, at };
  });
}

function indexOf(scope: SourceScope | SourceFacts): ReadonlyMap<string, readonly Entry[]> {
  const index = new Map<string, Entry[]>();
  const add = (name: string, entry: Entry) => index.set(name, [...(index.get(name) ?? []), entry]);
  for (const type of scope.types) add(type.name, { type });
  const contracts = 'contracts' in scope ? scope.contracts : [];
  const [module] = 'language' in scope && scope.language === 'vyper' ? contracts : [];
  for (const contract of contracts) if (contract !== module) add(contract.name, { contract });
  for (const item of [...scope.items, ...(module?.items ?? [])]) {
    if (item.kind !== 'function') add(item.name, { item });
  }
  return index;
}

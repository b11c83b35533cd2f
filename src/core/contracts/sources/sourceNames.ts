import { MOST_LINKED_FILES } from './limits.ts';
import type {
  SourceContract,
  SourceFacts,
  SourceImport,
  SourceItem,
  SourceScope,
  SourceType,
} from './sourceFacts.ts';

/** Sources of a project, by path. */
export interface SourceFiles {
  /** Undefined where there is no such file. */
  get(path: string): SourceFacts | undefined;
  /** The paths at which the file may be that `from` imports, the best first. */
  resolve(from: string, imported: string): readonly string[];
}

/** Where a name stands: in a contract of a file, or in the file alone. */
export interface SourceAt {
  readonly path: string;
  readonly contract: SourceContract | undefined;
}

/** What a name stands for, and where it is declared. A file: undefined where it is imported and not there. */
export type Named =
  | { readonly kind: 'type'; readonly type: SourceType; readonly at: SourceAt }
  | { readonly kind: 'item'; readonly item: SourceItem; readonly at: SourceAt }
  | { readonly kind: 'contract'; readonly contract: SourceContract; readonly path: string }
  | { readonly kind: 'file'; readonly path: string | undefined };

export interface SourceNames {
  /** All that a name with or without dots may stand for; more than one where an event or error is overloaded. */
  find(name: string, at: SourceAt): readonly Named[];
  /** What a contract inherits, directly or not, each once and never itself. */
  inherited(
    contract: SourceContract,
    path: string,
  ): readonly { readonly contract: SourceContract; readonly path: string }[];
}

/** Looks into a file or contract for all names of one link: sources of others may make each name look into each file. */
const MOST_LOOKS = 200_000;

/**
 * Finds names as Solidity does: in the contract and what it inherits, in the file, in what that imports, and so on.
 * Files and contracts that go round in a circle end there.
 */
export function createSourceNames({ get, resolve }: SourceFiles): SourceNames {
  const found = new Map<string, readonly Named[]>();
  const files = new Map<string, string | undefined>();
  const bases = new Map<SourceContract, readonly Contract[]>();
  let looks = 0;

  interface Contract {
    readonly contract: SourceContract;
    readonly path: string;
  }

  function fileOf(from: string, imported: string): string | undefined {
    const key = `${from}\n${imported}`;
    if (!files.has(key))
      files.set(
        key,
        resolve(from, imported).find((path) => get(path) !== undefined),
      );
    return files.get(key);
  }

  function imported(
    path: string,
    { path: written, as, names }: SourceImport,
    search: Search,
  ): readonly Named[] {
    if (as !== undefined) {
      return as === search.name ? [{ kind: 'file', path: fileOf(path, written) }] : [];
    }
    const pair = names?.find(([, called]) => called === search.name);
    if (names && !pair) return [];
    const file = fileOf(path, written);
    if (file === undefined) return [];
    return inFile(file, { ...search, name: pair?.[0] ?? search.name });
  }

  function inFile(path: string, search: Search): readonly Named[] {
    const key = `${path}\n${search.name}`;
    const facts = get(path);
    if (!facts || search.seen.has(key) || search.seen.size > MOST_LINKED_FILES || ++looks > MOST_LOOKS)
      return [];
    search.seen.add(key);
    const own = declared(facts, search.name, { path, contract: undefined });
    if (own.length > 0) return own;
    for (const each of facts.imports) {
      const there = imported(path, each, search);
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
    const all = new Map([[contract, { contract, path }]]);
    for (const each of all.values()) {
      for (const base of basesOf(each)) {
        if (all.size <= MOST_LINKED_FILES) all.set(base.contract, base);
      }
    }
    return [...all.values()].slice(1);
  }

  function inContract(contract: SourceContract, path: string, name: string): readonly Named[] {
    const own = declared(contract, name, { path, contract });
    if (own.some(({ kind }) => kind !== 'item')) return own;
    const others = inherited(contract, path).flatMap((base) => {
      looks++;
      return declared(base.contract, name, base);
    });
    return [...own, ...others];
  }

  function inside(named: Named, name: string): readonly Named[] {
    if (named.kind === 'contract') return inContract(named.contract, named.path, name);
    return named.kind === 'file' && named.path !== undefined
      ? inFile(named.path, { name, seen: new Set() })
      : [];
  }

  function search(name: string, { path, contract }: SourceAt): readonly Named[] {
    const [first = '', ...rest] = name.split('.');
    const here = contract && looks < MOST_LOOKS ? inContract(contract, path, first) : [];
    let all = here.length > 0 ? here : inFile(path, { name: first, seen: new Set() });
    for (const part of rest) all = all.flatMap((named) => inside(named, part));
    return all;
  }

  function find(name: string, at: SourceAt): readonly Named[] {
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
  /** Files in which a name has been looked for. */
  readonly seen: Set<string>;
}

type Entry =
  | { readonly type: SourceType }
  | { readonly item: SourceItem }
  | { readonly contract: SourceContract };

const indexes = new WeakMap<SourceScope, ReadonlyMap<string, readonly Entry[]>>();

/** What a file or contract itself declares under a name. */
function declared(scope: SourceScope | SourceFacts, name: string, at: SourceAt): readonly Named[] {
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

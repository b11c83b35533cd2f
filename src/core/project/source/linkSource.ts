import type { AbiItemText } from '../../abi/item.ts';
import { forEachLimited } from '../../base/concurrency.ts';
import { getBaseName } from '../layout.ts';
import type { ContractFacts } from '../readers/facts.ts';
import {
  MAX_LINKED_CHARS,
  type SourceContract,
  type SourceFacts,
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
 * Items and uses that are looked at for the contracts of a file, with all that each inherits: known contracts have up to
 * 300, known files up to 50 contracts.
 */
const MAX_STEPS = 100_000;

/** Resolves the names of sources to types of the ABI. What it has found it keeps: made for one state of the files. */
export interface SourceLinker {
  /** A declaration of the source at `at`; undefined where it has a type that is none of the ABI or is not found. */
  formatItem(item: SourceItem, at: SourceLocation): AbiItemText | undefined;
  /** What an `emit` or `revert` names; several where the event is overloaded. */
  formatItems(use: SourceUse, at: SourceLocation): readonly AbiItemText[];
  /** Where that is declared. */
  itemsUsed(use: SourceUse, at: SourceLocation): readonly LocatedDeclaration[];
  /** What a contract of the source at `path` inherits, directly or not, each once and never itself. */
  inherited: NameResolver['inherited'];
  /** What may be in the ABI of a contract of the source at `path`: its own, what it inherits, then what these use. */
  itemsOf(contract: SourceContract, path: string): Iterable<LocatedDeclaration>;
}

/** A declaration, and what it stands in. */
export interface LocatedDeclaration {
  readonly item: SourceItem;
  readonly at: SourceLocation;
}

/**
 * A linker for single declarations.
 *
 * @example
 * const linker = createSourceLinker(files);
 * const texts = facts.items.map((item) => linker.textOf(item, { path, contract: undefined }));
 */
export function createSourceLinker(files: SourceFiles): SourceLinker {
  const made = createLink(files);
  const { names, link } = made;
  return {
    formatItem: (item, at) => link(item, at)?.text,
    formatItems: (use, at) =>
      findUsedItems(use, at, names).flatMap((used) => link(used.item, used.at)?.text ?? []),
    itemsUsed: (use, at) => findUsedItems(use, at, names),
    inherited: names.inherited,
    itemsOf: createItemLister(made, { steps: MAX_STEPS }),
  };
}

function createLink(given: SourceFiles) {
  const files = { get: cacheByPath(given.get), resolve: given.resolve };
  const names = createNameResolver(files);
  const options = {
    names,
    getLanguage: (path: string) => files.get(path)?.language,
    budget: { remainingChars: MAX_LINKED_CHARS, constants: new Map() },
  };
  const known = new Map<SourceItem, LinkedItem | undefined>();
  const link = (item: SourceItem, at: SourceLocation) => {
    if (!known.has(item)) known.set(item, linkItem(item, at, options));
    return known.get(item);
  };
  return { files, names, link };
}

/** Contracts are told apart as objects: each file has to be the same ones through a whole link. */
function cacheByPath(get: SourceFiles['get']): SourceFiles['get'] {
  const known = new Map<string, SourceFacts | undefined>();
  return (path) => {
    const before = known.get(path);
    if (before || known.has(path)) return before;
    const facts = get(path);
    known.set(path, facts);
    return facts;
  };
}

function findUsedItems({ kind, name }: SourceUse, at: SourceLocation, names: NameResolver) {
  const found = names.find(name, at).filter((named) => named.kind === 'item');
  return found.filter(({ item }) => item.kind === kind);
}

/**
 * The contracts of a source with the events, errors and functions of their ABI: their own, those that they inherit, and
 * events and errors from elsewhere that they or what they inherit emit and revert with. In `itemLines` those of another
 * contract or file have line 0, as it is another file's. Functions that the compiler makes of public variables are not
 * among them. Events and errors outside of contracts that none of the file's contracts has are a contract of their own,
 * without a line and named like the file, `Errors.sol`.
 *
 * @param leftOut is told each item with a type that is none of the ABI or is not found.
 * @example linkSource('src/Vault.sol', { get: (path) => facts.get(path), resolve })
 */
export function linkSource(
  path: string,
  given: SourceFiles,
  leftOut?: (item: SourceItem) => void,
): readonly ContractFacts[] {
  const { files, names, link } = createLink(given);
  const facts = files.get(path);
  if (!facts) return [];
  const taken = new Set<SourceItem>();
  const room = { steps: MAX_STEPS };
  const itemsOf = createItemLister({ files, names }, room);

  function contractFacts(contract: SourceContract): ContractFacts {
    const all = new Map<string, { readonly text: AbiItemText; readonly line: number }>();
    for (const { item, at } of itemsOf(contract, path)) {
      if (--room.steps < 0) break;
      const linked = link(item, at);
      const isOwn = at.contract === contract;
      if (!linked && isOwn) leftOut?.(item);
      if (at.path === path && at.contract === undefined) taken.add(item);
      if (linked && !all.has(linked.key)) {
        all.set(linked.key, { text: linked.text, line: isOwn ? item.line : 0 });
      }
    }
    return { name: contract.name, line: contract.line, ...abiOf([...all.values()]) };
  }

  function abiOf(items: readonly { readonly text: AbiItemText; readonly line: number }[]) {
    return { source: path, abi: items.map(({ text }) => text), itemLines: items.map(({ line }) => line) };
  }

  const isVyper = facts.language === 'vyper';
  const contracts = facts.contracts.slice(0, isVyper ? 1 : undefined).map(contractFacts);
  const rest = facts.items.filter((item) => !taken.has(item));
  const linked = rest.flatMap((item) => {
    const { text } = link(item, { path, contract: undefined }) ?? {};
    if (text === undefined) leftOut?.(item);
    return text === undefined ? [] : [{ text, line: item.line }];
  });
  if (linked.length === 0) return contracts;
  const name = getBaseName(path);
  return [...contracts, { name, line: undefined, ...abiOf(linked) }];
}

/** Gives what may be in the ABI of contracts, in as many steps as there is room for. */
function createItemLister(
  { files, names }: { readonly files: SourceFiles; readonly names: NameResolver },
  room: { steps: number },
): SourceLinker['itemsOf'] {
  const usesOf = createUseLookup(files);
  return function* itemsOf(contract, path) {
    const line = [{ contract, path }, ...names.inherited(contract, path)];
    for (const at of line) {
      for (const item of at.contract.items) {
        if (item.kind !== 'function' || at.contract.kind !== 'library') yield { item, at };
      }
    }
    for (const at of line) {
      for (const use of usesOf(at)) {
        if (--room.steps < 0) return;
        yield* findUsedItems(use, at, names);
      }
    }
  };
}

/** Gives what contracts emit and revert with; each file is gone through once. */
function createUseLookup(files: SourceFiles) {
  const groups = new Map<string, readonly SourceUse[][]>();
  return ({ path, contract }: { readonly path: string; readonly contract: SourceContract }) => {
    const facts = files.get(path);
    const known = groups.get(path) ?? facts?.contracts.map((): SourceUse[] => []) ?? [];
    if (!groups.has(path)) for (const use of facts?.uses ?? []) known[use.contract ?? -1]?.push(use);
    groups.set(path, known);
    return known[facts?.contracts.indexOf(contract) ?? -1] ?? [];
  };
}

/** Files that are looked for: each import has several places where its file may be. */
const MAX_READS = 2_000;
/** Imports of imports; what is further away is not found. */
const MAX_ROUNDS = 32;
const MAX_CONCURRENT_READS = 8;

interface Loading {
  readonly resolve: SourceFiles['resolve'];
  /** Undefined where there is no such file. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What `make` makes with a linker over files of which only those are read that a name leads to. It is called again as
 * long as it has asked for files that had not been read.
 *
 * @throws the signal's reason when it aborts, and what `read` and `make` throw.
 * @example await linkWithLoading((linker) => linker.textOf(item, { path, contract }), { read, resolve, signal })
 */
export async function linkWithLoading<T>(
  make: (linker: SourceLinker) => T | Promise<T>,
  { read, resolve, signal }: Loading,
): Promise<T> {
  const known = new Map<string, SourceFacts | undefined>();
  for (let round = 1; ; round++) {
    const asked = new Set<string>();
    const get = (path: string) => {
      if (!known.has(path)) asked.add(path);
      return known.get(path);
    };
    const made = await make(createSourceLinker({ get, resolve }));
    const wanted = [...asked].slice(0, MAX_READS - known.size);
    if (wanted.length === 0 || round === MAX_ROUNDS) return made;
    await forEachLimited(wanted, async (path) => void known.set(path, await read(path)), {
      limit: MAX_CONCURRENT_READS,
    });
    signal?.throwIfAborted();
  }
}

import type { AbiItemText } from '../../abi/abiItem.ts';
import type { ContractFacts } from '../facts.ts';
import { type LinkedItem, linkItem } from './linkTypes.ts';
import type { SourceContract, SourceItem, SourceUse } from './sourceFacts.ts';
import { createSourceNames, type SourceAt, type SourceFiles, type SourceNames } from './sourceNames.ts';

/** Items of a contract, with all that it inherits: the largest of known contracts have 300. */
const MOST_ITEMS = 4_000;

/** Resolves the names of sources to types of the ABI. What it has found it keeps: made for one state of the files. */
export interface SourceLinker {
  /** A declaration of the source at `at`; undefined where it has a type that is none of the ABI or is not found. */
  textOf(item: SourceItem, at: SourceAt): AbiItemText | undefined;
  /** What an `emit` or `revert` names; several where the event is overloaded. */
  textsOf(use: SourceUse, at: SourceAt): readonly AbiItemText[];
}

/**
 * A linker for single declarations.
 *
 * @example
 * const linker = createSourceLinker(files);
 * const texts = facts.items.map((item) => linker.textOf(item, { path, contract: undefined }));
 */
export function createSourceLinker(files: SourceFiles): SourceLinker {
  const { names, link } = createLink(files);
  return {
    textOf: (item, at) => link(item, at)?.text,
    textsOf: (use, at) => usedItems(use, at, names).flatMap((used) => link(used.item, used.at)?.text ?? []),
  };
}

function createLink(files: SourceFiles) {
  const names = createSourceNames(files);
  const options = { names, languageOf: (path: string) => files.get(path)?.language };
  const known = new Map<SourceItem, LinkedItem | undefined>();
  const link = (item: SourceItem, at: SourceAt) => {
    if (!known.has(item)) known.set(item, linkItem(item, at, options));
    return known.get(item);
  };
  return { names, link };
}

function usedItems({ kind, name }: SourceUse, at: SourceAt, names: SourceNames) {
  return names
    .find(name, at)
    .filter((named) => named.kind === 'item' && named.item.kind === kind) as readonly {
    readonly item: SourceItem;
    readonly at: SourceAt;
  }[];
}

/**
 * The contracts of a source with the events, errors and functions of their ABI: their own, those that they inherit, and
 * events and errors from elsewhere that they or what they inherit emit and revert with. In `itemLines` those of another
 * contract or file have line 0, as it is another file's. Functions that the compiler makes of public variables are not
 * among them. Events and errors outside of contracts that none of the file's contracts has are a contract of their own,
 * named like the file and without a line.
 *
 * @param leftOut is told each item with a type that is none of the ABI or is not found.
 * @example linkSource('src/Vault.sol', { get: (path) => facts.get(path), resolve })
 */
export function linkSource(
  path: string,
  files: SourceFiles,
  leftOut?: (item: SourceItem) => void,
): readonly ContractFacts[] {
  const facts = files.get(path);
  if (!facts) return [];
  const { names, link } = createLink(files);
  const taken = new Set<SourceItem>();

  function contractFacts(contract: SourceContract): ContractFacts {
    const own = { contract, path };
    const all = new Map<string, { readonly text: AbiItemText; readonly line: number }>();
    const add = (item: SourceItem, at: SourceAt) => {
      const linked = link(item, at);
      const isOwn = at.contract === contract;
      if (!linked && isOwn) leftOut?.(item);
      if (at.path === path && at.contract === undefined) taken.add(item);
      if (!linked || all.has(linked.key) || all.size === MOST_ITEMS) return;
      all.set(linked.key, { text: linked.text, line: isOwn ? item.line : 0 });
    };
    const line = [own, ...names.inherited(contract, path)];
    for (const at of line) {
      for (const item of at.contract.items) {
        if (item.kind !== 'function' || at.contract.kind !== 'library') add(item, at);
      }
    }
    for (const at of line) for (const used of usedBy(at, files, names)) add(used.item, used.at);
    const items = [...all.values()];
    return {
      ...{ name: contract.name, source: path, line: contract.line },
      ...{ abi: items.map(({ text }) => text), itemLines: items.map((item) => item.line) },
    };
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
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const abi = linked.map(({ text }) => text);
  return [
    ...contracts,
    { name, source: path, line: undefined, abi, itemLines: linked.map(({ line }) => line) },
  ];
}

/** What a contract emits and reverts with. */
function usedBy(
  at: { readonly path: string; readonly contract: SourceContract },
  files: SourceFiles,
  names: SourceNames,
) {
  const facts = files.get(at.path);
  const position = facts?.contracts.indexOf(at.contract);
  const uses = facts?.uses.filter(({ contract }) => contract === position) ?? [];
  return uses.flatMap((use) => usedItems(use, at, names));
}

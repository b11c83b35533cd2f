import type { AbiItem } from '../../abi/abiItem.ts';
import type { AbiLookup, Candidate, OnChain, Origin, Trust } from '../../abi/candidates.ts';
import { mostTrusted } from '../../abi/lookup/mostTrusted.ts';
import { compareValues } from '../../base/compareValues.ts';
import type { Hex } from '../../values/hex.ts';
import type { ContractEntry } from './contractTable.ts';
import type { IndexedContract } from './indexed.ts';
import type { ItemTable, OwnedItem } from './itemTable.ts';
import { pathOf } from './joinContracts.ts';

/**
 * Finds items of the workspace by their hashes, each once, with the contract that is known best to have it: the one
 * deployed where the hash was met, else one of the project's own, else one whose declaration is there.
 *
 * @param deployedAt the contract at an address of a chain.
 */
export function createIndexLookup(
  items: ItemTable<ContractEntry>,
  deployedAt: (at: OnChain) => IndexedContract | undefined,
): AbiLookup {
  function find<Item extends AbiItem>(kind: Item['kind'], hash: Hex | undefined, at: OnChain | undefined) {
    const found = items.find(kind, hash) as readonly (OwnedItem<ContractEntry> & { readonly item: Item })[];
    if (found.length === 0) return [];
    const deployed = at && deployedAt(at);
    const ranked = found.map((entry) => rank(entry, deployed));
    ranked.sort(ownFirst);
    return mostTrusted(ranked.map(({ item, origin }) => ({ item, origin })));
  }
  return {
    events: (topic0, at) => find('event', topic0, at),
    errors: (selector, at) => find('error', selector, at),
    functions: (selector, at) => find('function', selector, at),
  };
}

interface Ranked<Item extends AbiItem> extends Candidate<Item> {
  readonly isOwn: boolean;
}

function rank<Item extends AbiItem>(
  { item, text, owners }: OwnedItem<ContractEntry> & { readonly item: Item },
  deployed: IndexedContract | undefined,
): Ranked<Item> {
  const isDeployed = deployed?.abi.includes(text) ?? false;
  const owner = isDeployed ? deployed : best(owners, text);
  return {
    item,
    isOwn: owner?.isOwn ?? false,
    origin: originOf(owner, text, isDeployed ? 'deployment' : 'workspace'),
  };
}

function originOf(owner: IndexedContract | undefined, text: string, trust: Trust): Origin {
  if (!owner) return { trust, from: '', contract: undefined, line: undefined };
  return { trust, from: pathOf(owner), contract: owner.name, line: lineOf(owner, text) };
}

function lineOf({ abi, itemLines }: IndexedContract, text: string): number | undefined {
  return itemLines[abi.indexOf(text)];
}

/** The first of the project's own, of those the first with a line, of those the first by name and path. */
function best(owners: readonly ContractEntry[], text: string): IndexedContract | undefined {
  let found: IndexedContract | undefined;
  for (const { merged } of owners) {
    if (merged && (!found || compareOwners(merged, found, text) < 0)) found = merged;
  }
  return found;
}

function compareOwners(a: IndexedContract, b: IndexedContract, text: string): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  const hasLine = lineOf(a, text) !== undefined;
  if (hasLine !== (lineOf(b, text) !== undefined)) return hasLine ? -1 : 1;
  return compareValues(a.name, b.name) || compareValues(pathOf(a), pathOf(b));
}

function ownFirst(a: Ranked<AbiItem>, b: Ranked<AbiItem>): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  return (
    compareValues(a.origin.contract ?? '', b.origin.contract ?? '') ||
    compareValues(a.origin.from, b.origin.from)
  );
}

import type { SourceContract, SourceFacts, SourceItem, SourceScope, SourceType } from '../sourceFacts.ts';

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

type Entry =
  | { readonly type: SourceType }
  | { readonly item: SourceItem }
  | { readonly contract: SourceContract };

const indexes = new WeakMap<SourceScope, ReadonlyMap<string, readonly Entry[]>>();

/** What a file or contract itself declares under a name. */
export function declared(scope: SourceScope | SourceFacts, name: string, at: SourceAt): readonly Named[] {
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

import type { AbiLookup } from '../candidates.ts';
import { createAbiLookup } from '../lookup/abiLookup.ts';
import type { KnownItem } from '../lookup/itemIndex.ts';
import { bundledLists } from './bundledLists.ts';

let lookup: AbiLookup | undefined;

/**
 * The events, errors and functions of well-known standards and contracts; `from` of an origin is the name of a list,
 * `ERC-20` or `Uniswap v3`. Built when first asked for, and one for all. Its file brings the lists: 130 KB, so load it
 * late, by `loadBundledLookup`.
 *
 * @example bundledLookup().functions('0xa9059cbb')[0]?.item.signature // 'transfer(address,uint256)'
 */
export function bundledLookup(): AbiLookup {
  lookup ??= createAbiLookup(bundledItems());
  return lookup;
}

/**
 * All that the lists hold, list by list.
 *
 * @example [...bundledItems()][0]?.origin.from // 'ERC-165'
 */
export function* bundledItems(): Generator<KnownItem> {
  for (const { name, items } of bundledLists) {
    const origin = { trust: 'bundled', from: name, contract: undefined, line: undefined } as const;
    for (const text of items.trim().split('\n')) yield { text, origin };
  }
}

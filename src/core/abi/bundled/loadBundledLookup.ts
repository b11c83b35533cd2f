import type { AbiLookup } from '../candidates.ts';
import type { KnownItem } from '../lookup/itemIndex.ts';

/**
 * The lookup over the bundled lists, which are loaded when it is first asked for.
 *
 * @example
 * const lookup = await loadBundledLookup();
 */
export async function loadBundledLookup(): Promise<AbiLookup> {
  const { bundledLookup } = await import('./bundledLookup.ts');
  return bundledLookup();
}

/**
 * The events of the bundled lists, list by list, which are loaded when they are first asked for.
 *
 * @example
 * const [first] = await loadBundledEvents();
 */
export async function loadBundledEvents(): Promise<readonly KnownItem[]> {
  const { bundledItems } = await import('./bundledLookup.ts');
  return [...bundledItems()].filter(({ text }) => text.startsWith('event '));
}

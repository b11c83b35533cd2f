import type { AbiLookup } from '../abi/candidates.ts';
import type { LocatedItem } from '../abi/lookup.ts';

/**
 * Loads the bundled lists on first use, and returns a lookup over them.
 *
 * @example
 * const lookup = await loadStandardLookup();
 */
export async function loadStandardLookup(): Promise<AbiLookup> {
  const { getStandardLookup } = await import('./lookup.ts');
  return getStandardLookup();
}

/**
 * Loads the bundled lists on first use, and returns their events, list by list.
 *
 * @example
 * const [first] = await loadStandardEvents();
 */
export async function loadStandardEvents(): Promise<readonly LocatedItem[]> {
  const { listStandardItems } = await import('./lookup.ts');
  return [...listStandardItems()].filter(({ text }) => text.startsWith('event '));
}

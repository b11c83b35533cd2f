import type { AbiLookup } from '../abi/candidates.ts';
import type { LocatedItem } from '../abi/lookup.ts';

/**
 * The lookup over the bundled lists, which are loaded when it is first asked for.
 *
 * @example
 * const lookup = await loadStandardLookup();
 */
export async function loadStandardLookup(): Promise<AbiLookup> {
  const { getStandardLookup } = await import('./lookup.ts');
  return getStandardLookup();
}

/**
 * The events of the bundled lists, list by list, which are loaded when they are first asked for.
 *
 * @example
 * const [first] = await loadStandardEvents();
 */
export async function loadStandardEvents(): Promise<readonly LocatedItem[]> {
  const { listStandardItems } = await import('./lookup.ts');
  return [...listStandardItems()].filter(({ text }) => text.startsWith('event '));
}

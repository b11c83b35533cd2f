import type { AbiLookup } from '../candidates.ts';

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

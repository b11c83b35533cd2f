import { late } from '../../base/late.ts';
import type { AbiLookup } from '../candidates.ts';

/**
 * The lookup over the bundled lists, which are loaded when it is first asked for.
 *
 * @example
 * const lookup = await loadBundledLookup();
 */
export const loadBundledLookup: () => Promise<AbiLookup> = late(async () =>
  (await import('./bundledLookup.ts')).bundledLookup(),
);

import { late } from '../../base/late.ts';
import type { AbiLookup } from '../candidates.ts';
import type { KnownItem } from '../lookup/itemIndex.ts';

/**
 * The lookup over the bundled lists, which are loaded when it is first asked for.
 *
 * @example
 * const lookup = await loadBundledLookup();
 */
export const loadBundledLookup: () => Promise<AbiLookup> = late(async () =>
  (await import('./bundledLookup.ts')).bundledLookup(),
);

/**
 * The events of the bundled lists, list by list, which are loaded when they are first asked for.
 *
 * @example
 * const [first] = await loadBundledEvents();
 */
export const loadBundledEvents: () => Promise<readonly KnownItem[]> = late(async () =>
  [...(await import('./bundledLookup.ts')).bundledItems()].filter(({ text }) => text.startsWith('event ')),
);

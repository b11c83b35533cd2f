import { type LazyFeature, registerLazyPanels } from '../../host/commands.ts';
import { readsPanelType } from '../../manifest.ts';
import type { ReadsDeps } from './reads.ts';

/** Registers the panels that read contracts, their commands, and their restoration after a reload. Loaded on first use. */
export function registerReads(deps: ReadsDeps): LazyFeature {
  return registerLazyPanels(readsPanelType, async () => {
    const { openReadPanels } = await import('./reads.ts');
    return openReadPanels(deps);
  });
}

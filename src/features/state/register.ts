import { type LazyFeature, registerLazyPanels } from '../../host/commands.ts';
import { statePanelType } from '../../manifest.ts';
import type { StatesDeps } from './states.ts';

/** Registers the panels of holders, roles and allowances, and their restoration. Loaded on first use. */
export function registerState(deps: StatesDeps): LazyFeature {
  return registerLazyPanels(statePanelType, async () => {
    const { openStatePanels } = await import('./states.ts');
    return openStatePanels(deps);
  });
}

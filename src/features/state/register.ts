import * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { statePanelType } from '../../manifest.ts';
import type { StatesDeps } from './states.ts';

/** Registers the panels of holders, roles and allowances, and their restoration. Loaded on first use. */
export function registerState(deps: StatesDeps): LazyFeature {
  const disposables = new Disposables();
  const states = lazyPart(async () => {
    const { openStatePanels } = await import('./states.ts');
    return disposables.add(openStatePanels(deps));
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(statePanelType, {
      deserializeWebviewPanel: async (panel, state) => (await states()).restore(panel, state),
    }),
  );
  return { load: states, dispose: () => disposables.dispose() };
}

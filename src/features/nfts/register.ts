import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import type { NftsDeps } from './panel/deps.ts';
import { panelType } from './protocol/panelType.ts';

/** The NFT panels: their commands, and their return after the window was reloaded. Loaded with the first of either. */
export function registerNfts(deps: Omit<NftsDeps, 'allowedHosts'>): LateFeature {
  const disposables = new Disposables();
  const nfts = latePart(async () => {
    const { openNfts } = await import('./nfts.ts');
    return disposables.add(openNfts(deps));
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state) => (await nfts()).restore(panel, state),
    }),
  );
  return { load: nfts, dispose: () => disposables.dispose() };
}

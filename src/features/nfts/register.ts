import * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { nftPanelType } from '../../manifest.ts';
import type { NftsDeps } from './askForNft.ts';

/** Registers the NFT panels, their commands, and their restoration after a reload. The code is loaded on first use. */
export function registerNfts(deps: Omit<NftsDeps, 'allowedHosts'>): LazyFeature {
  const disposables = new Disposables();
  const nfts = lazyPart(async () => {
    const { openNfts } = await import('./nfts.ts');
    return disposables.add(openNfts(deps));
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(nftPanelType, {
      deserializeWebviewPanel: async (panel, state) => (await nfts()).restore(panel, state),
    }),
  );
  return { load: nfts, dispose: () => disposables.dispose() };
}
